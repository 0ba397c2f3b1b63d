import { chunksOf, distinctBy } from './chunks.ts';
import { type AdditionsPage, type RemovalsPage, listAdditions, listRemovals } from './exclusion-difference.ts';
import type { Database } from './tables.ts';

export type WantedExclusion = { hash: string; json: string };
export type PresentExclusion = { entryId: string; hash: string };

const clearRows = 20_000;

/** Staging of one exclusion sync: what a blacklist should hold, what it holds, and the difference. */
export function createExclusions(db: Database) {
  return {
    /** Rows of the same hash are one. */
    want: (syncId: string, rows: readonly WantedExclusion[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of chunksOf(distinctBy(rows, (row) => row.hash))) {
          await transaction
            .insertInto('exclusionsWanted')
            .values(chunk.map(({ hash, json }) => ({ syncId, hash, json })))
            .onConflict((conflict) =>
              conflict.columns(['syncId', 'hash']).doUpdateSet((eb) => ({ json: eb.ref('excluded.json') })),
            )
            .execute();
        }
      }),

    wantedCount: (syncId: string): Promise<number> => countRows(db, 'exclusionsWanted', syncId),

    async isAnyWanted(syncId: string): Promise<boolean> {
      const row = await db
        .selectFrom('exclusionsWanted')
        .select('hash')
        .where('syncId', '=', syncId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    present: (syncId: string, rows: readonly PresentExclusion[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of chunksOf(distinctBy(rows, (row) => row.entryId))) {
          await transaction
            .insertInto('exclusionsPresent')
            .values(chunk.map(({ entryId, hash }) => ({ syncId, entryId, hash })))
            .onConflict((conflict) =>
              conflict.columns(['syncId', 'entryId']).doUpdateSet((eb) => ({ hash: eb.ref('excluded.hash') })),
            )
            .execute();
        }
      }),

    presentCount: (syncId: string): Promise<number> => countRows(db, 'exclusionsPresent', syncId),

    /** Before the blacklist is read again. */
    clearPresent: (syncId: string): Promise<void> => clearTable(db, 'exclusionsPresent', syncId),

    /** Wanted and not present, by hash. `after`: the last hash of the page before, so that it is not looked for again. */
    additions: (syncId: string, page: AdditionsPage): Promise<WantedExclusion[]> => listAdditions(db, syncId, page),

    /**
     * Present and not wanted, and of entries with the same hash all but the smallest entry id; by hash.
     * `after`: the last row of the page before.
     */
    removals: (syncId: string, page: RemovalsPage): Promise<PresentExclusion[]> => listRemovals(db, syncId, page),

    /** Entries that were removed from the blacklist. */
    gone: (syncId: string, entryIds: readonly string[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of chunksOf(distinctBy(entryIds, String))) {
          await transaction
            .deleteFrom('exclusionsPresent')
            .where('syncId', '=', syncId)
            .where('entryId', 'in', chunk)
            .execute();
        }
      }),

    /** At the end of the sync. */
    async clear(syncId: string): Promise<void> {
      await clearTable(db, 'exclusionsWanted', syncId);
      await clearTable(db, 'exclusionsPresent', syncId);
    },
  };
}

type Staging = 'exclusionsWanted' | 'exclusionsPresent';

async function countRows(db: Database, table: Staging, syncId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('syncId', '=', syncId)
    .executeTakeFirstOrThrow();
  return count;
}

/** In pieces: one statement for a million rows would stop the process, and every other writer, for seconds. */
async function clearTable(db: Database, table: Staging, syncId: string): Promise<void> {
  for (;;) {
    const bound = await db
      .selectFrom(table)
      .select('hash')
      .where('syncId', '=', syncId)
      .orderBy('hash')
      .offset(clearRows)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom(table)
      .where('syncId', '=', syncId)
      .$if(bound !== undefined, (query) => query.where('hash', '<=', bound?.hash ?? ''))
      .execute();
    if (!bound) return;
  }
}
