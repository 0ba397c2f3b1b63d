import { operations } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import { NotChecked } from '../probe/not-checked.ts';
import type { RunState } from '../probe/run-state.ts';
import { describeStatus } from '../probe/read-response.ts';
import type { RefusalCase } from '../probe/probe.ts';
import { handleSchema, outputAbout as about, requestOutput } from './output-handles.ts';
import { byOrder } from './path-parameters.ts';

const { createExport, createOutput, getOutput, listOutputs } = operations;
const maxWaitSeconds = 300;

const bodies = {
  csv: { output_type: 'csv', output_language: 'en' },
  xlsx: { output_type: 'xlsx', output_language: 'en' },
} as const;

export const outputChecks: readonly Check[] = [
  creation('csv'),
  creation('xlsx'),
  {
    id: 'outputs.replay',
    clause: 'Export and output rule 4; Output',
    title: 'without a key, the same request gives the same output: created false, the same idempotency_key',
    effect: 'orders',
    async run(probe, state) {
      const { outputId } = need(state.outputs.csv, 'a CSV output');
      const { orderId } = publishedRows(state);
      const first = await requestOutput(probe, orderId, { body: bodies.csv });
      const second = await requestOutput(probe, orderId, { body: bodies.csv });
      for (const { output_id, created, idempotency_key } of [first, second]) {
        probe.expect(output_id === outputId, `${about}: a replay must give the same output_id`);
        probe.expect(created === false, `${about}: created must be false in a replay`);
        probe.expect(idempotency_key !== undefined, `${about}: idempotency_key must be disclosed when none was sent`);
      }
      const isSame = first.idempotency_key === second.idempotency_key;
      probe.expect(isSame, `${about}: the server-derived idempotency_key must be the same in every replay`);
    },
  },
  {
    id: 'outputs.key-conflict',
    clause: 'Errors 409 OUTPUT_IDEMPOTENCY_CONFLICT; Export and output rule 4',
    title: 'a second explicit key for the same destination is 409; the first one replays',
    effect: 'orders',
    async run(probe, state) {
      const { orderId } = publishedRows(state);
      const body = { output_type: 'csv', output_language: 'de' };
      const [first, second] = [probe.newId(), probe.newId()];
      const sent = { ...byOrder(orderId), body, idempotencyKey: first };
      if (describeStatus(await probe.raw.send(createOutput, sent)) === '409 (OUTPUT_IDEMPOTENCY_CONFLICT)') {
        throw new NotChecked('assumed A38: another output_language is not a destination of its own');
      }
      const created = await requestOutput(probe, orderId, { body, idempotencyKey: first });
      const call = { ...byOrder(orderId), body, idempotencyKey: second };
      await probe.answers(createOutput, 409, { ...call, code: 'OUTPUT_IDEMPOTENCY_CONFLICT' });
      const replayed = await requestOutput(probe, orderId, { body, idempotencyKey: first });
      probe.expect(replayed.output_id === created.output_id, `${about}: the first key must give the same output_id`);
      probe.expect(replayed.created === false, `${about}: created must be false in a replay`);
    },
  },
  {
    id: 'outputs.refusals',
    clause: 'Export and output rule 2',
    title: 'a missing or unknown output_type, and Google Sheets without spreadsheet_id, are 422',
    effect: 'orders',
    async run(probe, state) {
      const { orderId } = publishedRows(state);
      const refuse = (what: string, body: unknown): RefusalCase => ({ what, ...byOrder(orderId), body });
      await probe.refuses(createOutput, 422, [
        refuse('a body without output_type', { output_language: 'en' }),
        refuse('an unknown output_type', { output_type: 'parchment' }),
        refuse('google_sheets without spreadsheet_id', { output_type: 'google_sheets' }),
      ]);
    },
  },
  completion('csv'),
  completion('xlsx'),
  {
    id: 'outputs.list',
    clause: 'Endpoints, GET outputs',
    title: 'the page of outputs holds what was created; limit and offset are obeyed',
    effect: 'orders',
    async run(probe, state) {
      const { orderId } = publishedRows(state);
      const wanted = Object.values(state.outputs).map(({ outputId }) => outputId);
      if (wanted.length === 0) throw new NotChecked('needs an output');
      const all = await probe.ask(listOutputs, 200, byOrder(orderId));
      const ids = all.outputs.map(({ output_id }) => output_id);
      const lost = wanted.filter((id) => !ids.includes(id)).length;
      probe.expect(lost === 0, `GET outputs: ${lost} outputs that were created are not listed`);
      probe.expect(all.total >= ids.length, 'GET outputs: total must not be below the number of outputs');
      probe.expect(all.has_more === all.total > ids.length, 'GET outputs: has_more must say whether there are more');
      const one = await probe.ask(listOutputs, 200, { ...byOrder(orderId), query: { limit: 1, offset: 0 } });
      probe.expect(one.outputs.length === 1, `GET outputs with limit=1: must hold 1, found ${one.outputs.length}`);
      probe.expect(
        one.has_more === one.total > 1,
        'GET outputs with limit=1: has_more must say whether there are more',
      );
    },
  },
  {
    id: 'outputs.export',
    clause: 'Export and output rule 3; not shown: POST export body',
    title: 'POST export returns an output handle at once',
    effect: 'orders',
    async run(probe, state) {
      const { orderId } = publishedRows(state);
      const answer = await probe.send(createExport, { ...byOrder(orderId), body: bodies.csv, assumed: 'A22' });
      const observation = `${answer.about}: answered ${describeStatus(answer)}`;
      if (answer.status === 422) return probe.note(`assumed A22: ${observation}`);
      const isHandle = answer.status < 300 && handleSchema.safeParse(answer.body).success;
      probe.expect(isHandle, `${observation}, must give output_id, export_job_id and status`);
    },
  },
];

function publishedRows({ published }: RunState) {
  return need(published.enrichment, 'a published enrichment order');
}

function creation(type: keyof typeof bodies): Check {
  return {
    id: `outputs.create-${type}`,
    clause: 'Export and output rules 2, 3; Output',
    title: `a new ${type} output returns at once with its handles, created true and the server's key`,
    effect: 'orders',
    async run(probe, state) {
      const { orderId } = publishedRows(state);
      const handle = await requestOutput(probe, orderId, { body: bodies[type] });
      state.outputs[type] = { outputId: handle.output_id, exportJobId: handle.export_job_id, isCompleted: false };
      probe.expect(handle.created === true, `${about}: created must be true for a fresh dispatch`);
      const isDisclosed = handle.idempotency_key !== undefined && handle.idempotency_key !== '';
      probe.expect(isDisclosed, `${about}: idempotency_key must be disclosed when none was sent`);
    },
  };
}

function completion(type: keyof typeof bodies): Check {
  return {
    id: `outputs.${type}-completed`,
    clause: 'Output; Output status',
    title: `the ${type} output ends COMPLETED and reads as the one that was asked for`,
    effect: 'orders',
    async run(probe, state) {
      const { orderId, available } = publishedRows(state);
      const created = need(state.outputs[type], `a ${type} output`);
      const { outputId } = created;
      const params = { order_id: orderId, output_id: outputId };
      const ended = await probe.poll(maxWaitSeconds, async () => {
        const output = await probe.ask(getOutput, 200, { params });
        probe.expect(output.output_id === outputId, 'GET output: must answer the output asked for');
        return output.status === 'COMPLETED' || output.status === 'FAILED' ? output : undefined;
      });
      if (!ended) throw new NotChecked(`not ended after ${maxWaitSeconds} s`);
      if (ended.status === 'FAILED') throw new NotChecked('the output FAILED, which a service may answer');
      state.outputs[type] = { ...created, isCompleted: true };
      const { result_count, result_sha256 } = ended;
      const isCount = result_count === available;
      if (!isCount) probe.note(`assumed A41: GET output: result_count is ${result_count} of ${available}`);
      const isDigest = /^[0-9a-f]{64}$/i.test(result_sha256 ?? '');
      if (!isDigest) probe.note('assumed A41: GET output: result_sha256 is no SHA-256 in hexadecimal digits');
    },
  };
}
