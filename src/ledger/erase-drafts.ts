/** Erases the rows that users have submitted. */
import { jsonNamesForgotten } from './redaction/redact-slot.ts';
import { cellsNameForgotten } from './redaction/redact-row.ts';
import { toEmptyCells } from './draft-source.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import { markErased } from './erased-orders.ts';
import { findOld } from './retention-marks.ts';
import type { Database } from './tables.ts';

/** Marks the orders of the draft in the same transaction, so that their files are written again. A preview only names the orders. */
export async function eraseInDraft(
  { db, preview, at, learn }: Pick<ForgetContext, 'db' | 'preview' | 'at' | 'learn'>,
  draftId: string,
  erase: (transaction: Database) => Promise<unknown>,
): Promise<void> {
  const placed = await db
    .selectFrom('orderRequests')
    .select('orderId')
    .distinct()
    .where('runKey', '=', draftId)
    .where('orderId', 'is not', null)
    .execute();
  const orderIds = placed.flatMap(({ orderId }) => orderId ?? []);
  for (const orderId of orderIds) learn(orderId, []);
  if (preview) return;
  await db.transaction().execute(async (transaction) => {
    await erase(transaction);
    for (const orderId of orderIds) await markErased(transaction, orderId, 'people', at);
  });
}

export async function forgetInDrafts({ db, test, preview, at, learn }: ForgetContext): Promise<number> {
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
      const erased = rows.flatMap(({ position, json, ownJson }) => {
        const isCompany = jsonNamesForgotten(json, test);
        if (!isCompany && !(ownJson !== null && cellsNameForgotten(ownJson, json, test))) return [];
        // Other cells of the row may name the person too.
        return [{ position, json: isCompany ? '{}' : json, ownJson: toEmptyCells(ownJson) }];
      });
      found += erased.length;
      if (erased.length === 0) continue;
      await eraseInDraft({ db, preview, at, learn }, draftId, async (transaction) => {
        for (const { position, ...kept } of erased)
          await transaction
            .updateTable('draftRows')
            .set(kept)
            .where('draftId', '=', draftId)
            .where('position', '=', position)
            .execute();
      });
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
    const further = { draftRows: { ownJson: null }, excludedRows: { reason: null }, rejectedRows: {} };
    const erased = { json: '{}', ...further[table] };
    await db.updateTable(table).set(erased).where('draftId', '=', draftId).execute();
  }
  return found;
}
