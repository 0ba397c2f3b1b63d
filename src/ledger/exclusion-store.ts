import { chunksOf, distinctBy } from './query-batches.ts';
import {
  type AdditionsPage,
  type RemovalsPage,
  countAdditions,
  listAdditions,
  listRemovals,
} from './wanted-exclusions.ts';
import { createExclusionsFound } from './exclusion-found.ts';
import { findReleased } from './removal-approvals.ts';
import { clearTable, countRows } from './exclusion-staging.ts';
import type { Database, Tables } from './tables.ts';

/** `who`: the same for all entries of one company; `externalId`: '' where there is none. */
export type WantedExclusion = Omit<Tables['exclusionsWanted'], 'syncId'>;
export type PresentExclusion = Omit<Tables['exclusionsPresent'], 'syncId'>;

const presentRows = 5_000;

/** Staging of one exclusion sync: what a blacklist should hold, what it holds, and the difference. */
export function createExclusions(db: Database) {
  return {
    /** Rows of the same hash are one. */
    want: (syncId: string, rows: readonly WantedExclusion[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of chunksOf(distinctBy(rows, (row) => row.hash))) {
          await transaction
            .insertInto('exclusionsWanted')
            .values(chunk.map(({ hash, json, who, externalId }) => ({ syncId, hash, json, who, externalId })))
            .onConflict((conflict) =>
              conflict.columns(['syncId', 'hash']).doUpdateSet((eb) => ({
                json: eb.ref('excluded.json'),
                who: eb.ref('excluded.who'),
                externalId: eb.ref('excluded.externalId'),
              })),
            )
            .execute();
        }
      }),

    /** What is wanted of these companies so far, by hash. */
    async wantedOf(syncId: string, whos: readonly string[]): Promise<WantedExclusion[]> {
      const rows: WantedExclusion[] = [];
      for (const chunk of chunksOf(distinctBy(whos, String))) {
        rows.push(
          ...(await db
            .selectFrom('exclusionsWanted')
            .select(['hash', 'json', 'who', 'externalId'])
            .where('syncId', '=', syncId)
            .where('who', 'in', chunk)
            .orderBy('hash')
            .execute()),
        );
      }
      return rows;
    },

    /** Takes back what another row replaces. */
    unwant: (syncId: string, hashes: readonly string[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of chunksOf(distinctBy(hashes, String))) {
          await transaction
            .deleteFrom('exclusionsWanted')
            .where('syncId', '=', syncId)
            .where('hash', 'in', chunk)
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
            .values(chunk.map(({ entryId, hash, who, externalId }) => ({ syncId, entryId, hash, who, externalId })))
            .onConflict((conflict) =>
              conflict.columns(['syncId', 'entryId']).doUpdateSet((eb) => ({
                hash: eb.ref('excluded.hash'),
                who: eb.ref('excluded.who'),
                externalId: eb.ref('excluded.externalId'),
              })),
            )
            .execute();
        }
      }),

    presentCount: (syncId: string): Promise<number> => countRows(db, 'exclusionsPresent', syncId),

    /** Before the blacklist is read again. */
    clearPresent: (syncId: string): Promise<void> => clearTable(db, 'exclusionsPresent', syncId),

    /** Wanted and not present, by hash. `after`: the last hash of the page before, so that it is not looked for again. */
    additions: (syncId: string, page: AdditionsPage): Promise<WantedExclusion[]> => listAdditions(db, syncId, page),

    additionsCount: (syncId: string): Promise<number> => countAdditions(db, syncId),

    /**
     * Present and not wanted, and of entries with the same hash all but the smallest entry id; by hash.
     * `after`: the last row of the page before.
     */
    removals: (syncId: string, page: RemovalsPage): Promise<PresentExclusion[]> => listRemovals(db, syncId, page),

    /** Of these removals those whose company no wanted entry names: they would let it through. */
    released: (syncId: string, rows: readonly PresentExclusion[]): Promise<PresentExclusion[]> =>
      findReleased(db, syncId, rows),

    /** What is present, by entry id, 5,000 at a time. */
    async *presentEntries(syncId: string): AsyncGenerator<PresentExclusion[]> {
      for (let after = ''; ;) {
        const rows = await db
          .selectFrom('exclusionsPresent')
          .select(['entryId', 'hash', 'who', 'externalId'])
          .where('syncId', '=', syncId)
          .where('entryId', '>', after)
          .orderBy('entryId')
          .limit(presentRows)
          .execute();
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = last.entryId;
      }
    },

    /** Which CRM companies the sources name. */
    found: createExclusionsFound(db),

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
      await clearTable(db, 'exclusionsFound', syncId);
    },
  };
}
