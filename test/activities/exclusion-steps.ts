import type { Activities } from '../../activities/index.ts';
import type { Entry } from '../../src/service/contract/index.ts';
import type { ExclusionPlan } from '../../src/config/run-plan.ts';
import { collect } from '../service/client/stub-service.ts';
import type { ActivityHarness } from './activity-harness.ts';

export const syncId = 'run/weekly/2026-11-20/exclusions/customers';

/** Runs the activities of a sync like the workflow. `attempts`: the attempt number of a step. */
export async function sync(
  { perform, configureExclusion }: Pick<ActivityHarness, 'perform' | 'configureExclusion'>,
  plan: ExclusionPlan,
  { attempts = {}, full = false }: { attempts?: { add?: number; remove?: number }; full?: boolean } = {},
) {
  const exclusion = configureExclusion(plan);
  const { scan, ...read } = await perform('readExclusions', { syncId, exclusion, full });
  const { kind } = scan;
  const opened = await perform('openBlacklist', { syncId, exclusion, kind });
  const { blacklistId, present, isEnough, missing: added, renamed } = opened;
  await perform('addExclusions', { syncId, blacklistId, kind }, { attempt: attempts.add ?? 1 });
  const step = { syncId, blacklistId, exclusion };
  const { removed, pending } =
    kind === 'full'
      ? await remove({ perform }, { ...step, scan, added, before: present }, attempts.remove)
      : { removed: 0, pending: null };
  await perform('rememberScan', { exclusion, blacklistId, scan, removalsWait: pending !== null });
  const { counts } = scan;
  return { blacklistId, present, isEnough, added, removed, pending, kind, counts, renamed, ...read };
}

/** Runs both activities of a removal. `attempt`: the attempt number of the second one. */
export async function remove(
  { perform }: Pick<ActivityHarness, 'perform'>,
  step: Parameters<Activities['evaluateRemovals']>[0],
  attempt = 1,
) {
  const decision = await perform('evaluateRemovals', step);
  const { added: _added, before: _before, scan: _scan, ...removal } = step;
  return perform('removeExclusions', { ...removal, ...decision }, { attempt });
}

/** Runs the first two activities of a sync, and returns the input of the next ones. */
export async function begin({ perform, configureExclusion }: ActivityHarness, plan: ExclusionPlan, id = syncId) {
  const exclusion = configureExclusion(plan);
  const { scan } = await perform('readExclusions', { syncId: id, exclusion, full: true });
  const { blacklistId, present } = await perform('openBlacklist', { syncId: id, exclusion, kind: 'full' });
  return { syncId: id, blacklistId, exclusion, scan, kind: 'full' as const, added: 0, before: present };
}

export async function entriesOf({ prospecting }: ActivityHarness, blacklistId: string): Promise<Entry[]> {
  const entries = (await collect(prospecting.blacklists.entries(blacklistId))).flat();
  return entries.toSorted((a, b) => (a.company_name < b.company_name ? -1 : 1));
}
