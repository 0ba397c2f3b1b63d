/** Existing blacklists that runs attach, and the assignments of runs to prospect searches. */
import type { Database, Tables } from './tables.ts';

/** Ids of existing blacklists, by exclusion. */
export function createAttachedBlacklists(db: Database) {
  return {
    get(exclusion: string): Promise<Tables['attachedBlacklists'] | undefined> {
      return db.selectFrom('attachedBlacklists').selectAll().where('exclusion', '=', exclusion).executeTakeFirst();
    },

    async isKnown(blacklistId: string): Promise<boolean> {
      const found = await db
        .selectFrom('attachedBlacklists')
        .select('exclusion')
        .where('blacklistId', '=', blacklistId)
        .executeTakeFirst();
      return found !== undefined;
    },

    async save({ exclusion, ...blacklist }: Tables['attachedBlacklists']): Promise<void> {
      await db
        .insertInto('attachedBlacklists')
        .values({ exclusion, ...blacklist })
        .onConflict((conflict) => conflict.column('exclusion').doUpdateSet(blacklist))
        .execute();
    },
  };
}

/** Only these assignments are ever removed: those of other clients stay. */
export function createSearchAssignments(db: Database) {
  return {
    /** Ids of the blacklists that prospect-sync has assigned to a prospect search. */
    async list(prospectSearchId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('searchAssignments')
        .select('blacklistId')
        .where('prospectSearchId', '=', prospectSearchId)
        .orderBy('blacklistId')
        .execute();
      return rows.map(({ blacklistId }) => blacklistId);
    },

    async add(prospectSearchId: string, blacklistIds: readonly string[]): Promise<void> {
      if (blacklistIds.length === 0) return;
      await db
        .insertInto('searchAssignments')
        .values(blacklistIds.map((blacklistId) => ({ prospectSearchId, blacklistId })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async remove(prospectSearchId: string, blacklistIds: readonly string[]): Promise<void> {
      if (blacklistIds.length === 0) return;
      await db
        .deleteFrom('searchAssignments')
        .where('prospectSearchId', '=', prospectSearchId)
        .where('blacklistId', 'in', [...blacklistIds])
        .execute();
    },

    /** Deletes the assignments of a deleted blacklist. */
    async forget(blacklistId: string): Promise<void> {
      await db.deleteFrom('searchAssignments').where('blacklistId', '=', blacklistId).execute();
    },
  };
}
