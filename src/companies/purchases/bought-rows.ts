/** Which rows of an enrichment were ordered before, by whatever run. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { PlacedOrder } from '../../ledger/placed-orders.ts';
import { createCompanyMatcher } from './company-matcher.ts';

/** An order, and how many of the rows it had that no order before it in the list had. */
export interface BoughtRows {
  readonly order: PlacedOrder;
  readonly rows: number;
}

/** Rows of earlier orders that are compared at most: then the comparison ends, after a few seconds. */
const comparedRows = 1_000_000;

/** A row belongs to the first of the orders that had its company, whatever its id and its spelling. */
export async function findBoughtRows(
  { drafts }: Pick<Ledger, 'drafts'>,
  rows: readonly string[],
  orders: readonly PlacedOrder[],
): Promise<BoughtRows[]> {
  const left = createCompanyMatcher(rows);
  const bought: BoughtRows[] = [];
  let compared = 0;
  for (const order of orders) {
    if (left.isEmpty() || compared >= comparedRows) break;
    if (order.draftId === null) continue;
    let found = 0;
    for await (const page of drafts.stream(order.draftId)) {
      compared += page.length;
      for (const row of page) found += left.take(row);
    }
    if (found > 0) bought.push({ order, rows: found });
  }
  return bought;
}
