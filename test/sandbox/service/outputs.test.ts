// The statuses, refusals, keys and pages of the specification are checked by conformance/ in test/specification/checks.test.ts. Here is
// what only the sandbox decides: its times, its magic inputs and its answers to wrong requests.
import { createHash } from 'node:crypto';
import type { Progression } from '../../../sandbox/status-lifecycle.ts';
import { canonicalJson } from '../../../src/base/json/canonical-json.ts';
import { publish } from './published-order.ts';
import { unknownId } from './service-harness.ts';

const csv = { output_type: 'csv' };
const sheets = { output_type: 'google_sheets', spreadsheet_id: 'a' };
const failing = (times = '') => ({ output_type: 'csv', output_language: `en outcome:FAILED${times}` });

/** RUNNING after a quarter of the time, COMPLETED after all of it. */
const usual: Progression = { after_seconds: 1 };

describe('createOutput', () => {
  it.each<[string, Progression, object, number[], string[]]>([
    ['on the clock', usual, csv, [0, 0.25, 0.749, 0.001], ['PENDING', 'RUNNING', 'RUNNING', 'COMPLETED']],
    ['immediately after the answer', { after_seconds: 0 }, csv, [0], ['COMPLETED']],
    ['by polls of the single output only', { after_polls: 2 }, csv, [3_600, 0], ['RUNNING', 'COMPLETED']],
    ['never', usual, { ...csv, output_language: 'stay:PENDING' }, [1, 3_600], ['PENDING', 'PENDING']],
    ['never', usual, { ...csv, output_language: 'stay:RUNNING' }, [1, 3_600], ['RUNNING', 'RUNNING']],
    ['to FAILED by its spreadsheet', usual, { ...sheets, spreadsheet_id: 'outcome:FAILED' }, [1], ['FAILED']],
    ['to COMPLETED with such a file', usual, { ...csv, spreadsheet_id: 'outcome:FAILED' }, [1], ['COMPLETED']],
  ])('answers PENDING, then progresses %s (%j, %j)', async (_, outputs, body, waits, expected) => {
    const { create, read, list, advance } = await publish({ progression: { outputs } });
    const created = await create(body);
    expect([created.status, created.body]).toMatchObject([202, { status: 'PENDING', created: true }]);
    const seen: string[] = [];
    for (const seconds of waits) {
      await advance(seconds);
      // A list must not count as a poll.
      for (let times = 0; times < 3; times += 1) await list();
      seen.push((await read(created.body.output_id)).status);
    }
    expect(seen).toEqual(expected);
    expect((await list()).outputs[0].status).toBe(expected.at(-1));
  });

  it('returns the same bytes for the same calls', async () => {
    const record = async () => {
      const { create, list, advance, download } = await publish();
      const first = await create(csv);
      await advance(1);
      const page = await list();
      const { redirect, file } = await download(page.outputs[0].export_job_id);
      return [first.text, page, redirect.headers.get('location'), await file.text()];
    };
    expect(await record()).toEqual(await record());
  });

  it.each([
    ['stay:IN_PROGRESS', 'outputs', 409],
    ['stay:IN_PROGRESS', 'export', 409],
    ['outcome:UNPUBLISHED', 'outputs', 409],
    ['outcome:UNPUBLISHED', 'export', 409],
    ['outcome:UNPUBLISHED', 'outputs', 425],
    ['outcome:FAILED', 'outputs', 409],
    ['outcome:FAILED', 'export', 409],
  ])('refuses an order without published results: %s, POST %s, %i', async (title, route, expected) => {
    const assume = expected === 409 ? {} : { assume: { results_not_ready_status: String(expected) } };
    const { ask, orderId, list } = await publish({ title, ...assume });
    const { status, body } = await ask('POST', `/orders/${orderId}/${route}`, csv);
    const code = 'ORDER_RESULTS_NOT_READY';
    expect([status, body]).toEqual([expected, { code, message: expect.any(String), order_id: orderId }]);
    expect(await list()).toEqual({ outputs: [], total: 0, has_more: false });
  });

  it.each([
    ['an empty language', 'outputs', { ...csv, output_language: '' }],
    ['an unknown field', 'outputs', { ...csv, colour: 'red' }],
    ['Google Sheets on the export route', 'export', sheets],
  ])('refuses %s with 422', async (_, route, body) => {
    const { ask, orderId } = await publish();
    expect((await ask('POST', `/orders/${orderId}/${route}`, body)).status).toBe(422);
  });
});

describe('an output that fails', () => {
  it('is replayed for its own key and without a key, and created again for a new key', async () => {
    const { create, finish, list, advance, read } = await publish();
    const failed = await finish(failing('*1'), 'first');
    expect(failed.status).toBe('FAILED');
    for (const field of ['result_count', 'result_sha256', 'location']) expect(failed).not.toHaveProperty(field);
    for (const key of ['first', undefined]) {
      const { body } = await create(failing('*1'), key);
      expect(body).toMatchObject({ output_id: failed.output_id, created: false, status: 'FAILED' });
    }
    const again = await create(failing('*1'), 'second');
    expect(again.body).toMatchObject({ created: true, status: 'PENDING' });
    expect(again.body.output_id).not.toBe(failed.output_id);
    await advance(1);
    expect((await read(again.body.output_id)).status).toBe('COMPLETED');
    expect((await create(failing('*1'), 'first')).body).toMatchObject({ output_id: failed.output_id, created: false });
    expect((await create(failing('*1'))).body).toMatchObject({ output_id: again.body.output_id, created: false });
    expect((await create(failing('*1'), 'third')).body.code).toBe('OUTPUT_IDEMPOTENCY_CONFLICT');
    // The oldest comes first.
    expect((await list()).outputs.map(({ status }: { status: string }) => status)).toEqual(['FAILED', 'COMPLETED']);
    expect(await list('?offset=2')).toEqual({ outputs: [], total: 2, has_more: false });
  });

  it('counts once towards the limit of 20 outputs', async () => {
    const { create, finish } = await publish();
    for (let times = 0; times < 25; times += 1) await finish(failing(), `try ${times}`);
    for (let place = 1; place < 20; place += 1)
      expect((await create({ ...csv, output_language: `l${place}` })).status).toBe(202);
    for (const key of [undefined, 'mine'])
      expect((await create({ ...csv, output_language: 'l20' }, key)).body.code).toBe('OUTPUT_QUOTA_EXCEEDED');
  });
});

describe('getOutput', () => {
  it('returns the number of slots and a digest that can be recomputed from the results', async () => {
    const { finish, readSlots, orderId } = await publish({ quantity: 230 });
    const slots = await readSlots(orderId);
    const expected = createHash('sha256')
      .update(slots.map((slot) => `${canonicalJson(slot)}\n`).join(''))
      .digest('hex');
    for (const { result_count, result_sha256 } of [await finish(csv), await finish(sheets)])
      expect([result_count, result_sha256]).toEqual([230, expected]);
  });

  it('returns 404 for outputs of another order and unknown ids', async () => {
    const { create, createOrder, order, ask, path } = await publish();
    const other = await createOrder(order);
    const { output_id } = (await create(csv)).body;
    for (const [wrong, code] of [
      [`${path}/${unknownId}`, 'OUTPUT_NOT_FOUND'],
      [`/orders/${other}/outputs/${output_id}`, 'OUTPUT_NOT_FOUND'],
      [`/orders/${unknownId}/outputs/${output_id}`, 'ORDER_NOT_FOUND'],
    ]) {
      const { status, body } = await ask('GET', wrong ?? '');
      expect([status, body.code]).toEqual([404, code]);
    }
  });
});

describe('reset', () => {
  it('removes outputs and stops their work', async () => {
    const { create, service, createProfile, finishOrder, order, ask, advance } = await publish();
    const { output_id } = (await create(csv)).body;
    service.reset();
    const path = `/orders/${await finishOrder({ ...order, profile_id: await createProfile() })}/outputs`;
    expect((await ask('GET', path)).body).toMatchObject({ total: 0 });
    expect((await ask('POST', path, csv)).body).toMatchObject({ output_id, created: true });
    await advance(1);
    expect((await ask('GET', `${path}/${output_id}`)).body).toMatchObject({ status: 'COMPLETED' });
  });
});
