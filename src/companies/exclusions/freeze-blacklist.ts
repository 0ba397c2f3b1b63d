/** Snapshots of blacklists: the leak check compares an order with the entries that existed when it was placed. */
import { createHash } from 'node:crypto';
import { limits, type Entry } from '../../service/contract/index.ts';
import { listedEntrySchema, parseEntry, type DescribedEntry, type ListedEntry } from '../../ledger/blacklist-store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { toExisting } from './exclusion-blacklist.ts';
import type { ActivityContext } from '../sources/company-source.ts';
import type { ExclusionDependencies } from './scan-plan.ts';

export interface FreezeStep {
  readonly blacklistId: string;
  /** Unique to the attempt. */
  readonly stagingId: string;
  /** `remove`: copies of an entry are removed from the blacklist first. Only for a blacklist of an exclusion. */
  readonly copies: 'keep' | 'remove';
}

/** Reads the blacklist and keeps its entries in the ledger. @returns the digest */
export async function freezeBlacklist(
  { prospecting, ledger, now }: Pick<ExclusionDependencies, 'prospecting' | 'ledger' | 'now'>,
  { blacklistId, stagingId, copies }: FreezeStep,
  { signal, recordProgress }: ActivityContext,
): Promise<string> {
  const { exclusions, exclusionSnapshots } = ledger;
  await exclusions.clearExisting(stagingId);
  let read = 0;
  for await (const entries of prospecting.blacklists.entries(blacklistId, { signal })) {
    await exclusions.addExisting(
      stagingId,
      entries.map((entry) => toExisting(entry, 'full')),
    );
    const seen = { blacklistId, lastSeenAt: now().toISOString() };
    await exclusionSnapshots.describe(entries.map((entry) => toDescribedEntry(entry, seen)));
    recordProgress((read += entries.length));
  }
  if (copies === 'remove') await removeCopies({ prospecting, ledger }, { blacklistId, stagingId }, signal);
  const { digest, entries } = await computeDigest(ledger, { blacklistId, stagingId });
  if (!(await exclusionSnapshots.has(digest))) {
    const snapshot = { digest, entries, frozenAt: now().toISOString() };
    await exclusionSnapshots.save(snapshot, readEntryIds(ledger, stagingId, recordProgress));
  }
  return digest;
}

/** A request to add entries has no idempotency key: if the service processes it after its retry, every entry exists twice. */
async function removeCopies(
  { prospecting, ledger: { exclusions } }: Pick<ExclusionDependencies, 'prospecting' | 'ledger'>,
  { blacklistId, stagingId }: Pick<FreezeStep, 'blacklistId' | 'stagingId'>,
  signal: AbortSignal,
): Promise<void> {
  for await (const rows of exclusions.copies(stagingId)) {
    for (let from = 0; from < rows.length; from += limits.entryIdsPerRemove.max) {
      const entryIds = rows.slice(from, from + limits.entryIdsPerRemove.max).map(({ entryId }) => entryId);
      await prospecting.blacklists.removeEntries(blacklistId, entryIds, { signal });
      await exclusions.markRemoved(stagingId, entryIds);
    }
  }
}

/** The entries of a snapshot, up to 500 at a time. */
export async function* readFrozenEntries(
  { exclusionSnapshots }: Pick<Ledger, 'exclusionSnapshots'>,
  digest: string,
): AsyncGenerator<ListedEntry[]> {
  for await (const rows of exclusionSnapshots.entries(digest)) {
    yield rows.map(({ json }) => parseEntry(json));
  }
}

async function computeDigest(
  { exclusions }: Ledger,
  { blacklistId, stagingId }: Pick<FreezeStep, 'blacklistId' | 'stagingId'>,
): Promise<{ digest: string; entries: number }> {
  const hash = createHash('sha256').update(blacklistId);
  let entries = 0;
  for await (const rows of exclusions.existingEntries(stagingId)) {
    for (const { entryId, hash: entryHash } of rows) hash.update(`\n${entryId} ${entryHash}`);
    entries += rows.length;
  }
  return { digest: hash.digest('hex'), entries };
}

async function* readEntryIds(
  { exclusions }: Ledger,
  stagingId: string,
  recordProgress: ActivityContext['recordProgress'],
): AsyncGenerator<string[]> {
  let saved = 0;
  for await (const rows of exclusions.existingEntries(stagingId)) {
    yield rows.map(({ entryId }) => entryId);
    recordProgress((saved += rows.length));
  }
}

function toDescribedEntry(entry: Entry, seen: Pick<DescribedEntry, 'blacklistId' | 'lastSeenAt'>): DescribedEntry {
  const { id: entryId, company_name: name, website_url: website } = entry;
  const company = { name, website_url: website };
  return { entryId, ...seen, json: JSON.stringify(listedEntrySchema.parse(entry)), company };
}
