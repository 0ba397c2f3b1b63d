import type { ExclusionPlan, Pace } from '../src/run-plan.ts';
import { chunks } from './activity-calls.ts';
import { reportProgress } from './progress.ts';

export interface SyncExclusions {
  readonly syncId: string;
  readonly exclusion: ExclusionPlan;
  readonly pace: Pace;
}

export interface ExclusionsReport {
  readonly blacklistId: string;
  readonly wanted: number;
  readonly added: number;
  readonly removed: number;
  /** CRM companies that could not be excluded: without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
}

/** Brings one blacklist to the wanted state. Adds come first, so that nobody is let through in between. */
export async function syncExclusions({ syncId, exclusion, pace }: SyncExclusions): Promise<ExclusionsReport> {
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
  const { removed } = await activities.removeExclusions(step);
  await activities.closeExclusions({ syncId });
  report('done', { removed });
  return { blacklistId, wanted, added, removed, unusable };
}
