/** Suppressed companies, under the names that the ledger and HubSpot know, as a source of an exclusion. */
import { entryProblems, exclusionProperties, toEntryFromCrm } from '../sources/blacklist-entry.ts';
import { cleanRecord, type FieldCleaner } from '../sources/field-values.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import { additionalDomains, type CrmRecord } from '../../hubspot/hubspot-record.ts';
import type { Ledger } from '../../ledger/ledger.ts';

interface CrmReading {
  readonly hubspot: HubSpotClient;
  readonly cleaner: FieldCleaner;
  readonly signal: AbortSignal;
}

/** The rows of each company: one for each of its names, otherwise one with its domain. `crm`: null if HubSpot is not to be read. */
export async function readSuppressedCompanies(
  suppressions: Pick<Ledger['suppressions'], 'companies'>,
  crm: CrmReading | null,
): Promise<FieldValues[][]> {
  const companies = (await Array.fromAsync(suppressions.companies())).flat();
  const domains = companies.map(({ domain }) => domain);
  const inCrm = crm === null ? new Map<string, FieldValues[]>() : await findInCrm(crm, domains);
  return companies.map(({ domain, names }) => {
    const known = [...names, ...(inCrm.get(domain) ?? [])];
    const rows = known.length > 0 ? known : [{ company_name: domain }];
    return rows.map((row) => ({ ...row, website_url: `https://${domain}` }));
  });
}

/** The companies with one of these domains, as their primary or an additional one, by domain. A few searches for all of them. */
async function findInCrm(
  { hubspot: { objects }, cleaner, signal }: CrmReading,
  domains: readonly string[],
): Promise<Map<string, FieldValues[]>> {
  const found = await objects.findByDomain('companies', domains, exclusionProperties, signal);
  const additional = await objects.findByAdditionalDomain(domains, signal);
  const ids = additional.map(({ id }) => id);
  const read = await objects.read('companies', { ids, properties: exclusionProperties, signal });
  for (const record of read.values())
    for (const domain of additionalDomains(record)) found.set(domain, [...(found.get(domain) ?? []), record]);
  return new Map([...found].map(([domain, records]) => [domain, records.flatMap((record) => toRow(record, cleaner))]));
}

/** Empty for a company whose name an entry cannot hold. */
function toRow(record: CrmRecord, cleaner: FieldCleaner): FieldValues[] {
  const entry = toEntryFromCrm(cleanRecord(record, cleaner), null);
  if (entry === null || entryProblems(entry).length > 0) return [];
  const { company_name, city, country, external_id: id } = entry;
  return [{ company_name, ...(city && { city }), ...(country && { country }), ...(id && { external_id: id }) }];
}
