/** Syncs an exclusion before an order. Part of orderCompanies. */
import { ChildWorkflowCancellationType, ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import type { ExclusionsReport } from '../src/proof/report/order-report.ts';
import type { ExclusionPlan } from '../src/config/run-plan.ts';
import { toSyncWorkflowId } from '../src/temporal/workflow-ids.ts';
import { runAttribute } from '../src/temporal/search-attributes.ts';
import { describeExclusions } from '../src/temporal/workflow-texts.ts';
import { pollingActivities } from './activity-options.ts';
import { startUnlessRunning } from './start-or-attach.ts';
import { syncExclusions } from './sync-exclusions.ts';

interface ExclusionSync {
  readonly exclusion: ExclusionPlan;
  readonly runName: string;
  /** Names the staging of the sync; unique to the run. */
  readonly syncId: string;
  /** Start of the run, ISO 8601: an earlier scan may lack later changes. */
  readonly since: string;
}

/**
 * Starts a sync, or uses the report of another run's sync that started after `since` with the same settings. The workflow
 * id is that of the exclusion, so Temporal runs one sync at a time. `onWait`: called with that id before waiting.
 */
export async function syncExclusionOnce(
  { exclusion, runName, syncId, since }: ExclusionSync,
  onWait: (workflowId: string) => void,
): Promise<ExclusionsReport> {
  const workflowId = toSyncWorkflowId(workflowInfo().taskQueue, exclusion.name);
  for (;;) {
    const child = await startUnlessRunning(() =>
      startChild(syncExclusions, {
        workflowId,
        args: [{ syncId, exclusion: { name: exclusion.name }, full: false }],
        // Other runs may wait for this sync: it continues when the run that started it ends.
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
        ...describeExclusions(exclusion),
        typedSearchAttributes: [{ key: runAttribute, value: runName }],
      }),
    );
    if (child !== null) return child.result();
    onWait(workflowId);
    const shared = await pollingActivities.awaitSync.executeWithOptions({ summary: `until ${workflowId} has ended` }, [
      { workflowId, exclusion: { name: exclusion.name }, since },
    ]);
    if (shared !== null) return shared;
  }
}
