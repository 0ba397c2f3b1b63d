/** Erases copies of slots: replaced versions, and the values that were written to HubSpot. */
import { jsonNamesForgotten, namesForgotten } from './redaction/redact-slot.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import { toListingId } from './identity.ts';
import { keyPrefix } from './record-store.ts';
import { findOld } from './retention-marks.ts';
import type { Tables } from './tables.ts';
import { createValueChangeStore, forgetChangedRecords } from './value-change-store.ts';
import { sealOf, withoutValues } from './written-record-store.ts';

type WrittenRecordKey = Pick<Tables['writtenRecords'], 'recordId' | 'object'>;

/**
 * Erases the values of a legacy listing, which has no slots, and those of a projection that was in progress while the slots were erased, with
 * the keys of their records.
 */
export async function forgetWrittenValues({ db, test, preview, noteRecord }: ForgetContext): Promise<number> {
  let found = 0;
  for (const object of ['companies', 'contacts'] as const) {
    const read = (after: string) =>
      db
        .selectFrom('writtenRecords')
        .select(['recordId', 'valuesJson'])
        .where('object', '=', object)
        .where('recordId', '>', after)
        .orderBy('recordId')
        .limit(batchRows)
        .execute();
    for await (const rows of pagesOf('', ({ recordId }) => recordId, read)) {
      const forgotten = rows.filter(({ valuesJson }) => jsonNamesForgotten(valuesJson, test));
      found += forgotten.length;
      const ids = forgotten.map(({ recordId }) => recordId);
      if (preview) for (const id of ids) if (!id.startsWith(keyPrefix)) noteRecord({ object, id });
      if (preview || forgotten.length === 0) continue;
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('records').where('object', '=', object).where('recordId', 'in', ids).execute();
        await transaction
          .updateTable('outcomes')
          .set({ matchKey: null })
          .where('recordId', 'in', ids)
          .where('item', object === 'companies' ? '=' : '<>', 'company')
          .execute();
        await forgetChangedRecords(transaction, object, ids);
        // Last, because an interrupted erasure finds the keys by the values.
        await transaction
          .deleteFrom('writtenRecords')
          .where('object', '=', object)
          .where('recordId', 'in', ids)
          .execute();
      });
    }
  }
  return found;
}

export async function expireWrittenValues(context: ExpiryContext): Promise<number> {
  const { db, orderIds, preview } = context;
  let found = 0;
  const listings = await expiredListings(context);
  if (!preview && listings.length > 0)
    await db
      .updateTable('outcomes')
      .set({ matchKey: null })
      .where('orderId', 'in', listings)
      .where('item', '=', 'company')
      .execute();
  for (const orderId of [...orderIds, ...listings]) {
    const read = (after: WrittenRecordKey) =>
      db
        .selectFrom('writtenRecords')
        .select(['object', 'recordId', 'valuesJson'])
        .where('orderId', '=', orderId)
        // A company and a contact may have the same id.
        .where((eb) =>
          eb.or([
            eb('recordId', '>', after.recordId),
            eb.and([eb('recordId', '=', after.recordId), eb('object', '>', after.object)]),
          ]),
        )
        .orderBy('recordId')
        .orderBy('object')
        .limit(batchRows)
        .execute();
    const first: WrittenRecordKey = { recordId: '', object: '' };
    for await (const rows of pagesOf(first, ({ recordId, object }) => ({ recordId, object }), read)) {
      for (const { object, recordId, valuesJson } of rows) {
        const erased = withoutValues(valuesJson);
        if (erased === valuesJson) continue;
        found += 1;
        if (preview) continue;
        await db
          .updateTable('writtenRecords')
          .set({ valuesJson: erased, seal: sealOf(erased) })
          .where('object', '=', object)
          .where('recordId', '=', recordId)
          .where('valuesJson', '=', valuesJson)
          .execute();
      }
    }
  }
  return found;
}

/** The value before a change may name a person who is in no slot and in no written value. */
export async function forgetValueChanges({ db, test, preview, noteRecord }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { orderId } of await db.selectFrom('valueChanges').select('orderId').distinct().execute()) {
    for await (const page of createValueChangeStore(db).list(orderId)) {
      for (const { object, recordId, changes } of page) {
        if (!namesForgotten(Object.values(changes), test)) continue;
        found += 1;
        if (preview) noteRecord({ object, id: recordId });
        else await forgetChangedRecords(db, object, [recordId]);
      }
    }
  }
  return found;
}

export async function expireValueChanges({ db, orderIds, preview }: ExpiryContext): Promise<number> {
  let found = 0;
  for (const orderId of orderIds) {
    const ofOrder = db.selectFrom('valueChanges').where('orderId', '=', orderId);
    const { count } = await ofOrder.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    found += count;
    if (!preview) await db.deleteFrom('valueChanges').where('orderId', '=', orderId).execute();
  }
  return found;
}

/** Legacy listings have no row in `orders`: their time counts from the first run of retention that sees them. */
async function expiredListings(context: ExpiryContext): Promise<string[]> {
  const written = await context.db
    .selectFrom('writtenRecords')
    .select('orderId')
    .distinct()
    .where('orderId', 'like', toListingId('%'))
    .orderBy('orderId')
    .execute();
  return findOld(
    context,
    'legacy listings',
    written.map(({ orderId }) => orderId),
  );
}

export async function forgetReplacedSlots({ db, test, preview }: ForgetContext): Promise<number> {
  const rows = await db.selectFrom('replacedSlots').selectAll().execute();
  const found = rows.filter(({ json }) => jsonNamesForgotten(json, test));
  if (preview) return found.length;
  for (const { orderId, position, hash } of found) {
    await db
      .updateTable('replacedSlots')
      .set({ json: '{}' })
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .where('hash', '=', hash)
      .execute();
  }
  return found.length;
}

export async function expireReplacedSlots({ db, orderIds, preview }: ExpiryContext): Promise<number> {
  let found = 0;
  for (const orderId of orderIds) {
    const { count } = await db
      .selectFrom('replacedSlots')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('orderId', '=', orderId)
      .where('json', '<>', '{}')
      .executeTakeFirstOrThrow();
    found += count;
    if (!preview && count > 0)
      await db.updateTable('replacedSlots').set({ json: '{}' }).where('orderId', '=', orderId).execute();
  }
  return found;
}
