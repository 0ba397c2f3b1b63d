/** HubSpot records that prospect-sync has written: their ids, and digests of the values. */
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

/** A property value that prospect-sync is about to write. Only digests are stored. */
export interface WrittenValue {
  readonly recordId: string;
  readonly property: string;
  readonly digest: string;
  /** Digest of the value that the record has before the write; null when it is empty. */
  readonly previous: string | null;
}

/** The property values that prospect-sync wrote last, for the field policy `only-if-ours`. */
export function createWrittenValues(db: Database, keyring: Keyring) {
  /** The values of a record to create are stored under its key. */
  const toStoredId = (object: RecordObject, recordId: string) =>
    object === 'contacts' && recordId.startsWith(keyPrefix)
      ? `${keyPrefix}${keyring.contactKey(recordId.slice(keyPrefix.length))}`
      : recordId;
  return {
    /**
     * Digests of the values that prospect-sync may have written last, by `<record id> <property>`. Values are stored before they
     * are sent and the request may fail, so the value before it counts as well.
     */
    async read(object: RecordObject, recordIds: readonly string[]): Promise<Map<string, readonly string[]>> {
      const digests = new Map<string, readonly string[]>();
      for (const chunk of batchesOf([...new Set(recordIds)])) {
        const plainIds = new Map(chunk.map((id) => [toStoredId(object, id), id]));
        const rows = await db
          .selectFrom('writtenValues')
          .select(['recordId', 'property', 'digest', 'previous'])
          .where('object', '=', object)
          .where('recordId', 'in', [...plainIds.keys()])
          .execute();
        for (const { recordId: storedId, property, digest, previous } of rows) {
          const recordId = plainIds.get(storedId) ?? storedId;
          digests.set(toValueKey({ recordId, property }), previous === null ? [digest] : [digest, previous]);
        }
      }
      return digests;
    },

    /** Call before the write is sent. */
    save: (object: RecordObject, values: readonly WrittenValue[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const stored = values.map((value) => ({ ...value, object, recordId: toStoredId(object, value.recordId) }));
        for (const chunk of batchesOf(distinctBy(stored, toValueKey))) {
          await transaction
            .insertInto('writtenValues')
            .values([...chunk])
            .onConflict((conflict) =>
              conflict
                .columns(['object', 'recordId', 'property'])
                .doUpdateSet((eb) => ({ digest: eb.ref('excluded.digest'), previous: eb.ref('excluded.previous') })),
            )
            .execute();
        }
      }),
  };
}

/** Of the id under which the values of a record are stored before HubSpot has given it an id. */
export const keyPrefix = 'key ';

export function toValueKey({ recordId, property }: Pick<WrittenValue, 'recordId' | 'property'>): string {
  return `${recordId} ${property}`;
}
