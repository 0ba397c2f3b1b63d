/** Demo data from the generated companies. Some are excluded, so the discovery order must skip them. */
import type { CompanyRow, EntryInput, ProfileInput } from '../../src/service/contract/index.ts';
import { createCandidates, type SearchCriteria } from './candidate-companies.ts';
import { hashAt } from '../deterministic-values.ts';
import { reasonByHost } from '../magic-inputs.ts';
import { outlineAt, type CompanyOutline } from './company-generator.ts';

export const demoProfile: ProfileInput = {
  profile_name: 'Machine builders in the German-speaking countries',
  ideal_customer_profile: 'Medium-sized manufacturers that plan and build their own production lines.',
  target_countries: ['Germany', 'Austria', 'Switzerland'],
  target_industries: ['Mechanical Engineering', 'Electronics', 'Automotive'],
  seller_offering: 'Planning software for production lines',
};

/** Properties of a HubSpot company, by their internal names. */
export interface DemoCustomer {
  readonly name: string;
  readonly domain: string;
  readonly website: string;
  readonly city: string;
  readonly country: string;
  readonly lifecyclestage: 'customer';
}

/** 800 blacklist entries: 35 of the profile's first 350 candidates, matched by each tier in turn, and 765 that no small order reaches. */
export function demoExclusions(seed: number, criteria: SearchCriteria = demoProfile): EntryInput[] {
  const near = Array.from({ length: 35 }, (_, place) => place * 10 + 3);
  const far = Array.from({ length: 765 }, (_, place) => 1_000 + place);
  return candidates(seed, criteria, [...near, ...far]).map((company, place) => toExclusion(company, place));
}

/** Any number of entries from a place on; a small order of the profile reaches none of them. */
export function manyExclusions(seed: number, from: number, count: number, criteria: SearchCriteria = demoProfile) {
  const places = Array.from({ length: count }, (_, place) => 1_000 + from + place);
  return candidates(seed, criteria, places).map((company, place) => toExclusion(company, from + place));
}

/** 200 companies to put into HubSpot as customers: 23 of the profile's first 350 candidates, none of them in the exclusions. */
export function demoCustomers(seed: number, criteria: SearchCriteria = demoProfile): DemoCustomer[] {
  const near = Array.from({ length: 23 }, (_, place) => place * 15 + 7);
  const far = Array.from({ length: 177 }, (_, place) => 2_000 + place);
  return candidates(seed, criteria, [...near, ...far]).map(({ name, domain, website_url, city, country }) => ({
    name,
    domain,
    website: website_url,
    city,
    country: country.name,
    lifecyclestage: 'customer',
  }));
}

/** 150 rows in which every reason code of an enrichment order occurs, with and without external_id, website and city. */
export function demoEnrichmentRows(seed: number): CompanyRow[] {
  const companies = candidates(
    seed,
    { target_countries: [] },
    Array.from({ length: 146 }, (_, place) => 50_000 + place),
  );
  const hosts = [...reasonByHost.keys()];
  const rows = companies.map((company, place): CompanyRow => {
    const base = { company_name: company.name, city: company.city, country: company.country.name };
    const host = hosts[place >> 1];
    if (host !== undefined) return { ...base, website_url: `https://${labelOf(company)}.${host}` };
    if (place < 40) return { ...base, website_url: `www.${labelOf(company)}.test` };
    if (place < 50) return base;
    return { ...base, website_url: company.website_url };
  });
  const mixed = rows
    .map((row, place) => ({ row, order: hashAt(seed, place, 200) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ row }) => row);
  return [...mixed, ...duplicatesOf(rows)].map((row, place) =>
    place % 3 === 0 ? row : { ...row, external_id: `row-${String(place).padStart(4, '0')}` },
  );
}

function duplicatesOf(rows: readonly CompanyRow[]): CompanyRow[] {
  const again = (place: number, change: (row: CompanyRow) => CompanyRow) => rows.slice(place, place + 1).map(change);
  return [
    ...again(60, (row) => row),
    ...again(61, (row) => ({ ...row, company_name: `${row.company_name} (Headquarters)` })),
    ...again(62, ({ website_url: _website, ...row }) => ({ ...row, company_name: row.company_name.toUpperCase() })),
    ...again(45, (row) => row),
  ];
}

function candidates(seed: number, criteria: SearchCriteria, positions: readonly number[]): CompanyOutline[] {
  const candidateAt = createCandidates(criteria);
  return positions.map((position) => outlineAt(seed, candidateAt(position)));
}

function toExclusion({ name, city, country, website_url, source_id }: CompanyOutline, place: number): EntryInput {
  const shared = { country: country.name, reason: 'Existing relation' };
  if (place % 4 === 0) return { ...shared, company_name: `Former partner ${place}`, external_id: source_id };
  if (place % 4 === 1) return { ...shared, company_name: `Holding of ${name}`, website_url };
  if (place % 4 === 2) return { ...shared, company_name: name.toUpperCase(), city };
  return { ...shared, company_name: name };
}

function labelOf({ domain }: CompanyOutline): string {
  return domain.replace(/\.example$/, '');
}
