import type { ExpiryContext } from './erasure-context.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import type { Database } from './tables.ts';

/**
 * Deletes snapshots of blacklists that no remaining order needs, and the entries that no remaining snapshot lists. The digests of the
 * snapshots stay with their orders.
 * @returns the number of entries
 */
export async function expireFrozenEntries({ db, cutoff, orderIds, preview }: ExpiryContext): Promise<number> {
  const expired = new Set(orderIds);
  for (const { orderId } of await db
    .selectFrom('erasedOrders')
    .select('orderId')
    .where('scope', '<>', 'people')
    .execute())
    expired.add(orderId);
  const needed = await db.selectFrom('orderBlacklists').select(['orderId', 'digest', 'matchedDigest']).execute();
  const digests = new Set(
    needed
      .filter(({ orderId }) => !expired.has(orderId))
      .flatMap(({ digest, matchedDigest }) => [digest, matchedDigest ?? digest]),
  );
  const snapshots = await db.selectFrom('frozenBlacklists').select(['digest', 'frozenAt']).execute();
  const old = snapshots.filter(({ digest, frozenAt }) => frozenAt < cutoff && !digests.has(digest));
  if (!preview) {
    for (const { digest } of old) {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('frozenBlacklists').where('digest', '=', digest).execute();
        await transaction.deleteFrom('frozenMembers').where('digest', '=', digest).execute();
      });
    }
  }
  const kept = await readMembers(db, new Set(old.map(({ digest }) => digest)));
  return deleteOthers(db, kept, preview);
}

/** Ids of the entries of all other snapshots, and of snapshots in progress. */
async function readMembers(db: Database, except: ReadonlySet<string>): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { digest } of await db.selectFrom('frozenMembers').select('digest').distinct().execute()) {
    if (except.has(digest)) continue;
    const parts = await db.selectFrom('frozenMembers').select('entryIds').where('digest', '=', digest).execute();
    for (const { entryIds } of parts) for (const id of entryIds.split(' ')) ids.add(id);
  }
  for (const { entryId } of await db.selectFrom('exclusionsExisting').select('entryId').execute()) ids.add(entryId);
  return ids;
}

async function deleteOthers(db: Database, kept: ReadonlySet<string>, preview: boolean): Promise<number> {
  let deleted = 0;
  const read = (after: string) =>
    db
      .selectFrom('frozenEntries')
      .select('entryId')
      .where('entryId', '>', after)
      .orderBy('entryId')
      .limit(batchRows)
      .execute();
  for await (const rows of pagesOf('', ({ entryId }) => entryId, read)) {
    const others = rows.map(({ entryId }) => entryId).filter((id) => !kept.has(id));
    deleted += others.length;
    if (!preview)
      for (const chunk of batchesOf(others))
        await db.deleteFrom('frozenEntries').where('entryId', 'in', chunk).execute();
  }
  return deleted;
}
