/** Existing blacklists, which prospect-sync attaches but never changes. */
import type { ExclusionPlan } from '../../config/run-plan.ts';
import type { Blacklist } from '../../service/contract/index.ts';
import { nonRetryable } from '../../base/failures/application-failure.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import type { ExclusionsReport } from '../../proof/report/order-report.ts';
import { closestMatch } from '../../base/text/suggestions.ts';
import { emptyCoverage, emptyCorrections } from './merge-candidates.ts';

/** The blacklist with the configured id or name. @throws ExistingBlacklistUnclear, non-retryable, unless there is exactly one */
export async function findExistingBlacklist(
  { prospecting }: { readonly prospecting: Pick<ProspectingClient, 'blacklists'> },
  exclusion: Pick<ExclusionPlan, 'name' | 'blacklist'>,
  signal: AbortSignal,
): Promise<Blacklist> {
  const listed = await prospecting.blacklists.list({ signal });
  const found = chooseExisting(listed, exclusion.blacklist);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw nonRetryable(
    'ExistingBlacklistUnclear',
    `exclusions.${exclusion.name}.${describeUnclear(exclusion.blacklist, listed, found)}`,
  );
}

/** An id names one blacklist; a name may belong to several. */
export function chooseExisting(listed: readonly Blacklist[], reference: string): readonly Blacklist[] {
  const byId = listed.filter(({ id }) => id === reference.toLowerCase());
  return byId.length > 0 ? byId : listed.filter(({ name }) => name === reference);
}

/** Without the name of the exclusion. */
export function describeUnclear(blacklist: string, listed: readonly Blacklist[], found: readonly Blacklist[]): string {
  if (found.length > 0)
    return `existing: the service has ${found.length} blacklists named ${JSON.stringify(blacklist)} (${found.map(({ id }) => id).join(', ')})`;
  const names = listed.map((each) => each.name);
  const suggestion = closestMatch(blacklist, names);
  const hint = suggestion === null ? '' : `; a similar name is ${JSON.stringify(suggestion)}`;
  return `existing: the service has no blacklist with the name or id ${JSON.stringify(blacklist)}${hint}`;
}

/** Only counts the entries: an existing blacklist is neither scanned nor changed. */
export function toExistingReport({ name }: Pick<ExclusionPlan, 'name'>, { id, entry_count }: Blacklist) {
  return {
    name,
    blacklistId: id,
    existing: true,
    scan: 'full',
    wanted: entry_count,
    added: 0,
    removed: 0,
    unusable: 0,
    pending: null,
    corrections: emptyCorrections,
    coverage: emptyCoverage,
  } as const satisfies ExclusionsReport;
}

/** The blacklist that the last sync of an exclusion used, or that it attaches; undefined before the first one. */
export async function readBlacklistId(
  { blacklists, attachedBlacklists }: Pick<Ledger, 'blacklists' | 'attachedBlacklists'>,
  { name, blacklist, existing }: Pick<ExclusionPlan, 'name' | 'blacklist' | 'existing'>,
): Promise<string | undefined> {
  if (existing === undefined) return (await blacklists.get(blacklist))?.blacklistId;
  const attached = await attachedBlacklists.get(name);
  return attached?.reference === blacklist ? attached.blacklistId : undefined;
}
