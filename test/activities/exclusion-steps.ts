import type { Activities } from '../../activities/index.ts';
import type { Entry } from '../../src/contract/index.ts';
import type { ExclusionPlan } from '../../src/config/run-plan.ts';
import { collect } from '../prospecting/stub-service.ts';
import type { ActivityHarness } from './harness.ts';

export const syncId = 'run/weekly/2026-11-20/exclusions/customers';

/** The steps as the workflow takes them. `attempts`: the attempt number with which a step begins. */
export async function sync(
  { perform, configureExclusion }: Pick<ActivityHarness, 'perform' | 'configureExclusion'>,
  plan: ExclusionPlan,
  { attempts = {}, full = false }: { attempts?: { add?: number; remove?: number }; full?: boolean } = {},
) {
  const exclusion = configureExclusion(plan);
  const { scan, ...read } = await perform('readExclusions', { syncId, exclusion, full });
  const { kind } = scan;
  const opened = await perform('openBlacklist', { syncId, exclusion, kind });
  const { blacklistId, present, isEnough, missing: added } = opened;
  await perform('addExclusions', { syncId, blacklistId, kind }, { attempt: attempts.add ?? 1 });
  const step = { syncId, blacklistId, exclusion };
  const { removed, pending } =
    kind === 'full'
      ? await remove({ perform }, { ...step, scan, added, before: present }, attempts.remove)
      : { removed: 0, pending: null };
  await perform('rememberScan', { exclusion, blacklistId, scan, isHeld: pending !== null });
  return { blacklistId, present, isEnough, added, removed, pending, kind, counts: scan.counts, ...read };
}

/** Both steps of a removal; `attempt`: the number with which the second begins. */
export async function remove(
  { perform }: Pick<ActivityHarness, 'perform'>,
  step: Parameters<Activities['weighRemovals']>[0],
  attempt = 1,
) {
  const weighed = await perform('weighRemovals', step);
  const { syncId: of, blacklistId, exclusion } = step;
  return perform('removeExclusions', { syncId: of, blacklistId, exclusion, ...weighed }, { attempt });
}

/** The first two steps, for tests that go on by themselves. */
export async function begin({ perform, configureExclusion }: ActivityHarness, plan: ExclusionPlan, of = syncId) {
  const exclusion = configureExclusion(plan);
  const { scan } = await perform('readExclusions', { syncId: of, exclusion, full: true });
  const { blacklistId, present } = await perform('openBlacklist', { syncId: of, exclusion, kind: 'full' });
  return { syncId: of, blacklistId, exclusion, scan, kind: 'full' as const, added: 0, before: present };
}

export async function entriesOf({ prospecting }: ActivityHarness, blacklistId: string): Promise<Entry[]> {
  const entries = (await collect(prospecting.blacklists.entries(blacklistId))).flat();
  return entries.toSorted((a, b) => (a.company_name < b.company_name ? -1 : 1));
}
