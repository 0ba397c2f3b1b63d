/** Removes the texts of replies, and the addresses of suppressed people who were forgotten. */
import { jsonNamesForgotten } from '../redaction/redact-slot.ts';
import { passes } from '../redaction/identifiers.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';

export async function forgetReplies({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  const read = (after: string) =>
    db
      .selectFrom('replies')
      .select(['webhookId', 'body'])
      .where('body', 'is not', null)
      .where('webhookId', '>', after)
      .orderBy('webhookId')
      .limit(batchRows)
      .execute();
  for await (const rows of pagesOf('', ({ webhookId }) => webhookId, read)) {
    const forgotten = rows.filter(({ body }) => body !== null && jsonNamesForgotten(body, test));
    found += forgotten.length;
    if (!preview && forgotten.length > 0)
      await db
        .updateTable('replies')
        .set({ body: null })
        .where(
          'webhookId',
          'in',
          forgotten.map(({ webhookId }) => webhookId),
        )
        .execute();
  }
  return found;
}

/** Replies that are not processed yet are kept. */
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

/** The person stays suppressed by the digest of the address. */
export async function forgetSuppressions({ db, test, preview }: ForgetContext): Promise<number> {
  const rows = await db
    .selectFrom('suppressions')
    .select(['key', 'value'])
    .where('kind', '=', 'person')
    .where('value', 'is not', null)
    .execute();
  const forgotten = rows.filter(({ value }) => value !== null && passes({ kind: 'email', value }, test));
  if (!preview)
    for (const chunk of batchesOf(forgotten.map(({ key }) => key)))
      await db
        .updateTable('suppressions')
        .set({ value: null })
        .where('kind', '=', 'person')
        .where('key', 'in', chunk)
        .execute();
  return forgotten.length;
}
