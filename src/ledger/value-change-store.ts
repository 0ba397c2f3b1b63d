/** What orders changed in records that HubSpot had already: each property with its value before, and the one that was written. */
import { z } from 'zod';
import { batchesOf, batchRows, distinctBy, pagesOf } from './query-batches.ts';
import type { RecordObject } from './record-store.ts';
import { toStorableText } from '../base/text/storable.ts';
import type { Database } from './tables.ts';

/** Values by property. `before`: empty if the record had none. */
export type ValueChanges = Readonly<Record<string, { readonly before: string; readonly after: string }>>;

export interface ChangedRecord {
  readonly object: RecordObject;
  readonly recordId: string;
  /** When it was written last, ISO 8601. */
  readonly at: string;
  readonly changes: ValueChanges;
}

const changesSchema = z.record(z.string(), z.object({ before: z.string(), after: z.string() }));

/**
 * Call before the values are sent. A property that the order has changed before keeps its first value: a request whose answer was
 * lost is sent again.
 */
export async function saveValueChanges(
  transaction: Database,
  orderId: string,
  records: readonly ChangedRecord[],
): Promise<void> {
  for (const { object, recordId, at, changes } of distinctBy(records, toKey)) {
    const row = await changesOf(transaction, orderId, object, recordId).select('changesJson').executeTakeFirst();
    const earlier = row === undefined ? {} : parseChanges(row.changesJson);
    const merged = Object.entries(changes).map(([property, { before, after }]) => {
      const first = Object.hasOwn(earlier, property) ? (earlier[property]?.before ?? before) : before;
      return [property, { before: toStorableText(first), after: toStorableText(after) }] as const;
    });
    const changesJson = JSON.stringify({ ...earlier, ...Object.fromEntries(merged) });
    await transaction
      .insertInto('valueChanges')
      .values({ orderId, object, recordId, at, changesJson })
      .onConflict((conflict) => conflict.columns(['orderId', 'object', 'recordId']).doUpdateSet({ at, changesJson }))
      .execute();
  }
}

/** Call when HubSpot has refused the values. */
export async function removeValueChanges(
  transaction: Database,
  orderId: string,
  records: readonly ChangedRecord[],
): Promise<void> {
  for (const { object, recordId, changes } of records) {
    const row = await changesOf(transaction, orderId, object, recordId).select('changesJson').executeTakeFirst();
    if (row === undefined) continue;
    const kept = Object.entries(parseChanges(row.changesJson)).filter(
      ([property]) => !Object.hasOwn(changes, property),
    );
    if (kept.length === 0) await forgetChangedRecords(transaction, object, [recordId], orderId);
    else
      await transaction
        .updateTable('valueChanges')
        .set({ changesJson: JSON.stringify(Object.fromEntries(kept)) })
        .where((eb) => eb.and({ orderId, object, recordId }))
        .execute();
  }
}

/** @param orderId absent: of all orders */
export async function forgetChangedRecords(
  db: Database,
  object: RecordObject,
  recordIds: readonly string[],
  orderId?: string,
): Promise<void> {
  for (const chunk of batchesOf(recordIds))
    await db
      .deleteFrom('valueChanges')
      .where('object', '=', object)
      .where('recordId', 'in', chunk)
      .$if(orderId !== undefined, (query) => query.where('orderId', '=', orderId ?? ''))
      .execute();
}

export interface ChangesPage {
  readonly object: RecordObject;
  readonly after: string;
  readonly limit: number;
}

export function createValueChangeStore(db: Database) {
  const store = {
    /** Records after this id, by id. */
    async page(orderId: string, { object, after, limit }: ChangesPage): Promise<ChangedRecord[]> {
      const rows = await db
        .selectFrom('valueChanges')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('object', '=', object)
        .where('recordId', '>', after)
        .orderBy('recordId')
        .limit(limit)
        .execute();
      return rows.map(({ recordId, at, changesJson }) => ({
        object,
        recordId,
        at,
        changes: parseChanges(changesJson),
      }));
    },

    /** What the order changed in one record, by property. */
    async ofRecord(orderId: string, object: RecordObject, recordId: string) {
      const row = await db
        .selectFrom('valueChanges')
        .select('changesJson')
        .where('orderId', '=', orderId)
        .where('object', '=', object)
        .where('recordId', '=', recordId)
        .executeTakeFirst();
      return Object.entries(parseChanges(row?.changesJson ?? '{}')).map(([property, values]) => ({
        property,
        ...values,
      }));
    },

    /** By object and record id, 500 at a time. */
    async *list(orderId: string): AsyncGenerator<readonly ChangedRecord[]> {
      for (const object of ['companies', 'contacts'] as const) {
        const read = (after: string) => store.page(orderId, { object, after, limit: batchRows });
        yield* pagesOf('', ({ recordId }) => recordId, read);
      }
    },
  };
  return store;
}

function changesOf(db: Database, orderId: string, object: RecordObject, recordId: string) {
  return db
    .selectFrom('valueChanges')
    .where('orderId', '=', orderId)
    .where('object', '=', object)
    .where('recordId', '=', recordId);
}

function parseChanges(json: string): ValueChanges {
  return changesSchema.parse(JSON.parse(json));
}

function toKey({ object, recordId }: ChangedRecord): string {
  return `${object} ${recordId}`;
}
