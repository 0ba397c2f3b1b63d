/** Erases the domains that are keys of companies in HubSpot. Retention keeps them when it removes the slots. */
import { namesForgotten } from './redaction/redact-slot.ts';
import type { ForgetContext } from './erasure-context.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import { keyPrefix } from './record-store.ts';

export async function forgetCompanyKeys({ db, test, preview, noteRecord }: ForgetContext): Promise<number> {
  let found = 0;
  const read = (after: string) =>
    db
      .selectFrom('records')
      .select(['key', 'recordId'])
      .where('object', '=', 'companies')
      .where('key', '>', after)
      .orderBy('key')
      .limit(batchRows)
      .execute();
  for await (const rows of pagesOf('', ({ key }) => key, read)) {
    const forgotten = rows.filter(({ key }) => namesForgotten(key, test));
    found += forgotten.length;
    if (preview) for (const { recordId } of forgotten) noteRecord({ object: 'companies', id: recordId });
    if (preview || forgotten.length === 0) continue;
    await db.transaction().execute(async (transaction) => {
      for (const keys of batchesOf(forgotten.map(({ key }) => key))) {
        const written = keys.map((key) => `${keyPrefix}${key}`);
        await transaction.updateTable('outcomes').set({ matchKey: null }).where('matchKey', 'in', keys).execute();
        await transaction
          .deleteFrom('writtenRecords')
          .where('object', '=', 'companies')
          .where('recordId', 'in', written)
          .execute();
        await transaction.deleteFrom('records').where('object', '=', 'companies').where('key', 'in', keys).execute();
      }
    });
  }
  return found;
}
