import { startChild, upsertSearchAttributes } from '@temporalio/workflow';
import { toSourceText, type ExclusionsReport, type SourceReport } from '../src/order-report.ts';
import type { RunPlan } from '../src/run-plan.ts';
import { orderAttribute, runAttribute } from '../src/search-attributes.ts';
import { describeExclusions, describeRun } from '../src/workflow-texts.ts';
import { calls, chunks, outageMs } from './activity-calls.ts';
import { executeOrJoin } from './join-child.ts';
import { prepareProfile } from './prepare-profile.ts';
import { observed } from './observed.ts';
import type { View } from './progress.ts';
import { syncExclusions } from './sync-exclusions.ts';

export interface OrderCompanies {
  readonly plan: RunPlan;
  /** Workflow id of the run, of which those of the exclusions are made. */
  readonly runId: string;
  /** Identity of the run: the order's idempotency key and the draft are named by it. */
  readonly runKey: string;
}

/** From exclusions to a placed order. Its workflow id belongs to the run's name, so that Temporal lets one of them go on at a time. */
export function orderCompanies(input: OrderCompanies) {
  return observed((view) => placeInOrder(input, view));
}

async function placeInOrder({ plan, runId, runKey }: OrderCompanies, { report, show }: View) {
  report('exclusions');
  const exclusions: ExclusionsReport[] = [];
  for (const exclusion of plan.exclusions) {
    const syncId = `${runId}/exclusions/${exclusion.name}`;
    const onJoin = () => report('exclusions', {}, `${syncId}, which goes on already`);
    exclusions.push(
      await executeOrJoin({ workflowId: syncId, pace: plan.pace, onJoin }, () =>
        startChild(syncExclusions, {
          workflowId: syncId,
          args: [{ syncId, exclusion, pace: plan.pace, full: false }],
          ...describeExclusions(exclusion),
          typedSearchAttributes: [{ key: runAttribute, value: plan.runName }],
        }),
      ),
    );
  }

  const wanted = exclusions.reduce((total, exclusion) => total + exclusion.wanted, 0);
  report('profile', { exclusions: wanted }, { what: 'the search profile', atMostMs: outageMs });
  const profileId = await prepareProfile(plan);

  report('order');
  let unusableCompanies = 0;
  // Drafts of earlier releases come without it.
  let source: SourceReport | undefined;
  if (plan.kind === 'enrichment') {
    const draft = await chunks(plan.pace).draftOrder.executeWithOptions({ summary: 'rows to enrich' }, [
      { plan, runKey },
    ]);
    unusableCompanies = draft.unusable;
    source = draft.source;
    if (source !== undefined) show({ note: toSourceText(source).join('; ') });
    report('order', { submitted: draft.rows, unusable: draft.unusable });
  }
  const blacklistIds = exclusions.map(({ blacklistId }) => blacklistId);
  const frozen =
    blacklistIds.length === 0
      ? []
      : await chunks(plan.pace).freezeBlacklists.executeWithOptions({ summary: 'as they are when ordered' }, [
          { runKey, blacklistIds },
        ]);
  const { orderId, requested } = await calls(plan.pace).placeOrder.executeWithOptions(
    { summary: describeRun(plan).staticSummary },
    [{ plan, runKey, profileId, blacklistIds }],
  );
  upsertSearchAttributes([{ key: orderAttribute, value: orderId }]);
  report('placed', { requested });
  const figures = { orderId, requested, frozen, exclusions, unusableCompanies };
  return source === undefined ? figures : { ...figures, source };
}
