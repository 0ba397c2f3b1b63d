import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../src/json/canonical-json.ts';
import { publish } from './published-order.ts';
import { unknownId } from './service-harness.ts';

const csv = { output_type: 'csv' };
const failing = (times = '') => ({ output_type: 'csv', output_language: `en outcome:FAILED${times}` });

describe('createOutput', () => {
  it('answers PENDING at once, then goes through RUNNING to COMPLETED on the clock', async () => {
    const { create, read, advance } = await publish();
    const created = await create(csv);
    expect([created.status, created.body]).toMatchObject([202, { status: 'PENDING', created: true }]);
    const seen = [(await read(created.body.output_id)).status];
    for (const seconds of [0.25, 0.749, 0.001]) {
      await advance(seconds);
      seen.push((await read(created.body.output_id)).status);
    }
    expect(seen).toEqual(['PENDING', 'RUNNING', 'RUNNING', 'COMPLETED']);
  });

  it('answers PENDING first, also with immediate progression', async () => {
    const { create, read } = await publish({ progression: { outputs: { after_seconds: 0 } } });
    const { body } = await create(csv);
    expect(body.status).toBe('PENDING');
    expect((await read(body.output_id)).status).toBe('COMPLETED');
  });

  it('can progress by polls of the single output only', async () => {
    const { create, read, list, advance } = await publish({ progression: { outputs: { after_polls: 2 } } });
    const { output_id } = (await create(csv)).body;
    await advance(3_600);
    for (let times = 0; times < 3; times += 1) expect((await list()).outputs[0].status).toBe('PENDING');
    expect((await read(output_id)).status).toBe('RUNNING');
    expect((await read(output_id)).status).toBe('COMPLETED');
    expect((await list()).outputs[0].status).toBe('COMPLETED');
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

  it('serves an enrichment and a discovery order', async () => {
    for (const options of [{}, { quantity: 3 }]) {
      const { finish, ask, orderId } = await publish(options);
      const { total } = (await ask('GET', `/orders/${orderId}/results`)).body;
      expect(await finish(csv)).toMatchObject({ status: 'COMPLETED', result_count: total });
    }
  });

  it.each(['outputs', 'export'])('refuses an order without published results: %s', async (route) => {
    for (const title of ['stay:IN_PROGRESS', 'outcome:UNPUBLISHED', 'outcome:FAILED']) {
      const { ask, orderId } = await publish({ title });
      const { status, body } = await ask('POST', `/orders/${orderId}/${route}`, csv);
      expect([status, body]).toEqual([
        409,
        { code: 'ORDER_RESULTS_NOT_READY', message: expect.any(String), order_id: orderId },
      ]);
    }
  });

  it('refuses unpublished results with the assumed status', async () => {
    const { create } = await publish({ title: 'outcome:UNPUBLISHED', assume: { results_not_ready_status: '425' } });
    const { status, body } = await create(csv);
    expect([status, body.code]).toEqual([425, 'ORDER_RESULTS_NOT_READY']);
  });

  it('refuses an order whose published set is empty', async () => {
    const { create, list } = await publish({ title: 'outcome:EMPTY', quantity: 3 });
    const { status, body } = await create(csv);
    expect([status, body.code]).toEqual([409, 'ORDER_RESULTS_EMPTY']);
    expect(await list()).toEqual({ outputs: [], total: 0, has_more: false });
  });

  it.each([
    ['no type', {}],
    ['another type', { output_type: 'pdf' }],
    ['an empty language', { output_type: 'csv', output_language: '' }],
    ['no spreadsheet', { output_type: 'google_sheets' }],
    ['an unknown field', { output_type: 'csv', colour: 'red' }],
  ])('refuses %s with 422', async (_, body) => {
    const { create } = await publish();
    expect((await create(body)).status).toBe(422);
  });

  it('refuses Google Sheets on the export route', async () => {
    const { ask, orderId } = await publish();
    const body = { output_type: 'google_sheets', spreadsheet_id: 'a' };
    expect((await ask('POST', `/orders/${orderId}/export`, body)).status).toBe(422);
  });

  it('needs orders:write, and reading needs orders:read', async () => {
    const { service, organizationId, ask, path, create } = await publish();
    const reader = service.createKey({ organizationId, scopes: ['orders:read'] });
    const writer = service.createKey({ organizationId, scopes: ['orders:write'] });
    expect((await ask('POST', path, csv, reader)).status).toBe(403);
    expect((await ask('POST', path, csv, writer)).status).toBe(202);
    const { output_id, export_job_id } = (await create(csv)).body;
    for (const read of [path, `${path}/${output_id}`, `/exports/jobs/${export_job_id}/download`]) {
      expect((await ask('GET', read, undefined, writer)).status).toBe(403);
      expect((await ask('GET', read, undefined, reader)).status).not.toBe(403);
    }
  });
});

describe('an output that fails', () => {
  it('ends FAILED without counts, and leaves the results readable', async () => {
    const { finish, readSlots, orderId } = await publish();
    const failed = await finish(failing());
    expect(failed).toMatchObject({ status: 'FAILED' });
    for (const field of ['result_count', 'result_sha256', 'location']) expect(failed).not.toHaveProperty(field);
    expect(await readSlots(orderId)).toHaveLength(6);
  });

  it('is replayed for its own key and without a key, and created again for a new key', async () => {
    const { create, finish, list, advance, read } = await publish();
    const failed = await finish(failing('*1'), 'first');
    expect(failed.status).toBe('FAILED');
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
    expect((await list()).outputs.map(({ status }: { status: string }) => status)).toEqual(['FAILED', 'COMPLETED']);
  });

  it('counts once towards the limit of 20 outputs', async () => {
    const { create, finish } = await publish();
    for (let times = 0; times < 25; times += 1) await finish(failing(), `try ${times}`);
    for (let place = 1; place < 20; place += 1)
      expect((await create({ ...csv, output_language: `l${place}` })).status).toBe(202);
    expect((await create({ ...csv, output_language: 'l20' })).body.code).toBe('OUTPUT_QUOTA_EXCEEDED');
  });

  it.each(['PENDING', 'RUNNING'])('can stay %s instead', async (word) => {
    const { finish, read, advance } = await publish();
    const { output_id } = await finish({ ...csv, output_language: `stay:${word}` });
    await advance(3_600);
    expect((await read(output_id)).status).toBe(word);
  });

  it('can be requested by spreadsheet_id for Google Sheets only', async () => {
    const { finish } = await publish();
    const spreadsheet_id = 'outcome:FAILED';
    expect((await finish({ output_type: 'google_sheets', spreadsheet_id })).status).toBe('FAILED');
    expect((await finish({ output_type: 'csv', spreadsheet_id })).status).toBe('COMPLETED');
  });
});

describe('listOutputs', () => {
  it('pages through the attempts, oldest first', async () => {
    const { create, list } = await publish();
    const ids: string[] = [];
    for (let place = 0; place < 7; place += 1)
      ids.push((await create({ ...csv, output_language: `l${place}` })).body.output_id);
    const seen: string[] = [];
    for (let more = true; more;) {
      const page = await list(`?limit=3&offset=${seen.length}`);
      expect(page.total).toBe(7);
      seen.push(...page.outputs.map(({ output_id }: { output_id: string }) => output_id));
      more = page.has_more;
    }
    expect(seen).toEqual(ids);
    expect(await list('?offset=7')).toEqual({ outputs: [], total: 7, has_more: false });
  });
});

describe('getOutput', () => {
  it('returns the number of slots and a digest that can be recomputed from the results', async () => {
    const { finish, readSlots, orderId } = await publish({ quantity: 230 });
    const slots = await readSlots(orderId);
    const expected = createHash('sha256')
      .update(slots.map((slot) => `${canonicalJson(slot)}\n`).join(''))
      .digest('hex');
    const outputs = [await finish(csv), await finish({ output_type: 'google_sheets', spreadsheet_id: 'a' })];
    for (const { result_count, result_sha256 } of outputs)
      expect([result_count, result_sha256]).toEqual([230, expected]);
  });

  it('returns 404 for outputs of another order and unknown ids', async () => {
    const { create, createOrder, order, ask, path } = await publish();
    const other = await createOrder(order);
    const { output_id } = (await create(csv)).body;
    for (const wrong of [`${path}/${unknownId}`, `/orders/${other}/outputs/${output_id}`]) {
      const { status, body } = await ask('GET', wrong);
      expect([status, body.code]).toEqual([404, 'OUTPUT_NOT_FOUND']);
    }
    const { status, body } = await ask('GET', `/orders/${unknownId}/outputs/${output_id}`);
    expect([status, body.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});

describe('reset', () => {
  it('removes outputs and stops their work', async () => {
    const { create, service, publishAgain } = await republishable();
    const { body } = await create(csv);
    service.reset();
    const again = await publishAgain();
    expect(await again.list()).toMatchObject({ total: 0 });
    expect((await again.finish(csv)).output_id).toBe(body.output_id);
  });
});

/** The same order again in the same sandbox. */
async function republishable() {
  const published = await publish();
  const publishAgain = async () => {
    const profile_id = await published.createProfile();
    const path = `/orders/${await published.finishOrder({ ...published.order, profile_id })}/outputs`;
    return {
      list: async () => (await published.ask('GET', path)).body,
      finish: async (body: unknown) => {
        const { output_id } = (await published.ask('POST', path, body)).body;
        await published.advance(1);
        return (await published.ask('GET', `${path}/${output_id}`)).body;
      },
    };
  };
  return { ...published, publishAgain };
}
