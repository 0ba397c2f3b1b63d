/** When two entries are about one company, and what an entry can match. */
import { comparableName, domainOf, type Entry, type EntryInput } from '../contract/index.ts';
import { digest } from '../json/canonical-json.ts';
import { joinReasons } from './exclusion-reason.ts';

/** Two entries are the same when everything a client can set is the same. */
export function entryHash(entry: EntryInput | Entry): string {
  const { company_name, website_url, city, country, external_id, reason } = entry;
  const fields = [company_name, website_url, city, country, external_id, reason];
  return digest(fields.map((field) => field ?? null));
}

/** The same for all entries of a company, as far as name and domain tell. */
export function whoOf({ company_name, website_url }: EntryInput | Entry): string {
  return digest([comparableName(company_name), domainOf(website_url)]);
}

/** The city as it is compared; '' where there is none. */
export function placeOf({ city }: EntryInput | Entry): string {
  return comparableName(city ?? '');
}

/** The same for two entries that match the same companies: which company it is, in which city, under which id. */
export function matchHash(entry: EntryInput | Entry): string {
  return digest([whoOf(entry), placeOf(entry), entry.external_id || '']);
}

/** The `matchHash` of every entry of this company that adds nothing to this one: itself, and without city, id or both. */
export function coveredHashes(entry: EntryInput | Entry): string[] {
  const covered = [entry, { ...entry, city: null }, { ...entry, external_id: null }];
  return [...new Set([...covered, { ...entry, city: null, external_id: null }].map(matchHash))];
}

/**
 * One entry of two about the same company, or null when they are two: other ids or other cities match other companies.
 * Nothing that either of them matches goes unmatched. Both have the same `whoOf`.
 */
export function mergeEntries(first: EntryInput, second: EntryInput): EntryInput | null {
  if (differ(first.external_id, second.external_id)) return null;
  if (differ(placeOf(first), placeOf(second))) return null;
  const reason = joinReasons([first.reason, second.reason]);
  return { ...second, ...withoutEmpty(first), ...(reason === '' ? {} : { reason }) };
}

/** How many entries can match by each tier. An entry that has only its name is the least certain. */
export interface Coverage {
  readonly externalId: number;
  readonly domain: number;
  readonly nameAndCity: number;
  readonly nameOnly: number;
}

export const noCoverage: Coverage = { externalId: 0, domain: 0, nameAndCity: 0, nameOnly: 0 };

export function coverageOf({ external_id, website_url, city }: EntryInput): Coverage {
  const [externalId, domain, nameAndCity] = [external_id ? 1 : 0, domainOf(website_url) === null ? 0 : 1, city ? 1 : 0];
  return { externalId, domain, nameAndCity, nameOnly: externalId + domain + nameAndCity === 0 ? 1 : 0 };
}

function differ(a: string | null | undefined, b: string | null | undefined): boolean {
  return Boolean(a) && Boolean(b) && a !== b;
}

function withoutEmpty(entry: EntryInput): EntryInput {
  const { company_name, ...optional } = entry;
  return { company_name, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)) };
}
