import { clearTable, countStagedRows, hashesBetween } from './exclusion-staging.ts';
import type { Database } from './tables.ts';
import { batchesOf, distinctBy, pagesOf } from './query-batches.ts';

/**
 * An entry of the blacklist. `matchKey`: equal for all entries of one company. `externalId`: '' if there is none. `strength`: a larger
 * number for an entry that excludes its company more surely.
 */
export type ExistingEntry = { entryId: string; hash: string; matchKey: string; externalId: string; strength: number };

export type RemovalsPage = { limit: number; after?: Pick<ExistingEntry, 'hash' | 'entryId'> };

const rowsAtOnce = 5_000;
const existingColumns = ['entryId', 'hash', 'matchKey', 'externalId', 'strength'] as const;

/** Staging of one blacklist: the entries that exist in the service, and which of them are superfluous. */
export function createExistingExclusions(db: Database) {
  return {
    addExisting: (syncId: string, entries: readonly ExistingEntry[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(entries, ({ entryId }) => entryId))) {
          await transaction
            .insertInto('exclusionsExisting')
            .values(chunk.map((entry) => ({ syncId, ...entry })))
            .onConflict((conflict) =>
              conflict.columns(['syncId', 'entryId']).doUpdateSet((eb) => ({
                hash: eb.ref('excluded.hash'),
                matchKey: eb.ref('excluded.matchKey'),
                externalId: eb.ref('excluded.externalId'),
                strength: eb.ref('excluded.strength'),
              })),
            )
            .execute();
        }
      }),

    /** All existing entries, by entry id, 5,000 at a time. */
    existingEntries(syncId: string): AsyncGenerator<readonly ExistingEntry[]> {
      const read = (after: string) =>
        db
          .selectFrom('exclusionsExisting')
          .select(existingColumns)
          .where('syncId', '=', syncId)
          .where('entryId', '>', after)
          .orderBy('entryId')
          .limit(rowsAtOnce)
          .execute();
      return pagesOf('', ({ entryId }) => entryId, read);
    },

    countExisting: (syncId: string): Promise<number> => countStagedRows(db, 'exclusionsExisting', syncId),

    clearExisting: (syncId: string): Promise<void> => clearTable(db, 'exclusionsExisting', syncId),

    /** Records that the service has removed these entries. */
    markRemoved: (syncId: string, entryIds: readonly string[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(entryIds, String))) {
          await transaction
            .deleteFrom('exclusionsExisting')
            .where('syncId', '=', syncId)
            .where('entryId', 'in', chunk)
            .execute();
        }
      }),

    /**
     * Superfluous entries: entries that are not wanted, and redundant copies (all but the smallest id of a hash).
     * Sorted by hash and id. `after`: the last row of the previous page.
     */
    async listRemovals(syncId: string, { limit, after }: RemovalsPage): Promise<ExistingEntry[]> {
      const removals: ExistingEntry[] = [];
      let previous: Pick<ExistingEntry, 'hash' | 'entryId'> = after ?? { hash: '', entryId: '' };
      while (removals.length < limit) {
        const existing = await readExisting(db, syncId, previous);
        const wanted = await hashesBetween(db, 'exclusionsWanted', { syncId, rows: existing });
        for (const row of existing) {
          // The previous row of the same hash is the copy to keep, or also not wanted.
          if (row.hash === previous.hash || !wanted.has(row.hash)) removals.push(row);
          previous = row;
        }
        if (existing.length === 0) break;
      }
      return removals.slice(0, limit);
    },

    /** Redundant copies: entries with the same hash except the one with the smallest id, up to 5,000 at a time. The caller may remove them. */
    async *copies(syncId: string): AsyncGenerator<ExistingEntry[]> {
      let previous: Pick<ExistingEntry, 'hash' | 'entryId'> = { hash: '', entryId: '' };
      for (;;) {
        const copies: ExistingEntry[] = [];
        const existing = await readExisting(db, syncId, previous);
        for (const row of existing) {
          if (row.hash === previous.hash) copies.push(row);
          previous = row;
        }
        if (existing.length === 0) return;
        if (copies.length > 0) yield copies;
      }
    },

    /** Selects removals whose company has no wanted entry of the same strength: it would no longer be excluded, or less surely. */
    async selectReleased(syncId: string, removals: readonly ExistingEntry[]): Promise<ExistingEntry[]> {
      const released: ExistingEntry[] = [];
      for (const chunk of batchesOf(removals)) {
        const byMatchKey = await readWantedStrengths(db, syncId, {
          column: 'matchKey',
          values: chunk.map(({ matchKey }) => matchKey),
        });
        const ids = chunk.map(({ externalId }) => externalId).filter((id) => id !== '');
        const byId = await readWantedStrengths(db, syncId, { column: 'externalId', values: ids });
        released.push(
          ...chunk.filter(({ matchKey, externalId, strength }) => {
            const wanted = Math.max(byMatchKey.get(matchKey) ?? -1, byId.get(externalId) ?? -1);
            return wanted < strength;
          }),
        );
      }
      return released;
    },
  };
}

function readExisting(
  db: Database,
  syncId: string,
  after: Pick<ExistingEntry, 'hash' | 'entryId'>,
): Promise<ExistingEntry[]> {
  return db
    .selectFrom('exclusionsExisting')
    .select(existingColumns)
    .where('syncId', '=', syncId)
    .where((eb) => eb(eb.refTuple('hash', 'entryId'), '>', eb.tuple(after.hash, after.entryId)))
    .orderBy('hash')
    .orderBy('entryId')
    .limit(rowsAtOnce)
    .execute();
}

/** The largest strength of the wanted entries that have these values in the column, by value. */
async function readWantedStrengths(
  db: Database,
  syncId: string,
  { column, values }: { column: 'matchKey' | 'externalId'; values: readonly string[] },
): Promise<Map<string, number>> {
  if (values.length === 0) return new Map();
  const rows = await db
    .selectFrom('exclusionsWanted')
    .select((eb) => [`${column} as value`, eb.fn.max('strength').as('strength')])
    .where('syncId', '=', syncId)
    .where(column, 'in', [...new Set(values)])
    .groupBy(column)
    .execute();
  return new Map(rows.map(({ value, strength }) => [value, strength]));
}
