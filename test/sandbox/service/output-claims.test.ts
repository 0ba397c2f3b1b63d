import * as fc from 'fast-check';
import { publish } from './published-order.ts';

const csv = { output_type: 'csv' };
const sheets = (spreadsheet_id: string) => ({ output_type: 'google_sheets', spreadsheet_id });

describe('claimOutput', () => {
  it('replays without a key and returns the derived key', async () => {
    const { create, list } = await publish();
    const first = (await create(csv)).body;
    const again = (await create(csv)).body;
    expect(first).toMatchObject({ created: true, idempotency_key: expect.stringMatching(/^output-[0-9a-f]{40}$/) });
    expect(again).toEqual({ ...first, created: false });
    expect((await list()).total).toBe(1);
  });

  it('returns no key to a request with its own key', async () => {
    const { create, read } = await publish();
    const { body } = await create(csv, 'mine');
    expect(body).not.toHaveProperty('idempotency_key');
    expect(await read(body.output_id)).not.toHaveProperty('idempotency_key');
    expect((await create(csv, 'mine')).body).toEqual({ ...body, created: false });
  });

  it('returns the current state in a replay', async () => {
    const { create, advance, read } = await publish();
    const { output_id } = (await create(csv, 'mine')).body;
    await advance(1);
    expect(await read(output_id)).toMatchObject({ status: 'COMPLETED' });
    expect((await create(csv, 'mine')).body).toMatchObject({ output_id, created: false, status: 'COMPLETED' });
  });

  it('treats the derived key like no key', async () => {
    const { create } = await publish();
    const { output_id, idempotency_key } = (await create(csv)).body;
    const again = (await create(csv, idempotency_key)).body;
    expect(again).toMatchObject({ output_id, created: false });
    expect(again).not.toHaveProperty('idempotency_key');
    const other = await create({ output_type: 'xlsx' }, idempotency_key);
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
  });

  it('replays an output with an explicit key to a request without one', async () => {
    const { create } = await publish();
    const { output_id } = (await create(csv, 'mine')).body;
    const replay = (await create(csv)).body;
    expect(replay).toMatchObject({ output_id, created: false, idempotency_key: expect.any(String) });
    expect((await create(csv, replay.idempotency_key)).body).toMatchObject({ output_id, created: false });
  });

  it('lets the first explicit key claim an output that was created without a key', async () => {
    const { create, list } = await publish();
    const { output_id } = (await create(csv)).body;
    for (const key of ['mine', 'mine', undefined])
      expect((await create(csv, key)).body).toMatchObject({ output_id, created: false });
    expect((await create(csv, 'other')).body.code).toBe('OUTPUT_IDEMPOTENCY_CONFLICT');
    expect((await list()).total).toBe(1);
  });

  it('refuses a second explicit key for a destination', async () => {
    const { create, list, orderId } = await publish();
    await create(csv, 'mine');
    const { status, body } = await create(csv, 'other');
    expect([status, body]).toEqual([
      409,
      { code: 'OUTPUT_IDEMPOTENCY_CONFLICT', message: expect.any(String), order_id: orderId },
    ]);
    expect((await list()).total).toBe(1);
    expect((await create({ output_type: 'xlsx' }, 'other')).body.created).toBe(true);
  });

  it.each([
    ['another body', { output_type: 'xlsx' }],
    ['the same destination in other words', { ...csv, output_language: 'en' }],
  ])('refuses a key with %s', async (_, other) => {
    const { create } = await publish();
    await create(csv, 'mine');
    const { status, body } = await create(other, 'mine');
    expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
  });

  it('refuses a key of another order', async () => {
    const { create, ask, finishOrder, order } = await publish();
    await create(csv, 'mine');
    const other = await finishOrder(order);
    const { status, body } = await ask('POST', `/orders/${other}/outputs`, csv, { idempotencyKey: 'mine' });
    expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
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

  it('refuses the 21st destination of an order, but replays existing ones', async () => {
    const { create, list, ask, finishOrder, order } = await publish();
    for (let place = 0; place < 20; place += 1) expect((await create(sheets(`s${place}`))).status).toBe(202);
    const { status, body } = await create(sheets('s20'));
    expect([status, body.code]).toEqual([409, 'OUTPUT_QUOTA_EXCEEDED']);
    expect((await create(sheets('s20'), 'mine')).body.code).toBe('OUTPUT_QUOTA_EXCEEDED');
    for (let place = 0; place < 20; place += 1) expect((await create(sheets(`s${place}`))).body.created).toBe(false);
    expect((await list()).total).toBe(20);
    expect((await ask('POST', `/orders/${await finishOrder(order)}/outputs`, sheets('s20'))).status).toBe(202);
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
      { numRuns: 25 },
    );
  });
});

const conflict = expect.stringMatching(/^(OUTPUT_IDEMPOTENCY_CONFLICT|IDEMPOTENCY_KEY_CONFLICT)$/);
