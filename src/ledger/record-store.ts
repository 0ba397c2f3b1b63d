/** HubSpot records that prospect-sync has written: their ids, and digests of the values. */
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

/** A property value that prospect-sync is about to write. Only digests are stored. */
export interface WrittenValue {
  readonly recordId: string;
  readonly property: string;
  readonly digest: string;
  /** Digest of the value that the record has before the write; null when it is empty. */
  readonly previous: string | null;
}

/** The property values that prospect-sync wrote last, for the field policy `only-if-ours`. */
export function createWrittenValues(db: Database) {
  return {
    /**
     * Digests of the values that prospect-sync may have written last, by `<record id> <property>`. Values are stored before they
     * are sent and the request may fail, so the value before it counts as well.
     */
    async read(object: RecordObject, recordIds: readonly string[]): Promise<Map<string, readonly string[]>> {
      const digests = new Map<string, readonly string[]>();
      for (const chunk of batchesOf([...new Set(recordIds)])) {
        const rows = await db
          .selectFrom('writtenValues')
          .select(['recordId', 'property', 'digest', 'previous'])
          .where('object', '=', object)
          .where('recordId', 'in', chunk)
          .execute();
        for (const { recordId, property, digest, previous } of rows) {
          digests.set(toValueKey({ recordId, property }), previous === null ? [digest] : [digest, previous]);
        }
      }
      return digests;
    },

    /** Call before the write is sent. */
    save: (object: RecordObject, values: readonly WrittenValue[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(values, toValueKey))) {
          await transaction
            .insertInto('writtenValues')
            .values(chunk.map((value) => ({ object, ...value })))
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

export function toValueKey({ recordId, property }: Pick<WrittenValue, 'recordId' | 'property'>): string {
  return `${recordId} ${property}`;
}
