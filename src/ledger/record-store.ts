/** The HubSpot records that prospect-sync has written, by its keys. */
import type { Database } from './tables.ts';
import { batchesOf, distinctBy } from './query-batches.ts';

export type RecordObject = 'companies' | 'contacts';

/** HubSpot record ids by prospect-sync key. */
export function createRecords(db: Database) {
  return {
    /** Record ids by key; a key without a known record is absent. */
    async ids(object: RecordObject, keys: readonly string[]): Promise<Map<string, string>> {
      const recordIds = new Map<string, string>();
      for (const chunk of batchesOf(keys)) {
        const rows = await db
          .selectFrom('records')
          .select(['key', 'recordId'])
          .where('object', '=', object)
          .where('key', 'in', chunk)
          .execute();
        for (const { key, recordId } of rows) recordIds.set(key, recordId);
      }
      return recordIds;
    },

    save: (object: RecordObject, rows: readonly { key: string; recordId: string }[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(rows, (row) => row.key))) {
          await transaction
            .insertInto('records')
            .values(chunk.map(({ key, recordId }) => ({ object, key, recordId })))
            .onConflict((conflict) =>
              conflict.columns(['object', 'key']).doUpdateSet((eb) => ({ recordId: eb.ref('excluded.recordId') })),
            )
            .execute();
        }
      }),
  };
}
