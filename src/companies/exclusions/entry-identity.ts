/** Decides whether two blacklist entries are equal, and whether they match the same companies. */
import { comparableName, domainOf, type Entry, type EntryInput } from '../../service/contract/index.ts';
import { digest } from '../../base/json/canonical-json.ts';

/** Equal for entries that have the same value in every field that a client can set. */
export function entryHash(entry: EntryInput | Entry): string {
  const { company_name, website_url, city, country, external_id, reason } = entry;
  const fields = [company_name, website_url, city, country, external_id, reason];
  return digest(fields.map((field) => field ?? null));
}

/** Equal for entries with the same name and domain. */
export function matchKey({ company_name, website_url }: EntryInput | Entry): string {
  return digest([comparableName(company_name), domainOf(website_url)]);
}

/** The keys by which another entry can keep the company of this one excluded, if it is as strong. `externalId`: '' if there is none. */
export function matchKeys(entry: EntryInput | Entry): { matchKey: string; externalId: string; strength: number } {
  return { matchKey: matchKey(entry), externalId: entry.external_id ?? '', strength: strengthOf(entry) };
}

/** 2 for an entry with a domain, 1 with a city or an id, 0 for a name alone, which another company may have too. */
function strengthOf({ website_url: website, city, external_id: id }: EntryInput | Entry): number {
  if (domainOf(website) !== null) return 2;
  return city || id ? 1 : 0;
}

/** The normalized city; '' if there is none. */
export function comparableCity({ city }: EntryInput | Entry): string {
  return comparableName(city ?? '');
}

/** Equal for two entries that match the same companies: same name, domain, city and external id. */
export function matchHash(entry: EntryInput | Entry): string {
  return digest([matchKey(entry), comparableCity(entry), entry.external_id || '']);
}

/** The `matchHash` of this entry, and of the entries without its city, its id or both: they match no other company. */
export function coveredHashes(entry: EntryInput | Entry): string[] {
  const covered = [entry, { ...entry, city: null }, { ...entry, external_id: null }];
  return [...new Set([...covered, { ...entry, city: null, external_id: null }].map(matchHash))];
}
