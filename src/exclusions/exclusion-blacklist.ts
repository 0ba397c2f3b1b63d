/** The blacklist of an exclusion in the service: found or made, never deleted, and never one that somebody else made. */
import { limits, type Blacklist, type Entry } from '../contract/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { coveredHashes } from './entry-identity.ts';
import type { ProspectingClient } from '../prospecting/prospecting-client.ts';
import type { ExclusionPlan } from '../config/run-plan.ts';
import type { Steps } from './hubspot-sources.ts';
import { hashesOf, type ScanKind } from './scan-sources.ts';
import { keysOf } from './merge-candidates.ts';
import { nonRetryable } from '../failures/non-retryable.ts';

/** Stands in the description of every blacklist that prospect-sync made: others are not touched. */
const ownershipMark = 'Kept by prospect-sync; entries made by hand are removed.';

interface Sides {
  readonly prospecting: ProspectingClient;
  readonly ledger: Ledger;
}

export interface BlacklistChoice {
  /** The one that the exclusion is kept in; null when there is none yet. */
  readonly used: Blacklist | null;
  /** False when prospect-sync neither made nor adopted it. */
  readonly isOurs: boolean;
  /** Others of the name that prospect-sync made: they are not updated. */
  readonly unused: readonly Blacklist[];
}

/**
 * A creation whose request arrived late, and older versions with two runs at once, leave several blacklists of one name.
 * The one that the ledger knows is used, else the oldest that prospect-sync made: every reader takes the same one.
 */
export function chooseBlacklist(listed: readonly Blacklist[], name: string, knownId: string | null): BlacklistChoice {
  const sameName = listed.filter((candidate) => candidate.name === name).toSorted(byAge);
  const used = listed.find(({ id }) => id === knownId) ?? sameName.find(isMarked) ?? sameName[0] ?? null;
  return {
    used,
    isOurs: used !== null && (isMarked(used) || used.id === knownId),
    unused: sameName.filter((candidate) => isMarked(candidate) && candidate.id !== used?.id),
  };
}

/** null when there is none yet. */
export async function findBlacklist(
  { prospecting, ledger }: Sides,
  { name, blacklist, adopt }: ExclusionPlan,
  signal: AbortSignal,
): Promise<Blacklist | null> {
  const known = await ledger.blacklists.get(blacklist);
  const listed = await prospecting.blacklists.list({ signal });
  const { used, isOurs } = chooseBlacklist(listed, blacklist, known?.blacklistId ?? null);
  if (used !== null && !isOurs && !adopt) {
    throw nonRetryable(
      'BlacklistNotOurs',
      `exclusions.${name}: the service has a blacklist of that name (${used.id}) that prospect-sync did not make`,
    );
  }
  return used;
}

export function createBlacklist(
  { prospecting }: Pick<Sides, 'prospecting'>,
  { blacklist, description }: ExclusionPlan,
  signal: AbortSignal,
): Promise<Blacklist> {
  // The configured text may take the whole room; the mark must not be what makes it too long.
  const room = limits.blacklistDescription.max - ownershipMark.length - 1;
  const text = description === null ? ownershipMark : `${description.slice(0, room)}\n${ownershipMark}`;
  return prospecting.blacklists.create({ name: blacklist, description: text }, { signal });
}

/**
 * Reads what the blacklist holds into the ledger's staging, anew. After a scan of what changed, what an entry covers is
 * not wanted beside it: a full scan has joined the company's file row and its record, of which this one saw the row.
 */
export async function readPresent(
  { prospecting, ledger }: Sides,
  { syncId, blacklistId, kind }: { syncId: string; blacklistId: string; kind: ScanKind },
  { signal, reached }: Steps,
): Promise<number> {
  await ledger.exclusions.clearPresent(syncId);
  let read = 0;
  for await (const entries of prospecting.blacklists.entries(blacklistId, { signal })) {
    await ledger.exclusions.present(
      syncId,
      entries.map((entry) => toPresent(entry, hashesOf[kind])),
    );
    if (kind === 'delta') await ledger.exclusions.unwant(syncId, entries.flatMap(coveredHashes));
    read += entries.length;
    reached(read);
  }
  return read;
}

export function toPresent(entry: Entry, hashOf: (entry: Entry) => string) {
  return { entryId: entry.id, hash: hashOf(entry), ...keysOf(entry) };
}

/** Nothing wanted, and something there: an empty read must never empty a blacklist. */
export function assertNotEmptied({ name }: ExclusionPlan, { wanted, present }: { wanted: number; present: number }) {
  if (wanted > 0 || present === 0) return;
  throw nonRetryable(
    'ExclusionsEmpty',
    `the sources of exclusions.${name} hold no company that has not expired, but its blacklist has ${present} entries: nothing was removed`,
  );
}

/** Entries are added to blacklists of exclusions only. @throws InputRefused, final */
export async function assertKnownBlacklist({ blacklists }: Pick<Ledger, 'blacklists'>, blacklistId: string) {
  if (await blacklists.isKnown(blacklistId)) return;
  throw nonRetryable('InputRefused', 'the blacklist belongs to no exclusion of the ledger');
}

/** Entries are removed from the exclusion's own blacklist only. @throws InputRefused, final */
export async function assertOwnBlacklist(
  { blacklists }: Pick<Ledger, 'blacklists'>,
  { name, blacklist }: ExclusionPlan,
  blacklistId: string,
) {
  if ((await blacklists.get(blacklist))?.blacklistId === blacklistId) return;
  throw nonRetryable('InputRefused', `the blacklist is not that of exclusions.${name}`);
}

function isMarked({ description }: Blacklist): boolean {
  return description?.includes(ownershipMark) === true;
}

function byAge(a: Blacklist, b: Blacklist): number {
  const [older, younger] = [`${a.created_at} ${a.id}`, `${b.created_at} ${b.id}`];
  return older < younger ? -1 : 1;
}
