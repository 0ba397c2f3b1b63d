/** The search profiles of the configured runs: which runs share one, and whether it exists. The service has no list of profiles. */
import type { RunConfig } from '../config/run-settings.ts';
import { isExistingProfile, type RunProfile } from '../config/profile-settings.ts';
import { digest } from '../base/json/canonical-json.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { withLedger } from './data-folder.ts';
import type { Terminal } from './terminal.ts';

export interface ListedProfile {
  /** null for a profile of the service that prospect-sync did not create. */
  readonly name: string | null;
  /** null until it is created, with the first order of one of its runs. */
  readonly profileId: string | null;
  /** `SUCCEEDED` and so on, as the service reported it; `existing`; null before it is requested. */
  readonly status: string | null;
  readonly runs: readonly string[];
  /** Orders of this ledger. */
  readonly orders: number;
}

export async function listProfiles(terminal: Terminal, options: GlobalOptions): Promise<ListedProfile[]> {
  return withLedger(terminal, options, async (ledger, config) => {
    const byProfile = Map.groupBy(Object.entries(config.runs), ([, { profile }]) => digest(profile));
    const listed: ListedProfile[] = [];
    for (const [contentHash, users] of byProfile) {
      const profile = profileOf(users);
      const known = await ledger.profiles.get(contentHash);
      const isExisting = isExistingProfile(profile);
      const profileId = isExisting ? profile.profile_id : (known?.profileId ?? null);
      listed.push({
        name: isExisting ? null : profile.profile_name,
        profileId,
        status: isExisting ? 'existing' : (known?.status ?? null),
        runs: users.map(([runName]) => runName),
        orders: profileId === null ? 0 : await ledger.orders.countOfProfile(profileId),
      });
    }
    return listed;
  });
}

function profileOf(users: readonly (readonly [string, RunConfig])[]): RunProfile {
  const [first] = users;
  if (first === undefined) throw new RangeError('a group of runs is empty');
  return first[1].profile;
}

export function toProfileDocument({ name, profileId, status, runs, orders }: ListedProfile) {
  return { name, profile_id: profileId, status, runs, orders };
}

export function toProfileText({ name, profileId, status, runs, orders }: ListedProfile): string {
  const id = profileId ?? 'not created yet';
  return [name ?? 'existing profile', id, status ?? '', `runs ${runs.join(', ')}`, `${orders} orders`]
    .filter((word) => word !== '')
    .map(toPrintable)
    .join('  ');
}
