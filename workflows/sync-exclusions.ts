import { CancellationScope } from '@temporalio/workflow';
import type { ExclusionsReport } from '../src/order-report.ts';
import type { ExclusionPlan, Pace } from '../src/run-plan.ts';
import { chunks } from './activity-calls.ts';
import { reportProgress } from './progress.ts';

export interface SyncExclusions {
  readonly syncId: string;
  readonly exclusion: ExclusionPlan;
  readonly pace: Pace;
}

/** Brings one blacklist to the wanted state. Adds come first, so that nobody is let through in between. */
export async function syncExclusions(input: SyncExclusions): Promise<ExclusionsReport> {
  try {
    return await bringToWantedState(input);
  } finally {
    // Also after a failure or a cancellation: the staged companies are forgotten.
    await CancellationScope.nonCancellable(() => chunks(input.pace).closeExclusions({ syncId: input.syncId }));
  }
}

async function bringToWantedState({ syncId, exclusion, pace }: SyncExclusions): Promise<ExclusionsReport> {
  const activities = chunks(pace);
  const report = reportProgress();
  report('reading exclusions');
  const { wanted, unusable } = await activities.readExclusions.executeWithOptions(
    { summary: `sources of ${exclusion.name}` },
    [{ syncId, exclusion }],
  );
  report('reading the blacklist', { wanted, unusable });
  const { blacklistId, present } = await activities.openBlacklist.executeWithOptions({ summary: exclusion.blacklist }, [
    { syncId, exclusion },
  ]);
  const step = { syncId, blacklistId };
  report('adding entries', { present });
  const { added } = await activities.addExclusions.executeWithOptions(
    { summary: `${wanted} wanted, ${present} present` },
    [step],
  );
  report('removing entries', { added });
  const { removed } = await activities.removeExclusions({ ...step, added });
  report('done', { removed });
  return { name: exclusion.name, blacklistId, wanted, added, removed, unusable };
}
