/** Rows whose company an order of this installation has written to HubSpot, where a person has deleted or merged its record since. */
import { toNamedRows, type NamedRows } from '../../base/text/named-rows.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import { findDeletedRecords, findMergedRecords, type KnownRecordSources } from './record-match.ts';

export interface GoneRows {
  readonly deleted: NamedRows;
  /** Merged into the record of another company. */
  readonly merged: NamedRows;
}

/** Rows without a website are not compared: their record is known by other values of the result. */
export async function findGoneRows(sources: KnownRecordSources, rows: readonly DraftRow[]): Promise<GoneRows> {
  const byDomain = Map.groupBy(rows, ({ company }) => ownDomain(company.website_url));
  const domains = [...byDomain.keys()].filter((domain) => domain !== null);
  const toRows = (gone: Iterable<string>) => {
    const numbers = [...gone]
      .flatMap((domain) => byDomain.get(domain) ?? [])
      .flatMap(({ sourceRow }) => sourceRow ?? []);
    return toNamedRows(numbers.toSorted((a, b) => a - b));
  };
  const deleted = await findDeletedRecords(sources, 'companies', domains, { force: false });
  const known = await sources.ledger.records.ids(
    'companies',
    domains.filter((domain) => !deleted.has(domain)),
  );
  return { deleted: toRows(deleted.keys()), merged: toRows(await findMergedRecords(sources, known)) };
}
