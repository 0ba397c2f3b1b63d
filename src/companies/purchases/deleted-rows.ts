/** Rows whose company an order of this installation has written to HubSpot, where a person has deleted its record since. */
import { toNamedRows, type NamedRows } from '../../base/text/named-rows.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import { companyDomain } from '../../ledger/identity.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { Ledger } from '../../ledger/ledger.ts';

interface DeletedRowSources {
  readonly hubspot: Pick<HubSpotClient, 'objects'>;
  readonly ledger: Pick<Ledger, 'records'>;
}

/** Rows without a website are not compared: their record is known by other values of the result. */
export async function findDeletedRows(
  { hubspot, ledger }: DeletedRowSources,
  rows: readonly DraftRow[],
  signal: AbortSignal,
): Promise<NamedRows> {
  const numbers = Map.groupBy(rows, ({ company }) => companyDomain({ domain: null, website_url: company.website_url }));
  const domains = [...numbers.keys()].filter((domain) => domain !== null);
  const ids = await ledger.records.ids('companies', domains);
  if (ids.size === 0) return toNamedRows([]);
  const archived = await hubspot.objects.read('companies', {
    ids: [...ids.values()],
    properties: [],
    archived: true,
    signal,
  });
  const deleted = [...ids].flatMap(([domain, id]) => (archived.has(id) ? (numbers.get(domain) ?? []) : []));
  return toNamedRows(deleted.flatMap(({ sourceRow }) => sourceRow ?? []).toSorted((a, b) => a - b));
}
