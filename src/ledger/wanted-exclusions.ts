// The difference is taken here, range by range, and not by a join: without fresh statistics PostgreSQL joins two new
// tables of a million rows by comparing each with each, and SQLite would stop the process until it is done.
import { chunksOf } from './query-batches.ts';
import type { PresentExclusion, WantedExclusion } from './exclusion-store.ts';
import type { Database } from './tables.ts';

export type AdditionsPage = { limit: number; after?: string };
export type RemovalsPage = { limit: number; after?: Pick<PresentExclusion, 'hash' | 'entryId'> };

const scanRows = 5_000;

export async function listAdditions(
  db: Database,
  syncId: string,
  { limit, after = '' }: AdditionsPage,
): Promise<WantedExclusion[]> {
  const missing: string[] = [];
  for await (const hashes of missingHashes(db, syncId, after)) {
    missing.push(...hashes);
    if (missing.length >= limit) break;
  }
  return readWanted(db, syncId, missing.slice(0, limit));
}

export async function countAdditions(db: Database, syncId: string): Promise<number> {
  let count = 0;
  for await (const hashes of missingHashes(db, syncId, '')) count += hashes.length;
  return count;
}

/** Hashes after this one that are wanted and not present, in their order. */
async function* missingHashes(db: Database, syncId: string, after: string): AsyncGenerator<string[]> {
  for (let cursor = after; ;) {
    const wanted = await db
      .selectFrom('exclusionsWanted')
      .select('hash')
      .where('syncId', '=', syncId)
      .where('hash', '>', cursor)
      .orderBy('hash')
      .limit(scanRows)
      .execute();
    const last = wanted.at(-1);
    if (!last) return;
    const present = await hashesBetween(db, 'exclusionsPresent', { syncId, rows: wanted });
    yield wanted.map(({ hash }) => hash).filter((hash) => !present.has(hash));
    cursor = last.hash;
  }
}

export async function listRemovals(
  db: Database,
  syncId: string,
  { limit, after }: RemovalsPage,
): Promise<PresentExclusion[]> {
  const removals: PresentExclusion[] = [];
  let previous: Pick<PresentExclusion, 'hash' | 'entryId'> = after ?? { hash: '', entryId: '' };
  while (removals.length < limit) {
    const present = await readPresent(db, syncId, previous);
    const wanted = await hashesBetween(db, 'exclusionsWanted', { syncId, rows: present });
    for (const row of present) {
      // A row before it of the same hash was kept, or went for a reason that holds for this one too.
      if (row.hash === previous.hash || !wanted.has(row.hash)) removals.push(row);
      previous = row;
    }
    if (present.length === 0) break;
  }
  return removals.slice(0, limit);
}

function readPresent(
  db: Database,
  syncId: string,
  after: Required<RemovalsPage>['after'],
): Promise<PresentExclusion[]> {
  return db
    .selectFrom('exclusionsPresent')
    .select(['entryId', 'hash', 'who', 'externalId'])
    .where('syncId', '=', syncId)
    .where((eb) => eb(eb.refTuple('hash', 'entryId'), '>', eb.tuple(after.hash, after.entryId)))
    .orderBy('hash')
    .orderBy('entryId')
    .limit(scanRows)
    .execute();
}

type HashRange = { syncId: string; rows: readonly { hash: string }[] };

/** Hashes of the table from that of the first row to that of the last. */
async function hashesBetween(
  db: Database,
  table: 'exclusionsWanted' | 'exclusionsPresent',
  { syncId, rows }: HashRange,
): Promise<Set<string>> {
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return new Set();
  const found = await db
    .selectFrom(table)
    .select('hash')
    .distinct()
    .where('syncId', '=', syncId)
    .where('hash', '>=', first.hash)
    .where('hash', '<=', last.hash)
    .execute();
  return new Set(found.map(({ hash }) => hash));
}

async function readWanted(db: Database, syncId: string, hashes: readonly string[]): Promise<WantedExclusion[]> {
  const wanted: WantedExclusion[] = [];
  for (const chunk of chunksOf(hashes)) {
    const rows = await db
      .selectFrom('exclusionsWanted')
      .select(['hash', 'json', 'who', 'externalId'])
      .where('syncId', '=', syncId)
      .where('hash', 'in', chunk)
      .orderBy('hash')
      .execute();
    wanted.push(...rows);
  }
  return wanted;
}
