/** Previews a sync: nothing changes in the service or in the CRM. `ledger` must be a scratch one. */
import type { ExclusionPlan } from '../../config/run-plan.ts';
import type { Comparable, Entry, EntryInput } from '../../service/contract/index.ts';
import type { ListedEntry } from '../../ledger/blacklist-store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ExclusionsReport, Rename } from '../../proof/report/order-report.ts';
import type { Column, Row } from '../../base/spreadsheet/table.ts';
import type { ExclusionEntries } from './exclude-rows.ts';
import { assertNotEmptied, findBlacklist, findRename, stageExisting } from './exclusion-blacklist.ts';
import { findExistingBlacklist, toExistingReport } from './existing-blacklist.ts';
import type { ActivityContext } from '../sources/company-source.ts';
import { type ExclusionDependencies, findShrunkSources } from './scan-plan.ts';
import { applySafetyLimit, readRemovals } from './removal-set.ts';
import { scanSources, type ScanResult } from './scan-sources.ts';

/** `added` and `removed`: the changes of a sync. `blacklistId`: null if a sync would create the blacklist. */
export interface ExclusionPreview extends Omit<ExclusionsReport, 'blacklistId'> {
  readonly blacklistId: string | null;
  readonly present: number;
  readonly files: ScanResult['files'];
  /** Present: the blacklist of the last sync was deleted in the service, and a sync would create another one. */
  readonly deletedId?: string;
  /** Present: a sync would rename the blacklist. */
  readonly rename?: Rename;
  /** Whether a sync has already proposed the waiting set: only a proposed set can be approved. */
  readonly isProposed: boolean;
}

interface PreviewWithDifferences {
  readonly preview: ExclusionPreview;
  /** The entries that a sync would add. */
  readonly additions: () => AsyncGenerator<EntryInput[]>;
  /** Rows of `differenceColumns`: every entry that a sync would add or remove. */
  readonly differences: () => AsyncGenerator<Row[]>;
  /** The entries of the blacklist after the sync. */
  readonly entries: () => ExclusionEntries['entries'];
}

const additionsAtOnce = 1_000;

export async function previewExclusion(
  dependencies: ExclusionDependencies,
  exclusion: ExclusionPlan,
  context: ActivityContext,
): Promise<PreviewWithDifferences> {
  if (exclusion.existing !== undefined) return previewExisting(dependencies, exclusion, context);
  const { ledger, now } = dependencies;
  const { name } = exclusion;
  const syncId = `preview/${name}`;
  // Before the sources, which take long to read: it throws if no sync may change the blacklist.
  const blacklist = await findBlacklist(dependencies, exclusion, context.signal);
  const { scan, ...figures } = await scanSources(dependencies, { syncId, exclusion, since: null }, context);
  const blacklistId = blacklist?.id ?? null;
  const existing =
    blacklistId === null ? 0 : await stageExisting(dependencies, { syncId, blacklistId, kind: 'full' }, context);
  assertNotEmptied(exclusion, { wanted: figures.wanted, existing });
  const proposals = await ledger.exclusionRemovals.listPending();
  const shrunkSources = Object.keys(findShrunkSources(exclusion, await ledger.exclusionScans.get(name), scan));
  const removals = { syncId, blacklistId: blacklistId ?? '', exclusion, before: existing, shrunkSources };
  const { pending } = await applySafetyLimit(ledger, removals, now());
  const known = blacklist === null ? await ledger.blacklists.get(exclusion.blacklist) : undefined;
  const rename = blacklist === null ? null : findRename(exclusion.blacklist, blacklist);
  const preview: ExclusionPreview = {
    name,
    ...(known && { deletedId: known.blacklistId }),
    ...(rename && { rename }),
    blacklistId,
    scan: 'full',
    present: existing,
    added: await ledger.exclusions.countAdditions(syncId),
    removed: await countRemovals(ledger, syncId, pending !== null),
    pending,
    isProposed: proposals.some(({ digest }) => digest === pending?.digest),
    ...figures,
  };
  return {
    preview,
    additions: () => readAdditions(ledger, syncId),
    differences: () => readDifferences(dependencies, { syncId, preview }, context.signal),
    entries: () => readEntriesAfter(dependencies, { syncId, preview }, context.signal),
  };
}

/** Previews an existing blacklist, which is attached unchanged. */
async function previewExisting(
  dependencies: ExclusionDependencies,
  exclusion: ExclusionPlan,
  { signal }: ActivityContext,
): Promise<PreviewWithDifferences> {
  const blacklist = await findExistingBlacklist(dependencies, exclusion, signal);
  const preview = {
    ...toExistingReport(exclusion, blacklist),
    present: blacklist.entry_count,
    files: [],
    isProposed: false,
  };
  const entries = () => dependencies.prospecting.blacklists.entries(blacklist.id, { signal });
  return { preview, additions: async function* () {}, differences: async function* () {}, entries };
}

async function countRemovals(ledger: Ledger, syncId: string, releasedWait: boolean): Promise<number> {
  let count = 0;
  for await (const { rows, released } of readRemovals(ledger, syncId)) {
    count += rows.length - (releasedWait ? released.length : 0);
  }
  return count;
}

async function* readDifferences(
  { ledger, prospecting }: ExclusionDependencies,
  { syncId, preview: { name, blacklistId, pending } }: { syncId: string; preview: ExclusionPreview },
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  for await (const entries of readAdditions(ledger, syncId)) {
    yield entries.map((entry) => toDifferenceRow(name, 'add', entry));
  }
  if (blacklistId === null) return;
  const changes = await readRemovalChanges(ledger, syncId, pending !== null);
  if (changes.size === 0) return;
  // The ledger holds only the hashes of existing entries: their texts are read again.
  for await (const entries of prospecting.blacklists.entries(blacklistId, { signal })) {
    const rows = entries.flatMap((entry) => {
      const change = changes.get(entry.id);
      return change === undefined ? [] : [toDifferenceRow(name, change, entry)];
    });
    if (rows.length > 0) yield rows;
  }
}

/** What is there and would not be removed, and what would be added. */
async function* readEntriesAfter(
  { ledger, prospecting }: ExclusionDependencies,
  { syncId, preview: { blacklistId, pending } }: { syncId: string; preview: ExclusionPreview },
  signal: AbortSignal,
): AsyncGenerator<(Comparable & Pick<ListedEntry, 'id' | 'reason'>)[]> {
  let added = 0;
  for await (const entries of readAdditions(ledger, syncId))
    yield entries.map((entry) => ({ ...entry, reason: entry.reason ?? null, id: `added ${syncId} ${(added += 1)}` }));
  if (blacklistId === null) return;
  const changes = await readRemovalChanges(ledger, syncId, pending !== null);
  for await (const entries of prospecting.blacklists.entries(blacklistId, { signal }))
    yield entries.filter(({ id }) => [undefined, waits].includes(changes.get(id)));
}

const waits = 'remove, waits for approval';

async function* readAdditions({ exclusions }: Ledger, syncId: string): AsyncGenerator<EntryInput[]> {
  let after = '';
  for (;;) {
    const rows = await exclusions.listAdditions(syncId, { limit: additionsAtOnce, after });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ entry }) => entry);
    after = last.hash;
  }
}

/** The change to each superfluous entry, by entry id. */
async function readRemovalChanges(ledger: Ledger, syncId: string, releasedWait: boolean): Promise<Map<string, string>> {
  const changes = new Map<string, string>();
  for await (const { rows, released } of readRemovals(ledger, syncId)) {
    for (const { entryId } of rows) changes.set(entryId, 'remove, stays excluded by another entry');
    for (const { entryId } of released) changes.set(entryId, releasedWait ? waits : 'remove');
  }
  return changes;
}

function toDifferenceRow(exclusion: string, change: string, entry: EntryInput | Entry): Row {
  const { company_name, website_url, city, country, external_id, reason } = entry;
  const id = 'id' in entry ? entry.id : null;
  return { exclusion, change, id, company_name, website_url, city, country, external_id, reason };
}

export const differenceColumns: readonly Column[] = [
  { key: 'exclusion', header: 'exclusion', kind: 'text' },
  { key: 'change', header: 'change', kind: 'text' },
  { key: 'id', header: 'entry_id', kind: 'text' },
  { key: 'company_name', header: 'company_name', kind: 'text' },
  { key: 'website_url', header: 'website_url', kind: 'text' },
  { key: 'city', header: 'city', kind: 'text' },
  { key: 'country', header: 'country', kind: 'text' },
  { key: 'external_id', header: 'external_id', kind: 'text' },
  { key: 'reason', header: 'reason', kind: 'text' },
];
