import { operations, type Output, type OutputInput } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { byOrder } from '../checks/path-parameters.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import { createTestOrganization, type TestOrganization } from './test-organization.ts';

const { createExport, createOutput, downloadExport, getOutput, listOutputs } = operations;
const csv = { output_type: 'csv' } as const;
const failing = { output_type: 'csv', output_language: 'outcome:FAILED' } as const;
const sheet = (spreadsheet_id: string) => ({ output_type: 'google_sheets', spreadsheet_id }) as const;
const most = 20;

export const controlledOutputChecks: readonly Check[] = [
  {
    id: 'outputs.before-publication',
    clause: 'Export and output rule 1',
    title: 'outputs are created only after publication: ORDER_RESULTS_NOT_READY before it',
    needs: 'a clock that can be moved',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const { probe } = test;
      const { order_id } = await test.placeOrder(await enrichment(test));
      for (let tenths = 0; tenths < 45; tenths += 1) {
        const { results_published } = await probe.ask(operations.getOrder, 200, byOrder(order_id));
        const { status, body } = await probe.send(createOutput, { ...byOrder(order_id), body: csv });
        const isNotReady = valueAt(body, ['code']) === 'ORDER_RESULTS_NOT_READY';
        test.expectEqual('created, not ready', [status === 202, isNotReady], [results_published, !results_published]);
        await test.server.advance(0.1);
      }
      test.expectEqual('outputs', (await probe.ask(listOutputs, 200, byOrder(order_id))).total, 1);
    },
  },
  {
    id: 'outputs.statuses',
    clause: 'Output; Output status',
    title: 'an output ends COMPLETED or FAILED and stays so; the results stay available',
    needs: 'a clock that can be moved, and an output that fails',
    effect: 'read',
    async run(common) {
      const test = await publish(common);
      for (const [body, end] of [
        [csv, 'COMPLETED'],
        [failing, 'FAILED'],
      ] as const) {
        const { output_id } = await test.create(body);
        const seen = new Set<string>();
        for (let tenths = 0; tenths < 12; tenths += 1) {
          seen.add((await test.read(output_id)).status);
          await test.server.advance(0.1);
        }
        test.expectEqual('statuses', [...seen], ['PENDING', 'RUNNING', end]);
        await test.server.advance(86_400);
        test.expectEqual('a day later', (await test.read(output_id)).status, end);
        test.expectEqual('results', (await test.readSlots(test.orderId)).length, 2);
      }
    },
  },
  {
    id: 'outputs.digest',
    clause: 'Output',
    title: 'result_count and result_sha256 are the same for outputs of one set, and differ for another set',
    needs: 'orders that cost nothing',
    effect: 'read',
    async run(common) {
      const [test, other] = [await publish(common), await publish(common, 'outcome:HISTORICAL')];
      const first = await test.finish(csv);
      const second = await test.finish({ output_type: 'xlsx' });
      test.expectEqual('result_count', [first.result_count, second.result_count], [2, 2]);
      test.expectEqual('result_sha256', first.result_sha256, second.result_sha256);
      const different = (await other.finish(csv)).result_sha256;
      test.probe.expect(different !== first.result_sha256, 'result_sha256 of another set must differ');
    },
  },
  {
    id: 'outputs.keys',
    clause: 'Export and output rule 4; Output; Errors 409 OUTPUT_IDEMPOTENCY_CONFLICT',
    title:
      'the same key replays, a request without a key replays any, the first explicit key claims an output without one, and another explicit key is 409',
    needs: 'orders that cost nothing',
    effect: 'read',
    async run(common) {
      const test = await publish(common);
      const created = await test.create(csv);
      const disclosed = await test.create(csv, created.idempotency_key);
      test.expectEqual('the disclosed key', [disclosed.output_id, disclosed.created], [created.output_id, false]);
      const claimed = await test.create(csv, 'first explicit');
      test.expectEqual('the first explicit key', [claimed.output_id, claimed.created], [created.output_id, false]);
      const own = await test.create({ output_type: 'xlsx' }, 'mine');
      test.expectEqual('created with a key', [own.created, 'idempotency_key' in own], [true, false]);
      for (const key of ['mine', undefined]) {
        const { output_id, created: isNew } = await test.create({ output_type: 'xlsx' }, key);
        test.expectEqual('a replay', [output_id, isNew], [own.output_id, false]);
      }
      for (const output_type of ['csv', 'xlsx']) {
        const call = { ...byOrder(test.orderId), body: { output_type }, idempotencyKey: 'different' };
        await test.probe.answers(createOutput, 409, { ...call, code: 'OUTPUT_IDEMPOTENCY_CONFLICT' });
      }
    },
  },
  {
    id: 'outputs.google-sheets',
    clause: 'Export and output rules 2, 6; Output',
    title: 'a Google Sheets output has the URL of its spreadsheet as location, and no file',
    needs: 'a Google spreadsheet',
    effect: 'read',
    async run(common) {
      const test = await publish(common);
      const { status, location, export_job_id } = await test.finish(sheet('sheet-7'));
      const isNamed = URL.parse(location ?? '')?.pathname.includes('sheet-7') === true;
      test.expectEqual('the spreadsheet', [status, isNamed], ['COMPLETED', true]);
      await test.probe.answers(downloadExport, 404, { params: { export_job_id } });
      test.expectEqual('location of a CSV file', (await test.finish(csv)).location ?? null, null);
    },
  },
  {
    id: 'outputs.quota',
    clause: 'Errors 409 OUTPUT_QUOTA_EXCEEDED; Limits',
    title: 'a 21st destination is 409; replays and other orders do not count',
    needs: 'an order whose 20 outputs may be used up',
    effect: 'read',
    async run(common) {
      const [test, other] = [await publish(common), await publish(common)];
      for (let place = 0; place < most; place += 1) {
        for (let times = 0; times < 2; times += 1) await test.create(sheet(`s${place}`));
      }
      const call = { ...byOrder(test.orderId), body: csv };
      await test.probe.answers(createOutput, 409, { ...call, code: 'OUTPUT_QUOTA_EXCEEDED' });
      await other.create(csv);
    },
  },
  {
    id: 'outputs.pages',
    clause: 'Endpoints, GET outputs; Limits: outputs list page',
    title: 'the page of outputs has 50 without a limit, and pages hold each output once',
    needs: 'outputs that fail',
    effect: 'read',
    async run(common) {
      const test = await publish(common);
      // A failed output does not occupy its destination, so there can be more than 20.
      for (let place = 0; place <= 50; place += 1) await test.finish(failing, `try ${place}`);
      const list = (query: Record<string, number>) => {
        return test.probe.ask(listOutputs, 200, { ...byOrder(test.orderId), query });
      };
      const first = await list({});
      const rest = await list({ offset: 50 });
      const found = [first.outputs.length, first.total, first.has_more, rest.outputs.length, rest.has_more];
      test.expectEqual('the pages', found, [50, 51, true, 1, false]);
      const ids = new Set([...first.outputs, ...rest.outputs].map(({ output_id }) => output_id));
      test.expectEqual('different outputs', ids.size, 51);
      test.expectEqual('limit=1', (await list({ limit: 1 })).outputs.length, 1);
      const [start, next] = [await list({ limit: 2 }), await list({ limit: 2, offset: 2 })];
      test.expectEqual('total of small pages', [start.total, next.total, next.has_more], [51, 51, true]);
      test.expectEqual('small pages', [...start.outputs, ...next.outputs], first.outputs.slice(0, 4));
    },
  },
  {
    id: 'outputs.export-types',
    clause: 'Endpoints, POST export; Export and output rule 3',
    title: 'POST export creates a CSV and an XLSX output, and both are completed',
    needs: 'a clock that can be moved',
    effect: 'read',
    async run(common) {
      const test = await publish(common);
      for (const output_type of ['csv', 'xlsx'] as const) {
        const created = await test.probe.ask(createExport, 202, { ...byOrder(test.orderId), body: { output_type } });
        await test.server.advance(1);
        const read = await test.read(created.output_id);
        test.expectEqual(`an export as ${output_type}`, [read.status, read.output_type], ['COMPLETED', output_type]);
      }
    },
  },
  {
    id: 'outputs.empty-order',
    clause: 'Errors 409 ORDER_RESULTS_EMPTY',
    title: 'an output of a published order without results is 409',
    needs: 'a published order without results',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const profile_id = await test.createProfile();
      const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 2, title: 'outcome:EMPTY' } as const;
      const id = await test.finishOrder(order);
      const { results_published } = await test.probe.ask(operations.getOrder, 200, byOrder(id));
      test.expectEqual('results_published', results_published, true);
      await test.probe.answers(createOutput, 409, { ...byOrder(id), body: csv, code: 'ORDER_RESULTS_EMPTY' });
    },
  },
  {
    id: 'downloads.rows',
    clause: 'Export and output rules 3, 7',
    title: 'a file is there when the output is COMPLETED; Result Reasons has the detail in parentheses',
    needs: 'a server with selectable outcomes of rows',
    effect: 'read',
    async run(common) {
      const test = await publish(common);
      const { output_id, export_job_id } = await test.create(csv);
      const params = { export_job_id };
      await test.probe.answers(downloadExport, 409, { params });
      await test.server.advance(1);
      const redirect = await test.probe.raw.send(downloadExport, { params });
      test.expectEqual('the download', redirect.status, 302);
      const location = new URL(redirect.headers.get('location') ?? '', redirect.url);
      const text = new TextDecoder().decode((await test.probe.raw.follow('GET download', location)).bytes);
      const header =
        text
          .replaceAll(/[\uFEFF"]/g, '')
          .split('\r\n')[0]
          ?.split(',') ?? [];
      const columns = ['Result Status', 'Result Reasons'].map((column) => header.includes(column));
      test.expectEqual('columns of the results', columns, [true, true]);
      test.expectEqual('lines', text.trim().split('\r\n').length, 3);
      const [, moved] = await test.readSlots(test.orderId);
      const { message, detail } = moved?.reasons[0] ?? {};
      test.probe.expect(text.includes(`${message} (${detail})`), 'Result Reasons must show message and detail');
      const exported = await test.probe.ask(createExport, 202, { ...byOrder(test.orderId), body: csv });
      test.expectEqual('POST export', exported.output_id, output_id);
    },
  },
];

async function enrichment({ createProfile }: TestOrganization, title = 'Spring') {
  const companies = [
    { company_name: 'Acme', website_url: 'https://acme.test', external_id: 'crm-1' },
    { company_name: 'Moved', website_url: 'https://acme.website-moved.example' },
  ];
  return { order_type: 'ENRICHMENT' as const, profile_id: await createProfile(), companies, title };
}

/** A published order of two rows in an organization of its own. */
async function publish(common: Parameters<typeof createTestOrganization>[0], title?: string) {
  const test = createTestOrganization(common);
  const orderId = await test.finishOrder(await enrichment(test, title));
  const create = (body: OutputInput, idempotencyKey?: string): Promise<Output> =>
    test.probe.ask(createOutput, 202, {
      ...byOrder(orderId),
      body,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  const read = (output_id: string): Promise<Output> =>
    test.probe.ask(getOutput, 200, { params: { order_id: orderId, output_id } });
  const finish = async (body: OutputInput, idempotencyKey?: string): Promise<Output> => {
    const { output_id } = await create(body, idempotencyKey);
    await test.server.advance(1);
    return read(output_id);
  };
  return { ...test, orderId, create, read, finish };
}
