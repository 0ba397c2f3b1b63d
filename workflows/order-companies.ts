import {
  upsertSearchAttributes,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { SourceReport } from '../src/ledger/draft-source.ts';
import type { ExclusionsReport } from '../src/proof/report/order-report.ts';
import { toSourceText } from '../src/proof/report/source-text.ts';
import type { AnnouncedRows, StartedRun, ExclusionPlan } from '../src/config/run-plan.ts';
import { orderAttribute, runAttribute } from '../src/temporal/search-attributes.ts';
import { describeRun, toSummary, describeExclusions } from '../src/temporal/workflow-texts.ts';
import { shortActivities, batchActivities, outageMs, pollingActivities } from './activity-options.ts';
import { withProgress } from './with-progress.ts';
import type { ProgressReporter } from './progress-query.ts';
import { readRunConfiguration } from './read-run-configuration.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { toSyncWorkflowId } from '../src/temporal/workflow-ids.ts';
import { startUnlessRunning } from './start-or-attach.ts';
import { syncExclusions } from './sync-exclusions.ts';

/** `run.digest`: digest of the configuration that the run read. No order is placed when the worker's configuration differs. */
export interface OrderRun {
  readonly run: StartedRun;
  /** Workflow id of the run; part of the ids of its exclusion syncs. */
  readonly runId: string;
  /** Identity of the run: the idempotency key of the order and the draft derive from it. */
  readonly runKey: string;
  /** When the run started, ISO 8601. */
  readonly runStartedAt: string;
  /** Whether a user or a schedule accepts what looks like a mistake, such as a repeated order. */
  readonly isConfirmed: boolean;
  /** What a command has announced of an enrichment; null: nothing. */
  readonly announced: AnnouncedRows | null;
}

/** Syncs exclusions, prepares the profile and places the order. Its workflow id contains the run's name: Temporal runs one at a time. */
export function orderCompanies(input: OrderRun) {
  return withProgress((progress) => prepareAndOrder(input, progress));
}

async function prepareAndOrder(
  { run, runId, runKey, runStartedAt, isConfirmed, announced }: OrderRun,
  { setStage, setDetails }: ProgressReporter,
) {
  const { plan } = await readRunConfiguration(run);
  setStage('exclusions');
  const exclusions: ExclusionsReport[] = [];
  for (const exclusion of plan.exclusions) {
    if (exclusion.existing !== undefined) {
      const summary = toSummary(`existing blacklist of ${exclusion.name}`);
      const named = { exclusion: { name: exclusion.name } };
      exclusions.push(await shortActivities.findExisting.executeWithOptions({ summary }, [named]));
      continue;
    }
    const syncId = `${runId}/exclusions/${exclusion.name}`;
    const onWait = (workflowId: string) => setStage('exclusions', {}, `${workflowId}, which is in progress`);
    const sync = { exclusion, runName: plan.runName, syncId, since: runStartedAt };
    exclusions.push(await syncExclusionOnce(sync, onWait));
  }

  const wanted = exclusions.reduce((total, exclusion) => total + exclusion.wanted, 0);
  setStage('profile', { exclusions: wanted }, { what: 'the search profile', atMostMs: outageMs });
  await prepareProfile(run);
  if (plan.kind === 'discovery') {
    const summary = 'blacklists of the prospect search';
    await shortActivities.assignBlacklists.executeWithOptions({ summary }, [{ run }]);
  }

  setStage('order');
  const frozen = await freezeBlacklists(runKey, exclusions);
  let unusableCompanies = 0;
  let source: SourceReport | null = null;
  if (plan.kind === 'enrichment') {
    const excluding = frozen.flatMap(({ blacklistId, digest }) =>
      exclusions.filter((exclusion) => exclusion.blacklistId === blacklistId).map(({ name }) => ({ name, digest })),
    );
    const draft = await batchActivities.draftOrder.executeWithOptions({ summary: 'read the companies to enrich' }, [
      { run, runKey, excluding, announced },
    ]);
    unusableCompanies = draft.unusable;
    source = draft.source;
    setDetails({ note: toSourceText(source).join('; ') });
    setStage('order', { submitted: draft.rows, unusable: draft.unusable });
  }
  const { orderId, requested } = await shortActivities.placeOrder.executeWithOptions(
    { summary: describeRun(plan).staticSummary },
    [{ run, runKey, isConfirmed }],
  );
  upsertSearchAttributes([{ key: orderAttribute, value: orderId }]);
  setDetails({ orderId });
  setStage('placed', { ordered: requested });
  // The service excludes nothing from an enrichment, so its results cannot leak.
  const attached = plan.kind === 'discovery' ? frozen : [];
  return { orderId, requested, frozen: attached, exclusions, unusableCompanies, source };
}

/** Snapshots of the blacklists, in their order, before anything is ordered. */
async function freezeBlacklists(runKey: string, exclusions: readonly ExclusionsReport[]) {
  if (exclusions.length === 0) return [];
  const blacklistIds = exclusions.map(({ blacklistId }) => blacklistId);
  return batchActivities.freezeBlacklists.executeWithOptions({ summary: 'snapshot of the blacklists' }, [
    { runKey, blacklistIds },
  ]);
}

/** Each attempt after a failed creation has a new idempotency key. */
const creationsAtMost = 3;

/** Creates the search profile of the run, unless one of the same content exists. Part of orderCompanies. */
async function prepareProfile(run: StartedRun): Promise<void> {
  let errorCode: string | null = null;
  for (let attempt = 1; attempt <= creationsAtMost; attempt += 1) {
    const requested = await shortActivities.requestProfile.executeWithOptions(
      { summary: `attempt ${attempt} of at most ${creationsAtMost}` },
      [{ run }],
    );
    const { creationId, profileId } = requested;
    if (profileId !== null) return;
    const creation = await batchActivities.awaitProfile.executeWithOptions({ summary: toSummary(creationId) }, [
      { run, creationId },
    ]);
    if (creation.profileId !== null) return;
    errorCode = creation.errorCode;
  }
  throw nonRetryable(
    'ProfileFailed',
    `the search profile could not be created in ${creationsAtMost} attempts (${errorCode ?? 'no error code'})`,
  );
}

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
async function syncExclusionOnce(
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
