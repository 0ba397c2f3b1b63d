/** The suppressions that people read. */
import type { Database, Tables } from './tables.ts';

export type SuppressionRow = Tables['suppressions'];

export function createSuppressionLists(db: Database) {
  return {
    /** Suppressions by time. `value` is null for forgotten people. */
    list: ({ withRemoved }: { readonly withRemoved: boolean }): Promise<SuppressionRow[]> =>
      db
        .selectFrom('suppressions')
        .selectAll()
        .$if(!withRemoved, (query) => query.where('removedAt', 'is', null))
        .orderBy('addedAt')
        .orderBy('key')
        .execute(),

    async count(): Promise<number> {
      const { count } = await db
        .selectFrom('suppressions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('removedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return count;
    },

    newest: (limit: number): Promise<SuppressionRow[]> =>
      db
        .selectFrom('suppressions')
        .selectAll()
        .where('removedAt', 'is', null)
        .orderBy('addedAt', 'desc')
        .orderBy('key')
        .limit(limit)
        .execute(),
  };
}
