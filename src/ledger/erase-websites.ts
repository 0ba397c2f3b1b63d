/** Erases the texts of websites. */
import { hasErasure } from '../base/json/erased-mark.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { markErased } from './erased-orders.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import { namesForgotten } from './redaction/redact-slot.ts';
import type { Database, Tables } from './tables.ts';

type Row = Pick<Tables['websites'], 'orderId' | 'position' | 'markdown'> & { slotJson: string | null };

/** Selects texts of forgotten companies, of companies with forgotten people, and texts that contain their addresses. */
export async function forgetWebsites({ db, test, preview, at, learn }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { orderId } of await db.selectFrom('websites').select('orderId').distinct().execute())
    for await (const rows of readTexts(db, orderId)) {
      const forgotten = rows.filter(({ markdown, slotJson }) => {
        const slot = slotJson === null ? null : (parseJsonWithinLimits(slotJson) ?? slotJson);
        return namesForgotten(slot, test) || hasErasure(slot) || namesForgotten(markdown, test);
      });
      found += forgotten.length;
      if (forgotten.length > 0) learn(orderId, []);
      if (preview || forgotten.length === 0) continue;
      // Before the text, because the order's spreadsheets may contain it although its slot names no forgotten person.
      await markErased(db, orderId, 'people', at);
      await eraseTexts(db, forgotten, at);
    }
  return found;
}

export async function expireWebsites({ db, orderIds, preview, at }: ExpiryContext): Promise<number> {
  let found = 0;
  for (const orderId of orderIds)
    for await (const rows of readTexts(db, orderId)) {
      found += rows.length;
      if (!preview) await eraseTexts(db, rows, at);
    }
  return found;
}

function readTexts(db: Database, orderId: string): AsyncGenerator<readonly Row[]> {
  const read = (after: number) =>
    db
      .selectFrom('websites')
      .leftJoin('slots', (join) =>
        join.onRef('slots.orderId', '=', 'websites.orderId').onRef('slots.position', '=', 'websites.position'),
      )
      .select(['websites.orderId', 'websites.position', 'websites.markdown', 'slots.json as slotJson'])
      .where('websites.orderId', '=', orderId)
      .where('websites.position', '>', after)
      .where('websites.markdown', 'is not', null)
      .orderBy('websites.position')
      .limit(batchRows)
      .execute();
  return pagesOf(-1, ({ position }) => position, read);
}

async function eraseTexts(db: Database, rows: readonly Row[], at: string): Promise<void> {
  for (const { orderId, position } of rows)
    await db
      .updateTable('websites')
      .set({ markdown: null, markdownSha256: null, urlsJson: '[]', fingerprint: null, erasedAt: at })
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .execute();
}
