import { unknownId } from '../sandbox/service/service-harness.ts';
import { publish } from '../sandbox/service/published-order.ts';

const csv = { output_type: 'csv' };
const sheets = (spreadsheet_id: string) => ({ output_type: 'google_sheets', spreadsheet_id });
const header = (text: string) =>
  text
    .replaceAll(/[\uFEFF"]/g, '')
    .split('\r\n')[0]
    ?.split(',') ?? [];

describe('Output (optional export of a published result set)', () => {
  it('output_id: is the handle by which one output is read', async () => {
    const { create, read } = await publish();
    const { output_id } = (await create(csv)).body;
    expect((await read(output_id)).output_id).toBe(output_id);
  });

  it('export_job_id: is the handle by which its file is downloaded', async () => {
    const { finish, download } = await publish();
    const { export_job_id } = await finish(csv);
    expect((await download(export_job_id)).file.status).toBe(200);
    expect((await download(unknownId)).redirect.status).toBe(404);
  });

  it.each([
    ['COMPLETED', csv],
    ['FAILED', { ...csv, output_language: 'outcome:FAILED' }],
  ])('status: ends as %s and stays so, the primary results are there all the same', async (word, body) => {
    const { finish, read, advance, readSlots, orderId } = await publish();
    const { output_id, status } = await finish(body);
    expect(status).toBe(word);
    await advance(86_400);
    expect((await read(output_id)).status).toBe(word);
    expect(await readSlots(orderId)).toHaveLength(6);
  });

  it('created: is true for a fresh dispatch, false for an idempotent replay', async () => {
    const { create } = await publish();
    for (const key of [undefined, 'mine']) {
      const body = key === undefined ? csv : { output_type: 'xlsx' };
      const answers = [await create(body, key), await create(body, key), await create(body, key)];
      expect(answers.map((answer) => answer.body.created)).toEqual([true, false, false]);
      expect(new Set(answers.map((answer) => answer.body.output_id)).size).toBe(1);
    }
  });

  it('result_count: counts the published set', async () => {
    const { finish, ask, orderId } = await publish();
    const order = (await ask('GET', `/orders/${orderId}`)).body;
    expect((await finish(csv)).result_count).toBe(order.available_briefing_quantity);
  });

  it('result_sha256: is the same for outputs of one set, another for another set', async () => {
    const { finish } = await publish();
    const first = (await finish(csv)).result_sha256;
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect((await finish({ output_type: 'xlsx' })).result_sha256).toBe(first);
    expect((await (await publish({ quantity: 2 })).finish(csv)).result_sha256).not.toBe(first);
  });

  it('idempotency_key: is disclosed when the request sent none, and can be sent to retry', async () => {
    const { create } = await publish();
    const { output_id, idempotency_key } = (await create(csv)).body;
    expect(idempotency_key).toEqual(expect.any(String));
    expect((await create(csv, idempotency_key)).body).toMatchObject({ output_id, created: false });
    expect((await create({ output_type: 'xlsx' }, 'mine')).body).not.toHaveProperty('idempotency_key');
  });

  it('location: is the URL of the spreadsheet, for Google Sheets only', async () => {
    const { finish } = await publish();
    const { location } = await finish(sheets('sheet-7'));
    expect(URL.parse(location)?.pathname).toContain('sheet-7');
    expect((await finish(csv)).location).toBeNull();
  });
});

describe('Orders', () => {
  const exporting = 'POST /api/v1/orders/{order_id}/export';
  const creating = 'POST /api/v1/orders/{order_id}/outputs';
  const listing = 'GET /api/v1/orders/{order_id}/outputs';
  const reading = 'GET /api/v1/orders/{order_id}/outputs/{output_id}';
  const downloading = 'GET /api/v1/exports/jobs/{export_job_id}/download';
  const handle = { output_id: expect.any(String), export_job_id: expect.any(String), status: expect.any(String) };

  it.each(['csv', 'xlsx'])(`${exporting}: creates a %s export and returns an output handle`, async (output_type) => {
    const { ask, orderId, read, advance } = await publish();
    const { status, body } = await ask('POST', `/orders/${orderId}/export`, { output_type });
    expect([status, body]).toMatchObject([202, handle]);
    await advance(1);
    expect(await read(body.output_id)).toMatchObject({ status: 'COMPLETED', output_type });
  });

  it.each([csv, { output_type: 'xlsx' }, sheets('a')])(`${creating}: creates $output_type at once`, async (body) => {
    const { create } = await publish();
    const created = await create(body);
    expect([created.status, created.body]).toMatchObject([202, handle]);
  });

  it(`${creating}: only after results_published is true`, async () => {
    const { createOrder, order, ask, advance } = await publish();
    const path = `/orders/${await createOrder(order)}`;
    for (let tenths = 0; tenths < 45; tenths += 1) {
      const { results_published } = (await ask('GET', path)).body;
      const { status, body } = await ask('POST', `${path}/outputs`, csv);
      expect([status === 202, body.code === 'ORDER_RESULTS_NOT_READY']).toEqual([
        results_published,
        !results_published,
      ]);
      await advance(0.1);
    }
    expect((await ask('GET', `${path}/outputs`)).body.total).toBe(1);
  });

  it(`${creating}: refuses another type, and Google Sheets without a spreadsheet`, async () => {
    const { create } = await publish();
    for (const body of [{}, { output_type: 'pdf' }, { output_type: 'google_sheets' }])
      expect((await create(body)).status).toBe(422);
  });

  it(`${creating}: takes a request without a key for the output that is there, whatever its key`, async () => {
    const { create } = await publish();
    const { output_id } = (await create(csv, 'mine')).body;
    expect((await create(csv)).body).toMatchObject({ output_id, created: false });
  });

  it(`${listing}: pages through the attempts with total and has_more`, async () => {
    const { create, list } = await publish();
    for (const name of ['a', 'b', 'c']) await create(sheets(name));
    const first = await list('?limit=2');
    const second = await list('?limit=2&offset=2');
    expect([first.total, first.has_more, second.total, second.has_more]).toEqual([3, true, 3, false]);
    expect([...first.outputs, ...second.outputs]).toEqual((await list()).outputs);
  });

  it(`${reading}: is polled until the output is COMPLETED`, async () => {
    const { create, read, advance } = await publish();
    const { output_id } = (await create(csv)).body;
    const seen: string[] = [];
    for (let tenths = 0; tenths < 12; tenths += 1) {
      seen.push((await read(output_id)).status);
      await advance(0.1);
    }
    expect([...new Set(seen)]).toEqual(['PENDING', 'RUNNING', 'COMPLETED']);
  });

  it(`${reading}: behaves as if another organisation's output were not there`, async () => {
    const { create, ask, path, service } = await publish();
    const { output_id } = (await create(csv)).body;
    const { apiKey } = service.createOrganization({ name: 'other' });
    expect((await ask('GET', `${path}/${output_id}`, undefined, { apiKey })).status).toBe(404);
  });

  it(`${downloading}: leads to the rows of the results, with Result Status and Result Reasons`, async () => {
    const { finish, download } = await publish();
    const { file } = await download((await finish(csv)).export_job_id);
    const text = await file.text();
    expect(header(text)).toEqual(expect.arrayContaining(['Result Status', 'Result Reasons']));
    expect(text.trim().split('\r\n')).toHaveLength(7);
    expect(text).toContain("the company's own (https://parking.example)");
  });

  it(`${downloading}: has nothing before the output is COMPLETED, and never for Google Sheets`, async () => {
    const { create, download, advance } = await publish();
    const [file, sheet] = [(await create(csv)).body, (await create(sheets('a'))).body];
    expect((await download(file.export_job_id)).redirect.status).toBe(409);
    await advance(1);
    expect((await download(file.export_job_id)).redirect.status).toBe(302);
    expect((await download(sheet.export_job_id)).redirect.status).toBe(404);
  });

  it(`${creating}: needs orders:write`, async () => {
    const published = await publish();
    const keyWith = (scope: 'orders:read' | 'orders:write') =>
      published.service.createKey({ organizationId: published.organizationId, scopes: [scope] });
    expect((await published.ask('POST', published.path, csv, keyWith('orders:read'))).status).toBe(403);
    expect((await published.ask('POST', published.path, csv, keyWith('orders:write'))).status).toBe(202);
  });

  it(`${listing}: needs orders:read`, async () => {
    const { service, organizationId, ask, path } = await publish();
    const statusWith = async (scope: 'orders:read' | 'orders:write') =>
      (await ask('GET', path, undefined, service.createKey({ organizationId, scopes: [scope] }))).status;
    expect([await statusWith('orders:write'), await statusWith('orders:read')]).toEqual([403, 200]);
  });
});

describe('Errors', () => {
  it('409 code ORDER_RESULTS_EMPTY: answers for a published set without results', async () => {
    const { create, ask, orderId } = await publish({ title: 'outcome:EMPTY', quantity: 2 });
    expect((await ask('GET', `/orders/${orderId}`)).body.results_published).toBe(true);
    const { status, body } = await create(csv);
    expect([status, body.code]).toEqual([409, 'ORDER_RESULTS_EMPTY']);
  });

  it('409 code OUTPUT_IDEMPOTENCY_CONFLICT: answers two different explicit keys; the original and none go on', async () => {
    const { create } = await publish();
    const { output_id } = (await create(csv, 'original')).body;
    const { status, body } = await create(csv, 'different');
    expect([status, body.code]).toEqual([409, 'OUTPUT_IDEMPOTENCY_CONFLICT']);
    for (const key of ['original', undefined]) expect((await create(csv, key)).body.output_id).toBe(output_id);
  });

  it('409 code OUTPUT_QUOTA_EXCEEDED: answers a new destination beyond 20', async () => {
    const { create } = await publish();
    for (let place = 0; place < 20; place += 1) await create(sheets(`s${place}`));
    const { status, body } = await create(csv);
    expect([status, body.code]).toEqual([409, 'OUTPUT_QUOTA_EXCEEDED']);
  });
});

describe('Limits', () => {
  it('outputs list page: 50 when not sent', async () => {
    const { finish, list } = await publish();
    const failing = { ...csv, output_language: 'outcome:FAILED' };
    for (let times = 0; times < 51; times += 1) await finish(failing, `try ${times}`);
    const { outputs, total, has_more } = await list();
    expect([outputs.length, total, has_more]).toEqual([50, 51, true]);
    expect((await list('?offset=50')).outputs).toHaveLength(1);
    expect((await list('?limit=1')).outputs).toHaveLength(1);
  });

  it('outputs per published order: 20, replays not counted, of each order', async () => {
    const { create, finishOrder, order, ask } = await publish();
    for (let place = 0; place < 20; place += 1)
      for (let times = 0; times < 2; times += 1) expect((await create(sheets(`s${place}`))).status).toBe(202);
    expect((await create(sheets('s20'))).status).toBe(409);
    expect((await ask('POST', `/orders/${await finishOrder(order)}/outputs`, sheets('s20'))).status).toBe(202);
  });
});
