/** Removes the texts of replies, and the addresses and names of suppressed people and companies that were forgotten. */
import { namesForgotten } from './redaction/redact-slot.ts';
import { passes } from './redaction/identifiers.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import { forgottenReply, replyNamesForgotten } from './forgotten-reply.ts';
import { isForgottenName } from './suppressed-names.ts';
import { forgottenText } from './suppression-store.ts';

/** A body has up to a megabyte. */
const repliesAtOnce = 50;

/** A person who opted out in an unprocessed reply is suppressed in the same transaction. */
export async function forgetReplies({
  db,
  test,
  preview,
  at,
  noteRecord,
  refusedBy,
  suppressions,
}: ForgetContext): Promise<number> {
  let found = 0;
  const read = (after: string) =>
    db
      .selectFrom('replies')
      .select([
        'webhookId',
        'state',
        'reason',
        'classification',
        'campaignId',
        'body',
        'contactId',
        'noteId',
        'taskId',
        'suppressedAt',
      ])
      .where('webhookId', '>', after)
      .orderBy('webhookId')
      .limit(repliesAtOnce)
      .execute();
  for await (const rows of pagesOf('', ({ webhookId }) => webhookId, read)) {
    const forgotten = rows.filter((reply) => replyNamesForgotten(reply, test));
    found += forgotten.length;
    if (preview)
      for (const { contactId, noteId, taskId } of forgotten) {
        if (contactId !== null) noteRecord({ object: 'contacts', id: contactId });
        if (noteId !== null) noteRecord({ object: 'notes', id: noteId });
        if (taskId !== null) noteRecord({ object: 'tasks', id: taskId });
      }
    if (preview || forgotten.length === 0) continue;
    await db.transaction().execute(async (transaction) => {
      for (const reply of forgotten) {
        const { webhookId } = reply;
        const refusing = reply.state === 'received' ? refusedBy(reply.body) : [];
        const by = `reply ${webhookId}`;
        const suppression = { at, by, reason: 'do_not_contact', repliedBefore: reply.suppressedAt };
        for (const identifier of refusing) await suppressions.addIn(transaction, { identifier, ...suppression });
        const isOpen = reply.state === 'received';
        const columns = forgottenReply(reply, test);
        await transaction
          .updateTable('replies')
          // The effects of a processed reply stay recorded.
          .set({ ...columns, reason: isOpen ? columns.reason : reply.reason, ...(isOpen ? { finishedAt: at } : {}) })
          .$if(refusing.length > 0, (query) => query.set({ suppressedAt: at }))
          .where('webhookId', '=', webhookId)
          .execute();
      }
    });
  }
  return found;
}

/** Keeps unprocessed replies. */
export async function expireReplies({ db, cutoff, preview }: ExpiryContext): Promise<number> {
  const expired = await db
    .selectFrom('replies')
    .select('webhookId')
    .where('body', 'is not', null)
    .where('state', '<>', 'received')
    .where('receivedAt', '<', cutoff)
    .execute();
  if (!preview)
    for (const chunk of batchesOf(expired.map(({ webhookId }) => webhookId)))
      await db.updateTable('replies').set({ body: null }).where('webhookId', 'in', chunk).execute();
  return expired.length;
}

/** The person stays suppressed by the digest of the address. A company keeps its domain, which exclusions need. */
export async function forgetSuppressions({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  for (const kind of ['person', 'company'] as const) {
    const read = (after: string) =>
      db
        .selectFrom('suppressions')
        .selectAll()
        .where('kind', '=', kind)
        .where('key', '>', after)
        .orderBy('key')
        .limit(batchRows)
        .execute();
    for await (const rows of pagesOf('', ({ key }) => key, read))
      for (const { key, value, addedBy, reason, removedBy, removedReason } of rows) {
        const isForgotten = kind === 'person' && value !== null && passes({ kind: 'email', value }, test);
        const texts = { addedBy, reason, removedBy, removedReason };
        const named = Object.entries(texts).filter(([, text]) => namesForgotten(text, test));
        if (!isForgotten && named.length === 0) continue;
        found += 1;
        if (preview) continue;
        await db
          .updateTable('suppressions')
          .set({
            ...(isForgotten ? { value: null } : {}),
            ...Object.fromEntries(named.map(([name]) => [name, forgottenText])),
          })
          .where('kind', '=', kind)
          .where('key', '=', key)
          .execute();
      }
  }
  return found;
}

export async function forgetSuppressedNames({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  const read = (after: string) =>
    db.selectFrom('suppressedNames').selectAll().where('hash', '>', after).orderBy('hash').limit(batchRows).execute();
  for await (const rows of pagesOf('', ({ hash }) => hash, read)) {
    const hashes = rows.filter((row) => isForgottenName(row, test)).map(({ hash }) => hash);
    found += hashes.length;
    if (!preview && hashes.length > 0) await db.deleteFrom('suppressedNames').where('hash', 'in', hashes).execute();
  }
  return found;
}
