import { CancellationScope } from '@temporalio/workflow';
import { toExclusionFindings, type ExclusionsReport } from '../src/proof/report/order-report.ts';
import { batchActivities } from './activity-options.ts';
import { withProgress } from './with-progress.ts';
import type { ProgressReporter } from './progress-query.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';

export interface SyncExclusions {
  readonly syncId: string;
  readonly exclusion: { readonly name: string };
  /** True: a full scan, whatever the time of the last one. */
  readonly full: boolean;
}

const nothingRemoved = { removed: 0, pending: null };

/** Makes a blacklist equal to the sources of its exclusion. Adds come first: exclusions stay in force during a sync. */
export function syncExclusions(input: SyncExclusions): Promise<ExclusionsReport> {
  return withProgress((progress) => syncAndClose(input, progress));
}

async function syncAndClose(input: SyncExclusions, progress: ProgressReporter): Promise<ExclusionsReport> {
  try {
    return await syncBlacklist(input, progress);
  } finally {
    // Runs also after a failure or a cancellation.
    await CancellationScope.nonCancellable(() =>
      batchActivities.closeExclusions.executeWithOptions({ summary: 'delete staged companies' }, [
        { syncId: input.syncId },
      ]),
    );
  }
}

async function syncBlacklist(
  { syncId, exclusion, full }: SyncExclusions,
  { setStage, finish }: ProgressReporter,
): Promise<ExclusionsReport> {
  const { name } = exclusion;
  setStage('reading exclusions');
  const readSources = (isFull: boolean) =>
    batchActivities.readExclusions.executeWithOptions({ summary: toSummary(`sources of ${name}`) }, [
      { syncId, exclusion, full: isFull },
    ]);
  const open = (kind: 'full' | 'delta') =>
    batchActivities.openBlacklist.executeWithOptions({ summary: toSummary(`blacklist of ${name}`) }, [
      { syncId, exclusion, kind },
    ]);

  let read = await readSources(full);
  setStage('reading the blacklist', { wanted: read.wanted, unusable: read.unusable });
  let opened = await open(read.scan.kind);
  if (!opened.isEnough) {
    setStage('reading exclusions', {}, 'a full scan, because the blacklist is new');
    read = await readSources(true);
    const { renamed } = opened;
    opened = { ...(renamed && { renamed }), ...(await open(read.scan.kind)) };
  }
  const { scan, emptySources, wanted, unusable, corrections, coverage, settings } = read;
  const { blacklistId, present, missing: added } = opened;

  setStage('adding entries', { present });
  await batchActivities.addExclusions.executeWithOptions({ summary: `${wanted} wanted, ${present} present` }, [
    { syncId, blacklistId, kind: scan.kind },
  ]);
  setStage('evaluating removals', { added });
  const remove = async () => {
    const step = { syncId, blacklistId, exclusion };
    // The decision is kept in the history: a retry must not request approval of the rest again.
    const decision = await batchActivities.evaluateRemovals.executeWithOptions(
      { summary: `${present + added} entries` },
      [{ ...step, scan, added, before: present }],
    );
    setStage('removing entries');
    const summary = decision.pending === null ? 'superfluous entries' : `${decision.released} wait for approval`;
    return batchActivities.removeExclusions.executeWithOptions({ summary }, [{ ...step, ...decision }]);
  };
  const { removed, pending } = scan.kind === 'full' ? await remove() : nothingRemoved;
  await batchActivities.rememberScan.executeWithOptions({ summary: `${scan.kind} scan` }, [
    { exclusion, blacklistId, scan, removalsWait: pending !== null },
  ]);
  const synced: ExclusionsReport = {
    name,
    blacklistId,
    ...(opened.renamed && { renamed: opened.renamed }),
    scan: scan.kind,
    ...(emptySources && { emptySources }),
    wanted,
    added,
    removed,
    unusable,
    pending,
    corrections,
    coverage,
    settings,
  };
  finish(toExclusionFindings([synced]), { removed, 'waiting for approval': pending?.entries ?? 0 });
  return synced;
}
