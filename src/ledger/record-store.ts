/** The HubSpot records that prospect-sync has written, by its keys. */
import { sql } from 'kysely';
import type { Keyring } from './keyring.ts';
import type { Database, DatabaseKind } from './tables.ts';
import { batchesOf, distinctBy } from './query-batches.ts';

export type RecordObject = 'companies' | 'contacts';

/** Prefix of the id under which values are stored until HubSpot has assigned a record id. */
export const keyPrefix = 'key ';

/** HubSpot record ids by prospect-sync key. Keys of contacts are stored under the secret of the ledger. */
export function createRecords(db: Database, kind: DatabaseKind, keyring: Keyring) {
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

    /** All or nothing. Moves the written values of a record from its key to its id. */
    save: (object: RecordObject, rows: readonly { key: string; recordId: string }[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await lockRecordKeys(transaction, kind);
        const stored = rows.map(({ key, recordId }) => ({ object, key: toStored(object, key), recordId }));
        for (const chunk of batchesOf(distinctBy(stored, (row) => row.key))) {
          await transaction
            .insertInto('records')
            .values([...chunk])
            .onConflict((conflict) =>
              conflict.columns(['object', 'key']).doUpdateSet((eb) => ({ recordId: eb.ref('excluded.recordId') })),
            )
            .execute();
          await moveWrittenValues(transaction, object, chunk);
        }
      }),
  };
}

/** Moves values that an attempt stored before it knew the record id. Values of an attempt that knew the id stay. */
async function moveWrittenValues(
  db: Database,
  object: RecordObject,
  records: readonly { key: string; recordId: string }[],
): Promise<void> {
  const underKeys = await db
    .selectFrom('writtenRecords')
    .selectAll()
    .where('object', '=', object)
    .where(
      'recordId',
      'in',
      records.map(({ key }) => `${keyPrefix}${key}`),
    )
    .execute();
  const recordIds = new Map(records.map(({ key, recordId }) => [`${keyPrefix}${key}`, recordId]));
  for (const row of underKeys) {
    await db
      .insertInto('writtenRecords')
      .values({ ...row, recordId: recordIds.get(row.recordId) ?? row.recordId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db.deleteFrom('writtenRecords').where('object', '=', object).where('recordId', '=', row.recordId).execute();
  }
}

/** In PostgreSQL, of two transactions that begin before the other ends, each misses the row of the other. SQLite has one writer. */
export async function lockRecordKeys(transaction: Database, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtext('prospect_sync.records'))`.execute(transaction);
}
