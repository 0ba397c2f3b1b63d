/** Which records were added to which list of HubSpot. */
import { batchesOf } from './query-batches.ts';
import type { Database } from './tables.ts';

export function createListMembers(db: Database) {
  return {
    /** Those of the records that were never added to the list. */
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

    async save(listId: string, recordIds: readonly string[]): Promise<void> {
      for (const chunk of batchesOf(recordIds.toSorted()))
        await db
          .insertInto('listMembers')
          .values(chunk.map((recordId) => ({ listId, recordId })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    },
  };
}
