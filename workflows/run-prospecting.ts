import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  toExclusionFindings,
  type ConfigurationChange,
  type OrderReport,
  type RunFigures,
} from '../src/proof/report/order-report.ts';
import type { RunPlan, RunReference, StartedRun } from '../src/config/run-plan.ts';
import { toIngestWorkflowId, toOrderingWorkflowId } from '../src/temporal/workflow-ids.ts';
import { kindAttribute, orderAttribute, runAttribute } from '../src/temporal/search-attributes.ts';
import { describeOrderOf, describeRun, describeOrdering } from '../src/temporal/workflow-texts.ts';
import {
  shortActivities,
  batchActivities,
  prepareCrmSummary,
  publicationMs,
  pollingActivities,
} from './activity-options.ts';
import { ingestOrder } from './ingest-order.ts';
import { executeOrAttach, startUnlessRunning } from './start-or-attach.ts';
import { withProgress } from './with-progress.ts';
import { readRunConfiguration } from './read-run-configuration.ts';
import type { ProgressReporter } from './progress-query.ts';
import { orderCompanies, type OrderRun } from './order-companies.ts';

export interface RunReport extends RunFigures {
  readonly order: OrderReport;
}

/** Syncs exclusions, prepares the profile, places the order, and delivers its results. */
export function runProspecting(input: RunReference): Promise<RunReport> {
  return withProgress((progress) => run(input, progress));
}

async function run(input: RunReference, { setStage, setDetails, finish }: ProgressReporter): Promise<RunReport> {
  const { workflowId, firstExecutionRunId, runStartTime } = workflowInfo();
  // A run of a schedule uses the current configuration, also when the schedule was applied with an earlier one.
  const expected = input.start === 'scheduled' ? {} : { digest: input.digest };
  const { plan, digest } = await readRunConfiguration({
    runName: input.runName,
    ...expected,
    installation: input.installation,
  });
  const configurationChanged = input.digest === digest ? null : { applied: input.digest, now: digest };
  if (configurationChanged !== null) setDetails({ note: describeChange(configurationChanged, plan) });

  if (plan.delivery.crm !== null) {
    setStage('preparing the CRM');
    const lists = plan.delivery.lists ? { runName: plan.runName } : {};
    const input = { beforeOrder: true, ...lists };
    await batchActivities.prepareCrm.executeWithOptions({ summary: prepareCrmSummary }, [input]);
  }

  setStage('ordering');
  // The first run id is the same after a reset or a retry of the workflow, which then finds the order that was placed.
  const runKey = `${workflowId}#${firstExecutionRunId}`;
  const started: StartedRun = { runName: plan.runName, digest };
  const ordering = {
    run: started,
    runId: workflowId,
    runKey,
    runStartedAt: runStartTime.toISOString(),
    isConfirmed: input.start !== 'unconfirmed',
    announced: input.announced,
  };
  const placed = await orderOneAtATime(ordering, plan, (orderingId) =>
    setStage('ordering', {}, `${orderingId}, which places the order of another run of this name`),
  );
  const { orderId, requested, frozen, exclusions, unusableCompanies } = placed;
  const source = placed.source === null ? {} : { source: placed.source };
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: plan.kind },
  ]);
  if (frozen.length > 0) {
    await shortActivities.attachBlacklists.executeWithOptions(
      { summary: `${frozen.length} blacklists of order ${orderId}` },
      [{ orderId, frozen }],
    );
  }

  const entries = exclusions.reduce((sum, { wanted }) => sum + wanted, 0);
  setDetails({ orderId });
  setStage(
    'results',
    { exclusions: entries, ordered: requested },
    { what: `the results of order ${orderId}`, atMostMs: publicationMs },
  );
  const ingestId = toIngestWorkflowId(orderId);
  const onAttach = () => setStage('results', {}, `${ingestId}, which is already running`);
  const ingested = await executeOrAttach({ workflowId: ingestId, onAttach }, () =>
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
  setDetails({ files: order.files, tables: { status: order.byStatus, reason: order.byReason, ...order.crm } });
  const { slots, delivered, reconciled } = order;
  finish(order.findings, { slots, ...(delivered === undefined ? {} : { delivered }), reconciled });
  return { configurationChanged, exclusions, unusableCompanies, ...source, order };
}

function describeChange({ applied, now }: ConfigurationChange, plan: RunPlan): string {
  return `The configuration of this run has changed since its schedule was applied (from ${applied} to ${now}). The run uses the current configuration: ${describeRun(plan).staticSummary}.`;
}

/**
 * Places the order as soon as no other run of that name does. The child's id serves as the lock: Temporal releases it however the child
 * ends, also by termination.
 */
async function orderOneAtATime(input: OrderRun, plan: RunPlan, onWait: (orderingId: string) => void) {
  const orderingId = toOrderingWorkflowId(workflowInfo().taskQueue, plan.runName);
  for (;;) {
    const child = await startOrdering(orderingId, input, plan);
    if (child !== null) return child.result();
    onWait(orderingId);
    await pollingActivities.awaitTurn.executeWithOptions({ summary: `wait for ${orderingId}` }, [{ orderingId }]);
  }
}

function startOrdering(workflowId: string, input: OrderRun, plan: RunPlan) {
  return startUnlessRunning(() =>
    startChild(orderCompanies, {
      workflowId,
      args: [input],
      ...describeOrdering(plan),
      typedSearchAttributes: [
        { key: runAttribute, value: plan.runName },
        { key: kindAttribute, value: plan.kind },
      ],
    }),
  );
}
