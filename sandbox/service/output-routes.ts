import { limits, operations, type Output, type OutputInput } from '../../src/service/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { initialLifecycle, advanceByPoll, type Progression } from '../status-lifecycle.ts';
import { findOrder, refuseUnpublished, type ResultSettings } from './order-routes.ts';
import { claimOutput } from './output-claims.ts';
import { outputLife, outputState } from './output-state.ts';
import { type OutputProducts, waitForOutput } from './output-products.ts';
import { refuse, refuseUnknown } from '../service-refusal.ts';
import { route, type Call, type Route } from './operation-route.ts';
import { recordSheetOutput } from './google-sheets.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOrder, StoredOutput } from '../state/stored-records.ts';

interface OutputRouteDependencies extends ResultSettings {
  readonly progressionOf: (organization: Organization) => Progression;
  readonly products: OutputProducts;
}

export function createOutputRoutes(dependencies: OutputRouteDependencies): readonly Route[] {
  const { products } = dependencies;
  return [
    route(operations.createExport, (call) => createOutput(dependencies, call)),
    route(operations.createOutput, (call) => createOutput(dependencies, call)),

    route(
      operations.listOutputs,
      ({ organization, now, params, query }) => {
        const order = findOrder(organization, params.order_id);
        const { limit = limits.outputsPage.default, offset = 0 } = query;
        const attempts = organization.outputs(order.id);
        const page = attempts.values({ limit, offset });
        const body = {
          outputs: page.map((output) => toOutput(organization, order, output, now)),
          total: attempts.size,
          has_more: offset + page.length < attempts.size,
        };
        return { status: 200, body };
      },
      async ({ organization, now, params, query }) => {
        const { limit = limits.outputsPage.default, offset = 0 } = query;
        const page = organization.outputs(params.order_id.toLowerCase()).values({ limit, offset });
        await Promise.all(page.map((output) => waitForOutput(organization, output, { now, products })));
      },
    ),

    route(
      operations.getOutput,
      ({ organization, now, params }) => {
        const order = findOrder(organization, params.order_id);
        const output = findOutput(organization, params);
        if (!output) throw refuseUnknown('OUTPUT_NOT_FOUND', params.output_id);
        const life = advanceByPoll(output.life, now);
        if (life !== output.life) organization.outputs(order.id).set(output.id, { ...output, life });
        return { status: 200, body: toOutput(organization, order, { ...output, life }, now) };
      },
      async ({ organization, now, params }) => {
        const output = findOutput(organization, params);
        if (output) await waitForOutput(organization, output, { now, products });
      },
    ),
  ];
}

function createOutput(
  { products, progressionOf, results_not_ready_status }: OutputRouteDependencies,
  call: Call<typeof operations.createExport> | Call<typeof operations.createOutput>,
) {
  const { organization, now } = call;
  const body: OutputInput = call.body;
  const order = findOrder(organization, call.params.order_id);
  if (!order.published) throw refuseUnpublished(order, results_not_ready_status);
  if (order.published.total === 0) {
    throw refuse('ORDER_RESULTS_EMPTY', 'The published result set of this order is empty.', { order_id: order.id });
  }
  const { output, created, derivedKey } = claimOutput(
    organization,
    { ...call, order },
    {
      hasFailed: (earlier) => outputState(organization, earlier, now).status === 'FAILED',
      begin(facts): StoredOutput {
        const progression = progressionOf(organization);
        return {
          id: organization.nextId('output'),
          exportJobId: organization.nextId('export job'),
          orderId: order.id,
          type: body.output_type,
          language: facts.language,
          spreadsheetId: body.output_type === 'google_sheets' ? (body.spreadsheet_id ?? null) : null,
          derivedKey: facts.derivedKey,
          life: outputLife(body, { start: now, progression, earlier: facts.earlier }),
        };
      },
    },
  );
  if (created) {
    organization.exportJobs.set(output.exportJobId, { orderId: order.id, outputId: output.id });
    recordSheetOutput(organization, output);
    void products.make(organization, order, output.type);
  }
  // The first answer is always PENDING, also with immediate progression.
  const shown = created ? { ...output, life: initialLifecycle(output.life) } : output;
  const { idempotency_key: _known, ...receipt } = toOutput(organization, order, shown, now);
  const disclosed = call.idempotencyKey === null ? { idempotency_key: derivedKey } : {};
  return { status: 202, body: { ...receipt, created, ...disclosed } };
}

function findOutput(organization: Organization, params: { order_id: string; output_id: string }) {
  return organization.outputs(params.order_id.toLowerCase()).get(params.output_id.toLowerCase());
}

function toOutput(organization: Organization, order: StoredOrder, output: StoredOutput, now: number): Output {
  const { status, sha256 } = outputState(organization, output, now);
  return {
    output_id: output.id,
    export_job_id: output.exportJobId,
    status,
    output_type: output.type,
    output_language: output.language,
    ...(output.spreadsheetId === null ? {} : { spreadsheet_id: output.spreadsheetId }),
    ...(sha256 === null ? {} : { result_count: order.published?.total ?? 0, result_sha256: sha256 }),
    ...(output.derivedKey === null ? {} : { idempotency_key: output.derivedKey }),
    ...(status === 'COMPLETED' && output.type === 'google_sheets'
      ? { location: addressOf(output.spreadsheetId ?? '') }
      : {}),
    created_at: toTimestamp(output.life.stages[0].at),
  };
}

/** An address below a reserved domain, because no spreadsheet exists. */
function addressOf(spreadsheetId: string): string {
  return `https://sheets.example/spreadsheets/d/${encodeURIComponent(spreadsheetId)}`;
}
