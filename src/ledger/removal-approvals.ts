import { chunksOf } from './query-batches.ts';
import type { PresentExclusion } from './exclusion-store.ts';
import type { Database, Tables } from './tables.ts';

export type WaitingRemovals = Pick<
  Tables['exclusionRemovals'],
  'digest' | 'exclusion' | 'blacklistId' | 'entries' | 'foundAt'
>;
export type RemovalsRow = Tables['exclusionRemovals'];

/** Removals that wait until a person approves exactly this set. */
export function createExclusionRemovals(db: Database) {
  return {
    /**
     * Writes down what waits; what waited for the same exclusion before is forgotten. An approval of the same set stays;
     * a set that was removed once and has come back waits anew.
     */
    propose: (waiting: WaitingRemovals): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('exclusionRemovals')
          .where('exclusion', '=', waiting.exclusion)
          .where('digest', '<>', waiting.digest)
          .where('removedAt', 'is', null)
          .execute();
        await transaction
          .insertInto('exclusionRemovals')
          .values({ ...waiting, approvedAt: null, removedAt: null })
          .onConflict((conflict) =>
            conflict
              .column('digest')
              .doUpdateSet({ foundAt: waiting.foundAt, approvedAt: null, removedAt: null })
              .where('exclusionRemovals.removedAt', 'is not', null),
          )
          .execute();
      }),

    get(digest: string): Promise<RemovalsRow | undefined> {
      return db.selectFrom('exclusionRemovals').selectAll().where('digest', '=', digest).executeTakeFirst();
    },

    /** What waits now, the oldest first. */
    waiting(): Promise<RemovalsRow[]> {
      return db
        .selectFrom('exclusionRemovals')
        .selectAll()
        .where('removedAt', 'is', null)
        .orderBy('foundAt')
        .orderBy('digest')
        .execute();
    },

    async approve(digest: string, at: string): Promise<void> {
      await db
        .updateTable('exclusionRemovals')
        .set({ approvedAt: at })
        .where('digest', '=', digest)
        .where('removedAt', 'is', null)
        .execute();
    },

    /**
     * Nothing of this exclusion waits any more. `removed`: the approved set that is gone now, null when none is. What
     * else waited is wanted again: it is forgotten together with its approval, which was not about another time.
     */
    settle: (exclusion: string, removed: string | null, at: string): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        if (removed !== null) {
          await transaction
            .updateTable('exclusionRemovals')
            .set({ removedAt: at })
            .where('digest', '=', removed)
            .where('removedAt', 'is', null)
            .execute();
        }
        await transaction
          .deleteFrom('exclusionRemovals')
          .where('exclusion', '=', exclusion)
          .where('removedAt', 'is', null)
          .execute();
      }),
  };
}

/** Of superfluous entries those whose company is not wanted under any entry: to remove them lets it through. */
export async function findReleased(
  db: Database,
  syncId: string,
  rows: readonly PresentExclusion[],
): Promise<PresentExclusion[]> {
  const released: PresentExclusion[] = [];
  for (const chunk of chunksOf(rows)) {
    const whos = await valuesAmong(db, 'who', syncId, [...new Set(chunk.map(({ who }) => who))]);
    const ids = chunk.map(({ externalId }) => externalId).filter((id) => id !== '');
    const externalIds = await valuesAmong(db, 'externalId', syncId, [...new Set(ids)]);
    released.push(...chunk.filter(({ who, externalId }) => !whos.has(who) && !externalIds.has(externalId)));
  }
  return released;
}

async function valuesAmong(
  db: Database,
  column: 'who' | 'externalId',
  syncId: string,
  values: readonly string[],
): Promise<Set<string>> {
  if (values.length === 0) return new Set();
  const rows = await db
    .selectFrom('exclusionsWanted')
    .select(`${column} as value`)
    .distinct()
    .where('syncId', '=', syncId)
    .where(column, 'in', values)
    .execute();
  return new Set(rows.map(({ value }) => value));
}
