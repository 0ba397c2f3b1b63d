/** The records that orders added to HubSpot lists. */
import { batchesOf } from './query-batches.ts';
import type { Database } from './tables.ts';

export interface ListOfOrder {
  readonly listId: string;
  readonly orderId: string;
}

export function createListMembers(db: Database) {
  return {
    /** Selects the records that were never added to the list. */
    async missing(listId: string, recordIds: readonly string[]): Promise<string[]> {
      const added = new Set<string>();
      for (const chunk of batchesOf(recordIds)) {
        const rows = db
          .selectFrom('listMembers')
          .select('recordId')
          .where('listId', '=', listId)
          .where('recordId', 'in', [...chunk]);
        for (const { recordId } of await rows.execute()) added.add(recordId);
      }
      return [...new Set(recordIds)].filter((id) => !added.has(id));
    },

    /** The lists to which the order added records, with their number. */
    ofOrder: (orderId: string): Promise<{ listId: string; added: number }[]> =>
      db
        .selectFrom('listMembers')
        .select(({ fn }) => ['listId', fn.countAll<number>().as('added')])
        .where('orderId', '=', orderId)
        .groupBy('listId')
        .orderBy('listId')
        .execute(),

    /** Number of these records that the order added to the list. */
    async countAdded({ listId, orderId }: ListOfOrder, recordIds: readonly string[]): Promise<number> {
      let added = 0;
      for (const chunk of batchesOf([...new Set(recordIds)])) {
        const { count } = await db
          .selectFrom('listMembers')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('listId', '=', listId)
          .where('orderId', '=', orderId)
          .where('recordId', 'in', [...chunk])
          .executeTakeFirstOrThrow();
        added += count;
      }
      return added;
    },

    /** A record stays assigned to the order that added it first. */
    async save({ listId, orderId }: ListOfOrder, recordIds: readonly string[]): Promise<void> {
      for (const chunk of batchesOf(recordIds.toSorted()))
        await db
          .insertInto('listMembers')
          .values(chunk.map((recordId) => ({ listId, recordId, orderId })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    },
  };
}
