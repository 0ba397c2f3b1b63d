import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  toExclusionFindings,
  type ConfigurationChange,
  type OrderReport,
  type RunFigures,
} from '../src/report/order-report.ts';
import type { EarlierRunPlan, RunReference, StartedRun } from '../src/config/run-plan.ts';
import { kindAttribute, orderAttribute, runAttribute } from '../src/temporal/search-attributes.ts';
import { describeOrderOf, describeRun } from '../src/temporal/workflow-texts.ts';
import { calls, chunks, preparing, publicationMs } from './activity-calls.ts';
import { ingestOrder } from './ingest-order.ts';
import { executeOrJoin } from './join-child.ts';
import { orderInTurn } from './order-in-turn.ts';
import { observed } from './observed.ts';
import { readRun } from './read-run.ts';
import type { View } from './progress.ts';

export interface RunReport extends RunFigures {
  readonly order: OrderReport;
}

/** The main job: exclusions, profile, order, then everything that follows publication. Earlier releases started it with the plan. */
export function runProspecting(input: EarlierRunPlan | RunReference): Promise<RunReport> {
  return observed((view) => run(input, view));
}

async function run(input: EarlierRunPlan | RunReference, { report, show, conclude }: View): Promise<RunReport> {
  const { workflowId, firstExecutionRunId, runStartTime } = workflowInfo();
  const { plan, digest, configurationChanged } = await findPlan(input);
  if (configurationChanged !== null) show({ note: toNote(configurationChanged, plan) });

  if (plan.delivery.crm !== null) {
    report('the CRM');
    await chunks(plan.pace).prepareCrm.executeWithOptions({ summary: preparing }, [{}]);
  }

  report('ordering');
  // The first run's id: one that is reset to an earlier point, or tried again as a whole, finds the order that it has placed already.
  const runKey = `${workflowId}#${firstExecutionRunId}`;
  const started: StartedRun = { runName: plan.runName, digest };
  const ordering = { run: started, runId: workflowId, runKey, runStartedAt: runStartTime.toISOString() };
  const placed = await orderInTurn(ordering, plan, (orderingId) =>
    report('ordering', {}, `its turn: another run of this name is ordering (${orderingId})`),
  );
  const { orderId, requested, frozen, exclusions, unusableCompanies } = placed;
  const source = 'source' in placed ? { source: placed.source } : {};
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: plan.kind },
  ]);
  if (frozen.length > 0) {
    await calls(plan.pace).attachBlacklists.executeWithOptions({ summary: `${frozen.length} to order ${orderId}` }, [
      { orderId, frozen },
    ]);
  }

  report('results', { requested }, { what: `the results of order ${orderId}`, atMostMs: publicationMs });
  const collectingId = `order/${orderId}`;
  const onJoin = () => report('results', {}, `${collectingId}, which goes on already`);
  const ingested = await executeOrJoin({ workflowId: collectingId, pace: plan.pace, onJoin }, () =>
    startChild(ingestOrder, {
      workflowId: collectingId,
      args: [{ orderId, runName: plan.runName }],
      ...describeOrderOf(plan, orderId),
      typedSearchAttributes: [
        { key: runAttribute, value: plan.runName },
        { key: orderAttribute, value: orderId },
        { key: kindAttribute, value: plan.kind },
      ],
    }),
  );
  const order = { ...ingested, findings: [...ingested.findings, ...toExclusionFindings(exclusions)] };
  show({ files: order.files, tables: { status: order.byStatus, reason: order.byReason } });
  conclude(order.findings, { slots: order.slots, reconciled: order.reconciled });
  return { configurationChanged, exclusions, unusableCompanies, ...source, order };
}

/** The plan of now: a schedule that was applied before a change runs with the change, and says so. */
async function findPlan(
  input: EarlierRunPlan | RunReference,
): Promise<{ plan: EarlierRunPlan; digest: string | null; configurationChanged: ConfigurationChange | null }> {
  if ('kind' in input) return { plan: input, digest: input.digest ?? null, configurationChanged: null };
  const { digest: applied } = input;
  const { plan, digest: now } = await readRun(input);
  return { plan, digest: now, configurationChanged: applied === now ? null : { applied, now } };
}

function toNote({ applied, now }: ConfigurationChange, plan: EarlierRunPlan): string {
  return `The configuration of this run has changed since its schedule was applied (${applied} then, ${now} now); it runs as configured now: ${describeRun(plan).staticSummary}.`;
}
