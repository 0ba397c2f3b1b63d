/** Erases the rows that users have submitted. */
import { jsonNamesForgotten } from './redaction/redact-slot.ts';
import { cellsNameForgotten } from './redaction/redact-row.ts';
import { toEmptyCells } from './draft-source.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import { findOld } from './retention-marks.ts';

export async function forgetInDrafts({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { draftId } of await db.selectFrom('drafts').select('draftId').execute()) {
    const read = (after: number) =>
      db
        .selectFrom('draftRows')
        .selectAll()
        .where('draftId', '=', draftId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(batchRows)
        .execute();
    for await (const rows of pagesOf(-1, ({ position }) => position, read)) {
      for (const { position, json, ownJson } of rows) {
        const isCompany = jsonNamesForgotten(json, test);
        if (!isCompany && !(ownJson !== null && cellsNameForgotten(ownJson, json, test))) continue;
        found += 1;
        if (preview) continue;
        await db
          .updateTable('draftRows')
          // Other cells of the row may name the person too.
          .set({ json: isCompany ? '{}' : json, ownJson: toEmptyCells(ownJson) })
          .where('draftId', '=', draftId)
          .where('position', '=', position)
          .execute();
      }
    }
  }
  return found;
}

/** Drafts have no time: expires those of expired orders, and those that an earlier retention run saw before the cutoff. */
export async function expireDraftTable(
  context: ExpiryContext,
  table: 'draftRows' | 'excludedRows' | 'rejectedRows',
): Promise<number> {
  const { db, orderIds, preview } = context;
  const placed = await db.selectFrom('orderRequests').select(['runKey', 'orderId']).execute();
  const erased = await db.selectFrom('erasedOrders').select('orderId').where('scope', '<>', 'people').execute();
  const expired = new Set([...orderIds, ...erased.map(({ orderId }) => orderId)]);
  const ofOrders = placed.filter(({ orderId }) => orderId !== null && expired.has(orderId)).map(({ runKey }) => runKey);
  const known = new Set(placed.flatMap(({ runKey, orderId }) => (orderId === null ? [] : [runKey])));
  const drafts = await db.selectFrom('drafts').select('draftId').execute();
  const without = drafts.map(({ draftId }) => draftId).filter((draftId) => !known.has(draftId));
  const old = await findOld(context, 'drafts', without);
  let found = 0;
  for (const draftId of [...ofOrders, ...old]) {
    const rows = db.selectFrom(table).where('draftId', '=', draftId).where('json', '<>', '{}');
    const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    found += count;
    if (preview || count === 0) continue;
    const erased = table === 'draftRows' ? { json: '{}', ownJson: null } : { json: '{}' };
    await db.updateTable(table).set(erased).where('draftId', '=', draftId).execute();
  }
  return found;
}
