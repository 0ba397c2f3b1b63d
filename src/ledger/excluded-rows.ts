/** Rows of an enrichment's source that match an exclusion and were not submitted. */
import { z } from 'zod';
import { jsonNamesForgotten, namesForgotten } from './redaction/redact-slot.ts';
import { draftOfOrder } from './draft-of-order.ts';
import { eraseInDraft } from './erase-drafts.ts';
import type { ForgetContext } from './erasure-context.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import type { Database, Tables } from './tables.ts';

/** A row that was left out of an order, and the blacklist entry that it matches. Texts are null if unknown, or if the row was erased. */
export interface ExcludedRowOutcome {
  readonly orderId: string;
  readonly runName: string | null;
  readonly sourceRow: number | null;
  readonly companyName: string | null;
  readonly city: string | null;
  readonly externalId: string | null;
  readonly exclusion: string;
  readonly tier: string;
  readonly entryId: string;
  /** Of the entry, when the row was compared with it. */
  readonly reason: string | null;
}

/** Stand for the name of an exclusion: companies that opted out, and those that `forget` has erased. */
export const exclusionsOfEveryRun = ['suppressions', 'forgotten'] as const;

const fieldSchema = z.string().nullable().catch(null);
const fieldsSchema = z.object({ company_name: fieldSchema, city: fieldSchema, external_id: fieldSchema });

type StoredExcludedRow = Omit<Tables['excludedRows'], 'draftId' | 'number'>;

export function toExcludedRowOutcome(
  { sourceRow, exclusion, tier, entryId, reason, json }: StoredExcludedRow,
  order: Pick<ExcludedRowOutcome, 'orderId' | 'runName'>,
): ExcludedRowOutcome {
  const { company_name: companyName, city, external_id: externalId } = fieldsSchema.parse(JSON.parse(json));
  return { ...order, sourceRow, companyName, city, externalId, exclusion, tier, entryId, reason };
}

export function createExcludedRows(db: Database) {
  return {
    /** Rows in the order of the source, 500 at a time. */
    async *list(orderId: string): AsyncGenerator<ExcludedRowOutcome[]> {
      const read = (after: number) =>
        ofOrder(db, orderId)
          .leftJoin('orders', 'orders.orderId', 'placed.orderId')
          .selectAll('excludedRows')
          .select('orders.runName')
          .where('excludedRows.number', '>', after)
          .orderBy('excludedRows.number')
          .limit(batchRows)
          .execute();
      for await (const rows of pagesOf(-1, ({ number }) => number, read))
        yield rows.map(({ runName, ...row }) => toExcludedRowOutcome(row, { orderId, runName }));
    },

    /** Names of the exclusions that rows of the order match, sorted. */
    async exclusions(orderId: string): Promise<string[]> {
      const rows = await ofOrder(db, orderId).select('exclusion').distinct().orderBy('exclusion').execute();
      return rows.map(({ exclusion }) => exclusion);
    },

    async count(orderId: string): Promise<number> {
      const { count } = await ofOrder(db, orderId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

function ofOrder(db: Database, orderId: string) {
  return db
    .selectFrom(draftOfOrder(db).as('placed'))
    .innerJoin('excludedRows', 'excludedRows.draftId', 'placed.draftId')
    .where('placed.orderId', '=', orderId);
}

export async function forgetExcludedRows({ db, test, preview, at, learn }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { draftId } of await db.selectFrom('excludedRows').select('draftId').distinct().execute()) {
    const read = (after: number) =>
      db
        .selectFrom('excludedRows')
        .select(['number', 'json', 'reason'])
        .where('draftId', '=', draftId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(batchRows)
        .execute();
    for await (const rows of pagesOf(-1, ({ number }) => number, read)) {
      const forgotten = rows
        .filter(({ json, reason }) => jsonNamesForgotten(json, test) || namesForgotten(reason, test))
        .map(({ number }) => number);
      found += forgotten.length;
      if (forgotten.length === 0) continue;
      await eraseInDraft({ db, preview, at, learn }, draftId, (transaction) =>
        transaction
          .updateTable('excludedRows')
          .set({ json: '{}', reason: null })
          .where('draftId', '=', draftId)
          .where('number', 'in', forgotten)
          .execute(),
      );
    }
  }
  return found;
}
