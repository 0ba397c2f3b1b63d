/** Exclusion data that outlives a sync: the last scan of each exclusion, and sets of removals that await approval. */
import type { Database, Tables } from './tables.ts';

export type LastScan = Tables['exclusionScans'];

export type ProposedRemovals = Pick<
  Tables['exclusionRemovals'],
  'digest' | 'exclusion' | 'blacklistId' | 'entries' | 'foundAt'
>;
export type PendingRemovalsRow = Tables['exclusionRemovals'];

/** Sets of removals that await `exclusions approve`, by the digest of their entries. */
export function createRemovalApprovals(db: Database) {
  return {
    /**
     * Proposes a set for approval, instead of any other set of the exclusion. A set that is proposed again keeps its
     * approval; a set that was removed once and exists again needs a new approval.
     */
    propose: (proposed: ProposedRemovals): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('exclusionRemovals')
          .where('exclusion', '=', proposed.exclusion)
          .where('digest', '<>', proposed.digest)
          .where('removedAt', 'is', null)
          .execute();
        await transaction
          .insertInto('exclusionRemovals')
          .values({ ...proposed, approvedAt: null, removedAt: null })
          .onConflict((conflict) =>
            conflict
              .column('digest')
              .doUpdateSet({ foundAt: proposed.foundAt, approvedAt: null, removedAt: null })
              .where('exclusionRemovals.removedAt', 'is not', null),
          )
          .execute();
      }),

    get(digest: string): Promise<PendingRemovalsRow | undefined> {
      return db.selectFrom('exclusionRemovals').selectAll().where('digest', '=', digest).executeTakeFirst();
    },

    /** Sets that have not been removed, the oldest first. */
    listPending(): Promise<PendingRemovalsRow[]> {
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
     * Closes all pending sets of the exclusion. `removed`: digest of the approved set that was removed, or null. The entries of other
     * pending sets are wanted again: these sets are deleted with their approvals, which are valid for one removal.
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

/** The last scan of each exclusion, with the number of companies of each source in the last full scan. */
export function createExclusionScanStore(db: Database) {
  return {
    get(name: string): Promise<LastScan | undefined> {
      return db.selectFrom('exclusionScans').selectAll().where('name', '=', name).executeTakeFirst();
    },

    list(): Promise<LastScan[]> {
      return db.selectFrom('exclusionScans').selectAll().orderBy('name').execute();
    },

    /** Names of the exclusions whose last scan used the blacklist. */
    async usersOf(blacklistId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('exclusionScans')
        .select('name')
        .where('blacklistId', '=', blacklistId)
        .orderBy('name')
        .execute();
      return rows.map(({ name }) => name);
    },

    /** Deletes the scans of a deleted blacklist. */
    async forget(blacklistId: string): Promise<void> {
      await db.deleteFrom('exclusionScans').where('blacklistId', '=', blacklistId).execute();
      await db
        .deleteFrom('exclusionRemovals')
        .where('blacklistId', '=', blacklistId)
        .where('removedAt', 'is', null)
        .execute();
    },

    async save({ name, ...scan }: LastScan): Promise<void> {
      await db
        .insertInto('exclusionScans')
        .values({ name, ...scan })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(scan))
        .execute();
    },
  };
}
