import { batchesOf, distinctBy } from './query-batches.ts';
import type { RecordObject } from './records.ts';
import type { Database } from './tables.ts';

/** A value that we are about to write; only its digest is kept. */
export interface WrittenValue {
  readonly recordId: string;
  readonly property: string;
  readonly digest: string;
  /** Of the value that stands there and is ours too; null where none does. */
  readonly previous: string | null;
}

/** Which values of the CRM are ours: for properties that are written only while nobody else has written them since. */
export function createWrittenValues(db: Database) {
  return {
    /**
     * Digests that we may have written, by `<record id> <property>`: the last one, and what stood there before it, since
     * a note is taken before the write and the write may not arrive.
     */
    async read(object: RecordObject, recordIds: readonly string[]): Promise<Map<string, readonly string[]>> {
      const found = new Map<string, readonly string[]>();
      for (const chunk of batchesOf([...new Set(recordIds)])) {
        const rows = await db
          .selectFrom('writtenValues')
          .select(['recordId', 'property', 'digest', 'previous'])
          .where('object', '=', object)
          .where('recordId', 'in', chunk)
          .execute();
        for (const { recordId, property, digest, previous } of rows) {
          found.set(toPlace({ recordId, property }), previous === null ? [digest] : [digest, previous]);
        }
      }
      return found;
    },

    /** Before the write is sent; noting the same again changes nothing. */
    note: (object: RecordObject, values: readonly WrittenValue[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(values, toPlace))) {
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

export function toPlace({ recordId, property }: Pick<WrittenValue, 'recordId' | 'property'>): string {
  return `${recordId} ${property}`;
}
