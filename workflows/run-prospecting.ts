import { executeChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  outcomeOf,
  toExclusionFindings,
  type ExclusionsReport,
  type OrderReport,
  type RunFigures,
} from '../src/order-report.ts';
import type { RunPlan } from '../src/run-plan.ts';
import { kindAttribute, orderAttribute, outcomeAttribute, runAttribute } from '../src/search-attributes.ts';
import { calls, chunks } from './activity-calls.ts';
import { ingestOrder } from './ingest-order.ts';
import { prepareProfile } from './prepare-profile.ts';
import { reportProgress } from './progress.ts';
import { syncExclusions } from './sync-exclusions.ts';

export interface RunReport extends RunFigures {
  readonly order: OrderReport;
}

/** The main job: exclusions, profile, order, then everything that follows publication. */
export async function runProspecting(plan: RunPlan): Promise<RunReport> {
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const report = reportProgress();

  if (plan.delivery.crm !== null) {
    report('the CRM');
    await chunks(plan.pace).prepareCrm({ plan: plan.delivery.crm });
  }

  report('exclusions');
  const exclusions: ExclusionsReport[] = [];
  for (const exclusion of plan.exclusions) {
    const syncId = `${workflowId}/exclusions/${exclusion.name}`;
    exclusions.push(
      await executeChild(syncExclusions, {
        workflowId: syncId,
        args: [{ syncId, exclusion, pace: plan.pace, full: false }],
        staticSummary: `Blacklist of exclusions.${exclusion.name}`,
        typedSearchAttributes: [{ key: runAttribute, value: plan.runName }],
      }),
    );
  }

  report('profile', { exclusions: exclusions.reduce((total, { wanted }) => total + wanted, 0) }, 'the search profile');
  const profileId = await prepareProfile(plan);

  report('order');
  // The first run's id: a workflow that is reset to an earlier point finds the order that it has placed already.
  const runKey = `${workflowId}#${originalExecutionRunId}`;
  let unusableCompanies = 0;
  if (plan.kind === 'enrichment') {
    const { rows, unusable } = await chunks(plan.pace).draftOrder.executeWithOptions({ summary: 'rows to enrich' }, [
      { plan, runKey },
    ]);
    unusableCompanies = unusable;
    report('order', { submitted: rows, unusable });
  }
  const blacklistIds = exclusions.map(({ blacklistId }) => blacklistId);
  const frozen = blacklistIds.length === 0 ? [] : await chunks(plan.pace).freezeBlacklists({ runKey, blacklistIds });
  const { orderId, requested } = await calls().placeOrder.executeWithOptions({ summary: plan.title }, [
    { plan, runKey, profileId, blacklistIds },
  ]);
  upsertSearchAttributes([{ key: orderAttribute, value: orderId }]);
  if (frozen.length > 0) await calls().attachBlacklists({ orderId, frozen });

  report('results', { requested }, `order ${orderId}`);
  const ingested = await executeChild(ingestOrder, {
    workflowId: `order/${orderId}`,
    args: [{ orderId, delivery: plan.delivery, pace: plan.pace }],
    staticSummary: `${plan.kind} order of ${plan.runName}`,
    typedSearchAttributes: [
      { key: runAttribute, value: plan.runName },
      { key: orderAttribute, value: orderId },
      { key: kindAttribute, value: plan.kind },
    ],
  });
  const order = { ...ingested, findings: [...ingested.findings, ...toExclusionFindings(exclusions)] };
  const outcome = outcomeOf(order.findings);
  upsertSearchAttributes([{ key: outcomeAttribute, value: outcome }]);
  report(outcome, { slots: order.slots, reconciled: order.reconciled, findings: order.findings.length });
  return { exclusions, unusableCompanies, order };
}
