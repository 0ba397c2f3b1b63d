/** The rows of an order for pages that people read: slots with the names of their companies and their outcomes, a page at a time. */
import { outcomeColumns, toOutcomeRow, type OutcomeRow } from './outcome-store.ts';
import { selectOutcomes } from './tally-outcomes.ts';
import { isOfNewestPass } from './passes.ts';
import { toCodes } from './stored-slot.ts';
import type { Database } from './tables.ts';

export interface RowPageFilter {
  /** null: all. */
  readonly status: string | null;
  readonly reason: string | null;
  /** The position behind which the page begins; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface PagedRow {
  readonly position: number;
  readonly status: string;
  readonly reasonCodes: readonly string[];
  readonly externalId: string | null;
  /** In comparable form; null if unknown or erased. */
  readonly name: string | null;
  readonly domain: string | null;
  /** Of the newest pass, the company first. */
  readonly outcomes: readonly OutcomeRow[];
}

export function createRowPages(db: Database) {
  return async (orderId: string, { status, reason, after, limit }: RowPageFilter): Promise<PagedRow[]> => {
    const rows = await db
      .selectFrom('slots')
      .leftJoin('companyIndex', (join) =>
        join
          .on('companyIndex.place', '=', 'slot')
          .onRef('companyIndex.ref', '=', 'slots.orderId')
          .onRef('companyIndex.position', '=', 'slots.position'),
      )
      .select(['slots.position', 'slots.status', 'slots.reasonCodesJson', 'slots.externalId', 'name', 'domain'])
      .where('slots.orderId', '=', orderId)
      .where('slots.position', '>', after)
      .$if(status !== null, (query) => query.where('slots.status', '=', status ?? ''))
      .$if(reason !== null, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('slotReasons')
              .select('slotReasons.code')
              .whereRef('slotReasons.orderId', '=', 'slots.orderId')
              .whereRef('slotReasons.position', '=', 'slots.position')
              .where('slotReasons.code', '=', reason ?? ''),
          ),
        ),
      )
      .orderBy('slots.position')
      .limit(limit)
      .execute();
    const positions = rows.map(({ position }) => position);
    const outcomes = positions.length === 0 ? [] : await readOutcomes(db, orderId, positions);
    const byPosition = Map.groupBy(outcomes, ({ position }) => position);
    return rows.map(({ reasonCodesJson, ...row }) => ({
      ...row,
      reasonCodes: toCodes(reasonCodesJson),
      outcomes: byPosition.get(row.position) ?? [],
    }));
  };
}

async function readOutcomes(db: Database, orderId: string, positions: readonly number[]): Promise<OutcomeRow[]> {
  const rows = await selectOutcomes(db, orderId)
    .select(outcomeColumns)
    .where('position', 'in', [...positions])
    .where(isOfNewestPass)
    .orderBy('position')
    .orderBy('item')
    .execute();
  return rows.map((row) => toOutcomeRow(row));
}
