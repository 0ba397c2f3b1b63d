/** Which rows of an enrichment were ordered before, by whatever run. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { PlacedOrder } from '../../ledger/placed-orders.ts';
import type { CompanyRow } from '../../service/contract/index.ts';
import {
  isSameCompany,
  soughtKeys,
  storedKeys,
  toComparableCompany,
  type ComparableCompany,
} from '../sources/same-company.ts';

/** An order, and how many of the rows it had that no order before it in the list had. */
export interface BoughtRows {
  readonly order: PlacedOrder;
  readonly rows: number;
}

/** Rows of earlier orders that are compared at most: then the comparison ends, after about ten seconds. */
const comparedRows = 1_000_000;

/** A row belongs to the first of the orders that had its company, whatever its id and its spelling. */
export async function findBoughtRows(
  { drafts }: Pick<Ledger, 'drafts'>,
  rows: readonly CompanyRow[],
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
      for (const row of page) if (row !== null) found += left.take(row);
    }
    if (found > 0) bought.push({ order, rows: found });
  }
  return bought;
}

interface Group {
  readonly company: ComparableCompany;
  rows: number;
}

export function createCompanyMatcher(rows: readonly CompanyRow[]) {
  const groups = new Map<string, Group>();
  const byKey = new Map<string, Set<Group>>();
  for (const row of rows) {
    const company = toComparableCompany(row);
    const text = JSON.stringify(company);
    const group = groups.get(text) ?? { company, rows: 0 };
    group.rows += 1;
    if (groups.has(text)) continue;
    groups.set(text, group);
    for (const key of storedKeys(company)) byKey.set(key, (byKey.get(key) ?? new Set()).add(group));
  }
  return {
    isEmpty: () => groups.size === 0,

    /** Removes the rows of a company. @returns how many they were */
    take(row: CompanyRow): number {
      const company = toComparableCompany(row);
      let taken = 0;
      for (const key of soughtKeys(company)) {
        for (const group of byKey.get(key) ?? []) {
          if (!isSameCompany(company, group.company)) continue;
          taken += group.rows;
          groups.delete(JSON.stringify(group.company));
          for (const stored of storedKeys(group.company)) byKey.get(stored)?.delete(group);
        }
      }
      return taken;
    },
  };
}
