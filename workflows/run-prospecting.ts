import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  toExclusionFindings,
  type ConfigurationChange,
  type OrderReport,
  type RunFigures,
} from '../src/order-report.ts';
import type { RunPlan, RunReference } from '../src/run-plan.ts';
import { kindAttribute, orderAttribute, runAttribute } from '../src/search-attributes.ts';
import { describeOrderOf, describeRun, toSummary } from '../src/workflow-texts.ts';
import { calls, chunks, preparing, publicationMs } from './activity-calls.ts';
import { ingestOrder } from './ingest-order.ts';
import { executeOrJoin } from './join-child.ts';
import { orderInTurn } from './order-in-turn.ts';
import { observed } from './observed.ts';
import type { View } from './progress.ts';

export interface RunReport extends RunFigures {
  readonly order: OrderReport;
}

/** The main job: exclusions, profile, order, then everything that follows publication. Schedules name the run, commands hand over its plan. */
export function runProspecting(input: RunPlan | RunReference): Promise<RunReport> {
  return observed((view) => run(input, view));
}

async function run(input: RunPlan | RunReference, { report, show, conclude }: View): Promise<RunReport> {
  const { workflowId, firstExecutionRunId, runStartTime } = workflowInfo();
  const { plan, configurationChanged } = await readPlan(input);
  if (configurationChanged !== null) show({ note: toNote(configurationChanged, plan) });

  if (plan.delivery.crm !== null) {
    report('the CRM');
    await chunks(plan.pace).prepareCrm.executeWithOptions({ summary: preparing }, [{ plan: plan.delivery.crm }]);
  }

  report('ordering');
  // The first run's id: one that is reset to an earlier point, or tried again as a whole, finds the order that it has placed already.
  const runKey = `${workflowId}#${firstExecutionRunId}`;
  const ordering = { plan, runId: workflowId, runKey, runStartedAt: runStartTime.toISOString() };
  const placed = await orderInTurn(ordering, (orderingId) =>
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
      args: [{ orderId, delivery: plan.delivery, pace: plan.pace }],
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

/** Until the plan says otherwise. */
const unplanned = { heartbeatTimeoutMs: 30_000 };

/** The plan of now: a schedule that was applied before a change runs with the change, and says so. */
async function readPlan(
  input: RunPlan | RunReference,
): Promise<{ plan: RunPlan; configurationChanged: ConfigurationChange | null }> {
  if ('kind' in input) return { plan: input, configurationChanged: null };
  const { runName, digest: applied } = input;
  const { plan, digest: now } = await calls(unplanned).readRun.executeWithOptions({ summary: toSummary(runName) }, [
    { runName },
  ]);
  return { plan, configurationChanged: applied === now ? null : { applied, now } };
}

function toNote({ applied, now }: ConfigurationChange, plan: RunPlan): string {
  return `The configuration of this run has changed since its schedule was applied (${applied} then, ${now} now); it runs as configured now: ${describeRun(plan).staticSummary}.`;
}
