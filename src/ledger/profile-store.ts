import type { Database, Tables } from './tables.ts';

export type ProfileRow = Tables['profiles'];

/** Which profile was created from which content, so that the same content is not created twice. */
export function createProfileStore(db: Database) {
  return {
    get(contentHash: string): Promise<ProfileRow | undefined> {
      return db.selectFrom('profiles').selectAll().where('contentHash', '=', contentHash).executeTakeFirst();
    },

    async save({ contentHash, generation, creationId, profileId, status }: ProfileRow): Promise<void> {
      const facts = { generation, creationId, profileId, status };
      await db
        .insertInto('profiles')
        .values({ contentHash, ...facts })
        .onConflict((conflict) => conflict.column('contentHash').doUpdateSet(facts))
        .execute();
    },
  };
}
