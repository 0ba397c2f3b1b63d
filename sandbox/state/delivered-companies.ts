/** Order and slot of each delivered company of a prospect search. The company itself is computed. */
import type { Database, Row } from './state-database.ts';

export interface DeliveredCompany {
  readonly company: string;
  readonly order: string;
  /** Place in the published set of the order. */
  readonly slot: number;
}

export interface DeliveredCompanies {
  /** Ignores companies that are already stored. */
  add(searchId: string, companies: readonly DeliveredCompany[]): void;
  count(searchId: string): number;
  /** In the order in which they were added. */
  page(searchId: string, page: { readonly limit: number; readonly offset: number }): DeliveredCompany[];
  find(searchId: string, company: string): DeliveredCompany | undefined;
}

/** Rows are never deleted, so places count from 0 without gaps and a page is found by its first place. */
export const deliveredCompaniesSchema = `
  CREATE TABLE IF NOT EXISTS delivered_companies (
    search TEXT NOT NULL,
    place INTEGER NOT NULL,
    company TEXT NOT NULL,
    order_id TEXT NOT NULL,
    slot INTEGER NOT NULL,
    PRIMARY KEY (search, place)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS delivered_companies_by_id ON delivered_companies (search, company);
`;

const columns = 'company, order_id, slot';

export function createDeliveredCompanies(database: Database): DeliveredCompanies {
  const count = (searchId: string) =>
    Number(database.get('SELECT max(place) + 1 AS n FROM delivered_companies WHERE search = ?', searchId)?.['n'] ?? 0);
  const find = (searchId: string, company: string) => {
    const row = database.get(
      `SELECT ${columns} FROM delivered_companies WHERE search = ? AND company = ?`,
      searchId,
      company,
    );
    return row && toDeliveredCompany(row);
  };
  return {
    add(searchId, companies) {
      let place = count(searchId);
      for (const { company, order, slot } of companies) {
        if (find(searchId, company)) continue;
        database.run('INSERT INTO delivered_companies VALUES (?, ?, ?, ?, ?)', searchId, place, company, order, slot);
        place += 1;
      }
    },
    count,
    page: (searchId, { limit, offset }) =>
      database
        .all(
          `SELECT ${columns} FROM delivered_companies WHERE search = ? AND place >= ? ORDER BY place LIMIT ?`,
          searchId,
          offset,
          limit,
        )
        .map(toDeliveredCompany),
    find,
  };
}

function toDeliveredCompany(row: Row): DeliveredCompany {
  return { company: String(row['company']), order: String(row['order_id']), slot: Number(row['slot']) };
}
