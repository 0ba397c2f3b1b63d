import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  toExclusionFindings,
  type ConfigurationChange,
  type OrderReport,
  type RunFigures,
} from '../src/report/order-report.ts';
import type { EarlierRunPlan, RunReference, StartedRun } from '../src/config/run-plan.ts';
import { kindAttribute, orderAttribute, runAttribute } from '../src/temporal/search-attributes.ts';
import { toIngestWorkflowId } from '../src/temporal/workflow-ids.ts';
import { describeOrderOf, describeRun } from '../src/temporal/workflow-texts.ts';
import { shortActivities, batchActivities, prepareCrmSummary, publicationMs } from './activity-options.ts';
import { ingestOrder } from './ingest-order.ts';
import { executeOrAttach } from './start-or-attach.ts';
import { orderOneAtATime } from './order-one-at-a-time.ts';
import { withProgress } from './with-progress.ts';
import { readRunConfiguration } from './read-run-configuration.ts';
import type { ProgressReporter } from './workflow-progress.ts';

export interface RunReport extends RunFigures {
  readonly order: OrderReport;
}

/** The main job: exclusions, profile, order, then everything that follows publication. Earlier releases started it with the plan. */
export function runProspecting(input: EarlierRunPlan | RunReference): Promise<RunReport> {
  return withProgress((view) => run(input, view));
}

async function run(
  input: EarlierRunPlan | RunReference,
  { setStage, setDetails, finish }: ProgressReporter,
): Promise<RunReport> {
  const { workflowId, firstExecutionRunId, runStartTime } = workflowInfo();
  const { plan, digest, configurationChanged } = await findPlan(input);
  if (configurationChanged !== null) setDetails({ note: toNote(configurationChanged, plan) });

  if (plan.delivery.crm !== null) {
    setStage('the CRM');
    await batchActivities(plan.pace).prepareCrm.executeWithOptions({ summary: prepareCrmSummary }, [{}]);
  }

  setStage('ordering');
  // The first run's id: one that is reset to an earlier point, or tried again as a whole, finds the order that it has placed already.
  const runKey = `${workflowId}#${firstExecutionRunId}`;
  const started: StartedRun = { runName: plan.runName, digest };
  const ordering = { run: started, runId: workflowId, runKey, runStartedAt: runStartTime.toISOString() };
  const placed = await orderOneAtATime(ordering, plan, (orderingId) =>
    setStage('ordering', {}, `its turn: another run of this name is ordering (${orderingId})`),
  );
  const { orderId, requested, frozen, exclusions, unusableCompanies } = placed;
  const source = 'source' in placed ? { source: placed.source } : {};
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: plan.kind },
  ]);
  if (frozen.length > 0) {
    await shortActivities(plan.pace).attachBlacklists.executeWithOptions(
      { summary: `${frozen.length} to order ${orderId}` },
      [{ orderId, frozen }],
    );
  }

  setStage('results', { requested }, { what: `the results of order ${orderId}`, atMostMs: publicationMs });
  const ingestId = toIngestWorkflowId(orderId);
  const onJoin = () => setStage('results', {}, `${ingestId}, which goes on already`);
  const ingested = await executeOrAttach({ workflowId: ingestId, pace: plan.pace, onJoin }, () =>
    startChild(ingestOrder, {
      workflowId: ingestId,
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
  setDetails({ files: order.files, tables: { status: order.byStatus, reason: order.byReason } });
  finish(order.findings, { slots: order.slots, reconciled: order.reconciled });
  return { configurationChanged, exclusions, unusableCompanies, ...source, order };
}

/** The plan of now: a schedule that was applied before a change runs with the change, and says so. */
async function findPlan(
  input: EarlierRunPlan | RunReference,
): Promise<{ plan: EarlierRunPlan; digest: string | null; configurationChanged: ConfigurationChange | null }> {
  if ('kind' in input) return { plan: input, digest: input.digest ?? null, configurationChanged: null };
  const { digest: applied } = input;
  const { plan, digest: now } = await readRunConfiguration(input);
  return { plan, digest: now, configurationChanged: applied === now ? null : { applied, now } };
}

function toNote({ applied, now }: ConfigurationChange, plan: EarlierRunPlan): string {
  return `The configuration of this run has changed since its schedule was applied (${applied} then, ${now} now); it runs as configured now: ${describeRun(plan).staticSummary}.`;
}
