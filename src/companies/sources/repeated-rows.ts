/** Rows of a source that are of the same company as an earlier one: the service is paid for each of them. */
import type { DraftRow } from '../../ledger/draft-store.ts';
import { numberOf } from './judge-record-ids.ts';
import {
  certainKeys,
  isSameCompany,
  soughtKeys,
  storedKeys,
  toComparableCompany,
  type ComparableCompany,
} from './same-company.ts';

export interface ComparedRow {
  readonly row: DraftRow;
  readonly company: ComparableCompany;
}

export function compareRows(rows: readonly DraftRow[]): ComparedRow[] {
  return rows.map((row) => ({ row, company: toComparableCompany(row.company) }));
}

export interface Repeat {
  /** The number of the earlier row. */
  readonly of: number;
  /** False if one of both rows lacks a value that could differ, such as the city. */
  readonly isCertain: boolean;
}

interface EarlierRow {
  readonly company: ComparableCompany;
  readonly number: number;
}

/** `areRecordIds`: rows with the id of an earlier one repeat it, whatever their companies. */
export function findRepeats(
  rows: readonly ComparedRow[],
  { areRecordIds }: { readonly areRecordIds: boolean },
): Map<DraftRow, Repeat> {
  const companies = createEarlierCompanies();
  /** By keys of rows that are no certain repeats themselves, so that one of each company is always ordered. */
  const firsts = new Map<string, number>();
  const repeats = new Map<DraftRow, Repeat>();
  for (const { row, company } of rows) {
    const { external_id: id } = row.company;
    const number = numberOf(row);
    const keys = [...(areRecordIds && id ? [`record ${id}`] : []), ...certainKeys(company)];
    const first = keys.map((key) => firsts.get(key)).find((found) => found !== undefined);
    const similar = first === undefined ? companies.find(company) : null;
    if (first !== undefined) repeats.set(row, { of: first, isCertain: true });
    else if (similar !== null) repeats.set(row, { of: similar, isCertain: false });
    if (first === undefined) for (const key of keys) firsts.set(key, number);
    companies.add({ company, number });
  }
  return repeats;
}

function createEarlierCompanies() {
  /** By key the first row of each country: companies with the same key can differ in nothing but the country. */
  const byKey = new Map<string, EarlierRow[]>();
  return {
    add(row: EarlierRow): void {
      for (const key of storedKeys(row.company)) {
        const rows = byKey.get(key);
        if (rows === undefined) byKey.set(key, [row]);
        else if (rows.every(({ company }) => company.country !== row.company.country)) rows.push(row);
      }
    },
    /** The number of the first row of the company. */
    find(company: ComparableCompany): number | null {
      const found = soughtKeys(company).flatMap(
        (key) => (byKey.get(key) ?? []).find((row) => isSameCompany(company, row.company))?.number ?? [],
      );
      return found.length === 0 ? null : Math.min(...found);
    },
  };
}
