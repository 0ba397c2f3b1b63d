import * as fc from 'fast-check';
import { publish } from './published-order.ts';
import { runsOf } from '../../helpers/sample.ts';

const csv = { output_type: 'csv' };
const sheets = (spreadsheet_id: string) => ({ output_type: 'google_sheets', spreadsheet_id });

describe('claimOutput', () => {
  it('returns its derived key to requests without a key only, and treats that key like no key', async () => {
    const { create, list } = await publish();
    const first = (await create(csv)).body;
    expect(first.idempotency_key).toMatch(/^output-[0-9a-f]{40}$/);
    expect((await create(csv)).body).toEqual({ ...first, created: false });
    const { idempotency_key, ...withoutKey } = { ...first, created: false };
    expect((await create(csv, idempotency_key)).body).toEqual(withoutKey);
    expect((await list()).total).toBe(1);
  });

  it('replays an output with an explicit key in its current state, also without a key and with the derived one', async () => {
    const { create, advance, read, list, orderId } = await publish();
    const { output_id } = (await create(csv, 'mine')).body;
    await advance(1);
    expect(await read(output_id)).not.toHaveProperty('idempotency_key');
    const { idempotency_key } = (await create(csv)).body;
    for (const key of ['mine', undefined, idempotency_key])
      expect((await create(csv, key)).body).toMatchObject({ output_id, created: false, status: 'COMPLETED' });
    const { status, body } = await create(csv, 'other');
    const code = 'OUTPUT_IDEMPOTENCY_CONFLICT';
    expect([status, body]).toEqual([409, { code, message: expect.any(String), order_id: orderId }]);
    expect((await list()).total).toBe(1);
    expect((await create({ output_type: 'xlsx' }, 'other')).body.created).toBe(true);
  });

  it('refuses a key, explicit or derived, with another body and for another order', async () => {
    const { create, ask, path, finishOrder, order } = await publish();
    await create(csv, 'mine');
    const { idempotency_key } = (await create(csv)).body;
    const elsewhere = `/orders/${await finishOrder(order)}/outputs`;
    for (const [place, body, idempotencyKey] of [
      [path, { output_type: 'xlsx' }, 'mine'],
      [path, { output_type: 'xlsx' }, idempotency_key],
      // The same destination in other words.
      [path, { ...csv, output_language: 'en' }, 'mine'],
      [elsewhere, csv, 'mine'],
    ]) {
      const refused = await ask('POST', place, body, { idempotencyKey });
      expect([refused.status, refused.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
    }
  });

  it('shares destinations and keys between both routes', async () => {
    const { ask, create, orderId } = await publish();
    const { output_id } = (await ask('POST', `/orders/${orderId}/export`, csv)).body;
    expect((await create(csv)).body).toMatchObject({ output_id, created: false });
    const xlsx = { output_type: 'xlsx' };
    const mine = (await create(xlsx, 'mine')).body;
    const replay = await ask('POST', `/orders/${orderId}/export`, xlsx, { idempotencyKey: 'mine' });
    expect(replay.body).toMatchObject({ output_id: mine.output_id, created: false });
  });

  it('distinguishes destinations by type, language and spreadsheet', async () => {
    const { create } = await publish({ profile: { output_language: 'DE' } });
    const made = async (body: unknown) => (await create(body)).body.created;
    expect(await made(csv)).toBe(true);
    for (const same of [
      { ...csv, output_language: 'de' },
      { ...csv, spreadsheet_id: 'a' },
    ])
      expect(await made(same)).toBe(false);
    for (const other of [{ ...csv, output_language: 'en' }, { output_type: 'xlsx' }, sheets('a'), sheets('b')])
      expect(await made(other)).toBe(true);
    expect(await made({ ...sheets('a'), output_language: 'De' })).toBe(false);
    expect(await made(sheets('A'))).toBe(true);
  });

  it('creates one output for concurrent requests with one destination, and one for each key', async () => {
    const destinations = [csv, { output_type: 'xlsx' }, sheets('a'), { ...csv, output_language: 'de' }];
    const requests = fc.array(
      fc.record({
        destination: fc.integer({ min: 0, max: destinations.length - 1 }),
        key: fc.constantFrom(undefined, 'k', 'l', 'm'),
      }),
      { minLength: 1, maxLength: 16 },
    );
    await fc.assert(
      fc.asyncProperty(requests, async (requestSequence) => {
        const { create, list } = await publish({ quantity: 2 });
        const answers = await Promise.all(
          requestSequence.map(async ({ destination, key }) => {
            const { status, body } = await create(destinations[destination], key);
            return { destination, key, status, body };
          }),
        );
        const { outputs } = await list();
        const accepted = answers.filter(({ status }) => status === 202);
        const idsBy = (place: (answer: (typeof answers)[number]) => unknown) =>
          [...Map.groupBy(accepted, place)].map(([, group]) => new Set(group.map(({ body }) => body.output_id)).size);
        expect(new Set(idsBy(({ destination }) => destination))).toEqual(new Set([1]));
        expect(new Set(idsBy(({ key, destination }) => key ?? destination))).toEqual(new Set([1]));
        const created = accepted.filter(({ body }) => body.created).map(({ body }) => body.output_id);
        expect(new Set(created)).toEqual(new Set(outputs.map(({ output_id }: { output_id: string }) => output_id)));
        expect(created).toHaveLength(outputs.length);
        // Nobody without a key is ever refused.
        const refused = answers.filter(({ status }) => status !== 202);
        expect(refused.filter(({ key }) => key === undefined)).toEqual([]);
        expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [409, conflict]));
      }),
      { numRuns: runsOf(25) },
    );
  });
});

const conflict = expect.stringMatching(/^(OUTPUT_IDEMPOTENCY_CONFLICT|IDEMPOTENCY_KEY_CONFLICT)$/);
