/** Erases what repeats the content of slots: the versions that were replaced, and the values that were written to HubSpot. */
import { namesForgotten } from '../redaction/redact-slot.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchRows } from './query-batches.ts';
import { withoutValues } from './written-record-store.ts';

export async function expireWrittenValues({ db, orderIds, preview }: ExpiryContext): Promise<number> {
  let found = 0;
  for (const orderId of orderIds) {
    for (let after = ''; ;) {
      const rows = await db
        .selectFrom('writtenRecords')
        .select(['object', 'recordId', 'valuesJson'])
        .where('orderId', '=', orderId)
        .where('recordId', '>', after)
        .orderBy('recordId')
        .limit(batchRows)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.recordId;
      for (const { object, recordId, valuesJson } of rows) {
        const erased = withoutValues(valuesJson);
        if (erased === valuesJson) continue;
        found += 1;
        if (preview) continue;
        await db
          .updateTable('writtenRecords')
          .set({ valuesJson: erased })
          .where('object', '=', object)
          .where('recordId', '=', recordId)
          .where('valuesJson', '=', valuesJson)
          .execute();
      }
    }
  }
  return found;
}

export async function forgetReplacedSlots({ db, test, preview }: ForgetContext): Promise<number> {
  const rows = await db.selectFrom('replacedSlots').selectAll().execute();
  const found = rows.filter(({ json }) => namesForgotten(JSON.parse(json), test));
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
