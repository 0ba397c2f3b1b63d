/** Rows of an enrichment's source that match an exclusion and were not submitted. */
import { z } from 'zod';
import { jsonNamesForgotten } from './redaction/redact-slot.ts';
import { draftOfOrder } from './draft-of-order.ts';
import type { ForgetContext } from './erasure-context.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import type { Database } from './tables.ts';

/** A row that was left out of an order, and the blacklist entry that it matches. */
export interface ExcludedRowOutcome {
  readonly orderId: string;
  readonly runName: string | null;
  readonly sourceRow: number | null;
  /** null if unknown, or if the row was erased. */
  readonly externalId: string | null;
  readonly exclusion: string;
  readonly tier: string;
  readonly entryId: string;
}

/** The external id of a row as it would be submitted; an erased row has no external id. */
const externalIdSchema = z.object({ external_id: z.string().nullish() });

/** null for an erased row, and where the source has none. */
export function externalIdOf(json: string): string | null {
  return externalIdSchema.safeParse(JSON.parse(json)).data?.external_id ?? null;
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
        yield rows.map(({ json, runName, sourceRow, exclusion, tier, entryId }) => {
          return { orderId, runName, sourceRow, externalId: externalIdOf(json), exclusion, tier, entryId };
        });
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

export async function forgetExcludedRows({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { draftId } of await db.selectFrom('excludedRows').select('draftId').distinct().execute()) {
    const read = (after: number) =>
      db
        .selectFrom('excludedRows')
        .select(['number', 'json'])
        .where('draftId', '=', draftId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(batchRows)
        .execute();
    for await (const rows of pagesOf(-1, ({ number }) => number, read)) {
      const forgotten = rows.filter(({ json }) => jsonNamesForgotten(json, test)).map(({ number }) => number);
      found += forgotten.length;
      if (!preview && forgotten.length > 0)
        await db
          .updateTable('excludedRows')
          .set({ json: '{}' })
          .where('draftId', '=', draftId)
          .where('number', 'in', forgotten)
          .execute();
    }
  }
  return found;
}
