/** Rows whose company an order of this installation has written to HubSpot, where a person has deleted its record since. */
import { toNamedRows, type NamedRows } from '../../base/text/named-rows.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import { findDeletedRecords, type DeletedRecordSources } from './record-match.ts';

/** Rows without a website are not compared: their record is known by other values of the result. */
export async function findDeletedRows(sources: DeletedRecordSources, rows: readonly DraftRow[]): Promise<NamedRows> {
  const byDomain = Map.groupBy(rows, ({ company }) => ownDomain(company.website_url));
  const domains = [...byDomain.keys()].filter((domain) => domain !== null);
  const deleted = await findDeletedRecords(sources, 'companies', domains, { force: false });
  const numbers = [...deleted.keys()].flatMap((domain) => byDomain.get(domain) ?? []);
  return toNamedRows(numbers.flatMap(({ sourceRow }) => sourceRow ?? []).toSorted((a, b) => a - b));
}
