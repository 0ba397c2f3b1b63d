import type { Database } from './tables.ts';

export type StagingTable = 'exclusionsWanted' | 'exclusionsExisting' | 'exclusionsFound';

const clearedAtOnce = 20_000;

const keyColumns = { exclusionsWanted: 'hash', exclusionsExisting: 'entryId', exclusionsFound: 'recordId' } as const;

export async function countStagedRows(db: Database, table: StagingTable, syncId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('syncId', '=', syncId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes in batches: one statement for a million rows would block the process and every other writer for seconds. */
export async function clearTable(db: Database, table: StagingTable, syncId: string): Promise<void> {
  const key = db.dynamic.ref<'syncId'>(keyColumns[table]);
  for (;;) {
    const bound = await db
      .selectFrom(table)
      .select(key)
      .where('syncId', '=', syncId)
      .orderBy(key)
      .offset(clearedAtOnce)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom(table)
      .where('syncId', '=', syncId)
      .$if(bound !== undefined, (query) => query.where(key, '<=', Object.values(bound ?? {})[0] ?? ''))
      .execute();
    if (!bound) return;
  }
}

/** Existing entries go first: without wanted ones, an attempt that is still running would treat all of them as superfluous. */
export async function clearStaging(db: Database, syncId: string): Promise<void> {
  for (const table of ['exclusionsExisting', 'exclusionsWanted', 'exclusionsFound'] as const) {
    await clearTable(db, table, syncId);
  }
}

/**
 * The hashes of the table between those of the first and the last row; `rows` are sorted by hash.
 * Wanted and existing entries are compared range by range and not by a join: without fresh statistics PostgreSQL joins
 * two new tables of a million rows by a nested loop, and SQLite would block the process until the join is done.
 */
export async function hashesBetween(
  db: Database,
  table: 'exclusionsWanted' | 'exclusionsExisting',
  { syncId, rows }: { syncId: string; rows: readonly { hash: string }[] },
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
