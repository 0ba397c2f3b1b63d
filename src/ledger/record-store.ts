/** The HubSpot records that prospect-sync has written, by its keys. */
import type { Keyring } from './keyring.ts';
import type { Database } from './tables.ts';
import { batchesOf, distinctBy } from './query-batches.ts';

export type RecordObject = 'companies' | 'contacts';

/** HubSpot record ids by prospect-sync key. Keys of contacts are stored under the secret of the ledger. */
export function createRecords(db: Database, keyring: Keyring) {
  const toStored = (object: RecordObject, key: string) => (object === 'contacts' ? keyring.contactKey(key) : key);
  return {
    /** Record ids by key; a key without a known record is absent. */
    async ids(object: RecordObject, keys: readonly string[]): Promise<Map<string, string>> {
      const recordIds = new Map<string, string>();
      for (const chunk of batchesOf(keys)) {
        const plainKeys = new Map(chunk.map((key) => [toStored(object, key), key]));
        const rows = await db
          .selectFrom('records')
          .select(['key', 'recordId'])
          .where('object', '=', object)
          .where('key', 'in', [...plainKeys.keys()])
          .execute();
        for (const { key, recordId } of rows) recordIds.set(plainKeys.get(key) ?? key, recordId);
      }
      return recordIds;
    },

    save: (object: RecordObject, rows: readonly { key: string; recordId: string }[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const stored = rows.map(({ key, recordId }) => ({ object, key: toStored(object, key), recordId }));
        for (const chunk of batchesOf(distinctBy(stored, (row) => row.key))) {
          await transaction
            .insertInto('records')
            .values([...chunk])
            .onConflict((conflict) =>
              conflict.columns(['object', 'key']).doUpdateSet((eb) => ({ recordId: eb.ref('excluded.recordId') })),
            )
            .execute();
        }
      }),
  };
}
