/** Which rows of an enrichment were ordered before, by whatever run. */
import { toCompanyText } from '../companies/sources/judge-rows.ts';
import { companyRowSchema } from '../service/contract/index.ts';
import type { DraftRow } from '../ledger/draft-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PlacedOrder } from '../ledger/placed-orders.ts';

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
  rows: readonly DraftRow[],
  orders: readonly PlacedOrder[],
): Promise<BoughtRows[]> {
  const left = new Map<string, number>();
  for (const { json } of rows) {
    const company = toCompany(json);
    if (company !== null) left.set(company, (left.get(company) ?? 0) + 1);
  }
  const bought: BoughtRows[] = [];
  let compared = 0;
  for (const order of orders) {
    if (left.size === 0 || compared >= comparedRows) break;
    const draft = await drafts.ofOrder(order.orderId);
    if (draft === null) continue;
    let found = 0;
    for await (const page of drafts.stream(draft.draftId)) {
      compared += page.length;
      for (const json of page) {
        const company = toCompany(json);
        if (company === null) continue;
        found += left.get(company) ?? 0;
        left.delete(company);
      }
    }
    if (found > 0) bought.push({ order, rows: found });
  }
  return bought;
}

/** null for an erased row. */
function toCompany(json: string): string | null {
  const row = companyRowSchema.safeParse(JSON.parse(json));
  return row.success ? toCompanyText(row.data) : null;
}
