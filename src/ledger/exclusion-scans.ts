import type { Database, Tables } from './tables.ts';

export type ScanRow = Tables['exclusionScans'];

/** When the sources of each exclusion were read last, and how much each of them held at the last full scan. */
export function createExclusionScans(db: Database) {
  return {
    get(name: string): Promise<ScanRow | undefined> {
      return db.selectFrom('exclusionScans').selectAll().where('name', '=', name).executeTakeFirst();
    },

    async save({ name, ...facts }: ScanRow): Promise<void> {
      await db
        .insertInto('exclusionScans')
        .values({ name, ...facts })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(facts))
        .execute();
    },
  };
}
