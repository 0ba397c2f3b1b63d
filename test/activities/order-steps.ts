// Steps and rows that the tests of several activities share.
import type { RangeProof } from '../../src/proof/reconcile/range-proof.ts';
import type { Activities } from '../../activities/index.ts';
import type { CompanyRow } from '../../src/service/contract/index.ts';
import type { CrmRecord } from '../../src/hubspot/hubspot-record.ts';
import type { OutcomeRow } from '../../src/ledger/outcome-store.ts';
import {
  createActivityHarness,
  type ActivityHarness,
  type ActivityHarnessOptions,
  type Collected,
} from './activity-harness.ts';

/** A company of an enrichment order. */
export const row = (name: string, changes: Partial<CompanyRow> = {}): CompanyRow => ({
  company_name: name,
  website_url: `https://${name.toLowerCase()}.example`,
  ...changes,
});

/** A harness whose HubSpot has the properties of prospect-sync. */
export async function createReady(options: ActivityHarnessOptions = {}): Promise<ActivityHarness> {
  const harness = await createActivityHarness(options);
  await harness.prepareCrm();
  return harness;
}

type Change<Body, Origin> = (body: Body, origin: Origin) => void;

/** Changes each answer of the service to these paths before the client reads it. */
export function changeAnswers<Body>(paths: RegExp, change: Change<Body, URL>): ActivityHarnessOptions {
  return {
    async serviceFetch(request, proceed) {
      const url = new URL(request.url);
      const response = await proceed(request);
      if (!paths.test(url.pathname) || !response.ok) return response;
      const answer = (await response.json()) as Body;
      change(answer, url);
      return Response.json(answer, { status: response.status });
    },
  };
}

/** Changes each page of results before the client reads it. */
export const changeResults = <Page>(change: Change<Page, number>) =>
  changeAnswers<Page>(/\/results$/, (page, url) => change(page, Number(url.searchParams.get('offset'))));

type CrmRange = Parameters<Activities['projectToCrm']>[0];

/** The input of projectToCrm for all slots of an order. */
export function range({ orderId, total }: Collected, changes: Partial<CrmRange> = {}): CrmRange {
  return { orderId, projectionId: 'first', onlyUnfinished: false, from: 0, to: total, ...changes };
}

/** Writes a collected order to HubSpot. */
export async function projectOrder({ perform }: ActivityHarness, collecting: Promise<Collected>): Promise<Collected> {
  const order = await collecting;
  await perform('projectToCrm', range(order));
  return order;
}

/** An enrichment order that was collected and written to HubSpot. */
export async function createProjected(rows: CompanyRow[], options: ActivityHarnessOptions = {}) {
  const harness = await createReady(options);
  return { ...harness, order: await projectOrder(harness, harness.collectEnrichment(rows)) };
}

/** Runs the activities of a reconciliation in the order of its workflow. @returns the proof; `certify` returns the certificate */
export async function reconcile(harness: ActivityHarness, order: Collected): Promise<RangeProof> {
  const { certificate: _, ...proof } = await concludeOrder(harness, order);
  return proof;
}

/** Reconciles an order. @returns the path of its certificate */
export async function certify(harness: ActivityHarness, order: Collected): Promise<string> {
  return (await concludeOrder(harness, order)).certificate;
}

async function concludeOrder({ perform }: ActivityHarness, { orderId }: Collected) {
  const { total, crm } = await perform('openOrder', { orderId });
  const proof = await perform('reconcileRange', { orderId, from: 0, to: total, crm });
  return perform('concludeReconciliation', { orderId, proofs: [proof] });
}

export async function outcomes({ ledger }: ActivityHarness, { orderId, total }: Collected): Promise<OutcomeRow[]> {
  return ledger.outcomes.read(orderId, { from: 0, to: total });
}

/** The outcomes in the order of their slots, as `0 company created` and `0 contact:0 skipped no_email`. */
export async function outcomeLines(harness: ActivityHarness, order: Collected): Promise<string[]> {
  const rows = await outcomes(harness, order);
  return rows.map(({ position, item, outcome, rule }) =>
    [position, item, outcome, rule].filter((part) => part !== null).join(' '),
  );
}

export const companyLines = (lines: readonly string[]) => lines.filter((line) => / company /.test(line));

export const byId = (records: readonly CrmRecord[], id: string | undefined) =>
  records.find((record) => record.id === id)?.properties ?? {};
