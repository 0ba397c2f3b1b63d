import { createExistingExclusions } from './existing-exclusions.ts';
import { clearTable } from './exclusion-staging.ts';
import type { Database, Tables } from './tables.ts';
import { createWantedExclusions } from './wanted-exclusions.ts';

export type LastScan = Tables['exclusionScans'];

/** Staging of one sync, named by `syncId`: what a blacklist should hold, what it holds, and the difference. */
export function createExclusionStore(db: Database) {
  return {
    ...createWantedExclusions(db),
    ...createExistingExclusions(db),

    /** Existing entries go first: without wanted ones, an attempt that is still running would take all of them for superfluous. */
    async clear(syncId: string): Promise<void> {
      await clearTable(db, 'exclusionsPresent', syncId);
      await clearTable(db, 'exclusionsWanted', syncId);
      await clearTable(db, 'exclusionsFound', syncId);
    },
  };
}

/** The last scan of each exclusion, and how many companies each source had in the last full scan. */
export function createExclusionScanStore(db: Database) {
  return {
    get(name: string): Promise<LastScan | undefined> {
      return db.selectFrom('exclusionScans').selectAll().where('name', '=', name).executeTakeFirst();
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
