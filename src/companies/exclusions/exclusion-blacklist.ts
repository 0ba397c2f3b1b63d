/** Finds, creates or renames the blacklist of an exclusion. Never changes the blacklist of another owner. */
import { toMarkedDescription } from '../../config/blacklist-settings.ts';
import type { ExclusionPlan } from '../../config/run-plan.ts';
import type { Blacklist, Entry } from '../../service/contract/index.ts';
import { nonRetryable } from '../../base/failures/application-failure.ts';
import { boundWord } from '../../base/text/bound-text.ts';
import type { ExistingEntry } from '../../ledger/existing-exclusions.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Rename } from '../../proof/report/order-report.ts';
import { findOtherOwner, hasOwnershipMark, isOfInstallation, toElsewhereText } from './blacklist-owner.ts';
import { coveredHashes, matchKeys } from './entry-identity.ts';
import type { ActivityContext } from '../sources/company-source.ts';
import { type ExclusionDependencies, entryHashes, type ScanKind } from './scan-plan.ts';

type BlacklistDependencies = Pick<ExclusionDependencies, 'prospecting' | 'ledger'>;

export interface BlacklistChoice {
  /** The blacklist of the exclusion; null if there is none yet. */
  readonly used: Blacklist | null;
  /** False when prospect-sync neither created nor adopted it. */
  readonly isOurs: boolean;
  /** Further blacklists of that name that prospect-sync created. They are not updated. */
  readonly unused: readonly Blacklist[];
}

/**
 * Several blacklists can have the same name after a creation whose answer was lost. Every sync chooses the blacklist in the ledger, unless
 * another installation has taken it over, then the oldest one that this installation created. Otherwise the blacklist of another
 * installation is what the name means, and the sync fails.
 */
export function chooseBlacklist(
  listed: readonly Blacklist[],
  name: string,
  { knownId, installation }: { readonly knownId: string | null; readonly installation: string | null },
): BlacklistChoice {
  const sameName = listed.filter((candidate) => candidate.name === name).toSorted(byAge);
  const known = listed.find(({ id }) => id === knownId);
  const used =
    (known !== undefined && findOtherOwner(known, installation) === null ? known : null) ??
    sameName.find((candidate) => isOfInstallation(candidate, installation)) ??
    known ??
    sameName.find(hasOwnershipMark) ??
    sameName[0] ??
    null;
  return {
    used,
    isOurs: used !== null && (hasOwnershipMark(used) || used.id === knownId),
    unused: sameName.filter((candidate) => hasOwnershipMark(candidate) && candidate.id !== used?.id),
  };
}

/** What a sync would use for the setting `blacklist`, whoever it belongs to. */
export async function readChoice(
  { prospecting, ledger: { blacklists, installation } }: BlacklistDependencies,
  name: string,
  signal: AbortSignal,
): Promise<BlacklistChoice & { readonly listed: readonly Blacklist[] }> {
  const knownId = (await blacklists.get(name))?.blacklistId ?? null;
  const listed = await prospecting.blacklists.list({ signal });
  return { listed, ...chooseBlacklist(listed, name, { knownId, installation }) };
}

/**
 * Returns null if there is none yet. Finds the blacklist also after its setting was renamed, unless another exclusion uses it.
 * @throws BlacklistNotOwned or BlacklistElsewhere, non-retryable
 */
export async function findBlacklist(
  { prospecting, ledger }: BlacklistDependencies,
  { name, blacklist, adopt }: ExclusionPlan,
  signal: AbortSignal,
): Promise<Blacklist | null> {
  const { listed, used, isOurs } = await readChoice({ prospecting, ledger }, blacklist, signal);
  if (used === null) return findEarlierBlacklist(ledger, name, listed);
  const owner = findOtherOwner(used, ledger.installation);
  if (owner !== null)
    throw nonRetryable('BlacklistElsewhere', `exclusions.${name}: ${await toElsewhereText(used, owner, ledger)}`);
  if (!isOurs && !adopt) {
    throw nonRetryable(
      'BlacklistNotOwned',
      `exclusions.${name}: the service has a blacklist of that name (${used.id}) that prospect-sync did not create`,
    );
  }
  return used;
}

/** The blacklist of the last scan, under the earlier value of the setting `blacklist`, unless another installation has taken it over. */
export async function findEarlierBlacklist(
  { installation, blacklists, exclusionScans }: Pick<Ledger, 'installation' | 'blacklists' | 'exclusionScans'>,
  exclusion: string,
  listed: readonly Blacklist[],
): Promise<Blacklist | null> {
  const scan = await exclusionScans.get(exclusion);
  const found = listed.find(({ id }) => id === scan?.blacklistId);
  if (found === undefined || (await exclusionScans.usersOf(found.id)).length > 1) return null;
  if (findOtherOwner(found, installation) !== null) return null;
  return hasOwnershipMark(found) || (await blacklists.isKnown(found.id)) ? found : null;
}

export function createBlacklist(
  { prospecting, ledger }: BlacklistDependencies,
  { blacklist, description }: ExclusionPlan,
  signal: AbortSignal,
): Promise<Blacklist> {
  const marked = toMarkedDescription(description, ledger.installation);
  return prospecting.blacklists.create({ name: blacklist, description: marked }, { signal });
}

/** null: the blacklist has the configured name already. */
export function findRename(configured: string, { name }: Blacklist): Rename | null {
  return name === configured ? null : { from: name, to: configured };
}

/**
 * Changes name and description to those of the configuration, and the mark to that of this installation. An adopted blacklist keeps its
 * description if none is configured.
 * @returns the old and the new name, bounded for Temporal; null if the name was right
 */
export async function followSettings(
  { prospecting, ledger }: BlacklistDependencies,
  { blacklist, description }: ExclusionPlan,
  used: Blacklist,
  signal: AbortSignal,
): Promise<Rename | null> {
  const rename = findRename(blacklist, used);
  const keepsDescription = description === null && !hasOwnershipMark(used);
  const wanted = keepsDescription ? used.description : toMarkedDescription(description, ledger.installation);
  const changes = {
    ...(rename === null ? {} : { name: blacklist }),
    ...(wanted === null || used.description === wanted ? {} : { description: wanted }),
  };
  if (Object.keys(changes).length > 0) await prospecting.blacklists.update(used.id, changes, { signal });
  return rename && { from: boundWord(rename.from), to: boundWord(rename.to) };
}

/**
 * Stages the entries of the blacklist, and replaces earlier staged ones. A delta scan does not merge the row of a company with its
 * record, as a full scan did, so wanted entries that an existing one covers are dropped.
 * @returns the number of entries
 */
export async function stageExisting(
  { prospecting, ledger: { exclusions } }: BlacklistDependencies,
  { syncId, blacklistId, kind }: { syncId: string; blacklistId: string; kind: ScanKind },
  { signal, recordProgress }: ActivityContext,
): Promise<number> {
  await exclusions.clearExisting(syncId);
  let read = 0;
  for await (const entries of prospecting.blacklists.entries(blacklistId, { signal })) {
    await exclusions.addExisting(
      syncId,
      entries.map((entry) => toExisting(entry, kind)),
    );
    if (kind === 'delta') await exclusions.removeWanted(syncId, entries.flatMap(coveredHashes));
    read += entries.length;
    recordProgress(read);
  }
  return read;
}

export function toExisting(entry: Entry, kind: ScanKind): ExistingEntry {
  return { entryId: entry.id, hash: entryHashes[kind](entry), ...matchKeys(entry) };
}

/** A scan without any wanted entry never empties a blacklist. @throws ExclusionsEmpty, non-retryable */
export function assertNotEmptied(
  { name }: ExclusionPlan,
  { wanted, existing }: { wanted: number; existing: number },
): void {
  if (wanted > 0 || existing === 0) return;
  throw nonRetryable(
    'ExclusionsEmpty',
    `the sources of exclusions.${name} hold no company that has not expired, but its blacklist has ${existing} entries: nothing was removed`,
  );
}

/** Entries are added only to blacklists of exclusions. @throws InputRefused, non-retryable */
export async function assertKnownBlacklist({ blacklists }: Pick<Ledger, 'blacklists'>, blacklistId: string) {
  if (await blacklists.isKnown(blacklistId)) return;
  throw nonRetryable('InputRefused', 'the blacklist belongs to no exclusion of the ledger');
}

/** Entries are removed only from the exclusion's own blacklist. @throws InputRefused, non-retryable */
export async function assertOwnBlacklist(
  { blacklists }: Pick<Ledger, 'blacklists'>,
  { name, blacklist }: ExclusionPlan,
  blacklistId: string,
) {
  if ((await blacklists.get(blacklist))?.blacklistId === blacklistId) return;
  throw nonRetryable('InputRefused', `the blacklist is not that of exclusions.${name}`);
}

function byAge(a: Blacklist, b: Blacklist): number {
  const [older, younger] = [`${a.created_at} ${a.id}`, `${b.created_at} ${b.id}`];
  return older < younger ? -1 : 1;
}
