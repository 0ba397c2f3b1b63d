import type { Database, Tables } from './tables.ts';

export type BlacklistRow = Tables['blacklists'];

/** Which blacklist of the service belongs to which configured name. */
export function createBlacklistStore(db: Database) {
  return {
    get(name: string): Promise<BlacklistRow | undefined> {
      return db.selectFrom('blacklists').selectAll().where('name', '=', name).executeTakeFirst();
    },

    async isKnown(blacklistId: string): Promise<boolean> {
      const found = await db
        .selectFrom('blacklists')
        .select('name')
        .where('blacklistId', '=', blacklistId)
        .executeTakeFirst();
      return found !== undefined;
    },

    async save({ name, blacklistId }: BlacklistRow): Promise<void> {
      await db
        .insertInto('blacklists')
        .values({ name, blacklistId })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ blacklistId }))
        .execute();
    },

    async forget(name: string): Promise<void> {
      await db.deleteFrom('blacklists').where('name', '=', name).execute();
    },
  };
}
