/** Merges the candidates of all sources into one blacklist entry for each company. */
import { type EntryInput, domainOf } from '../../service/contract/index.ts';
import type { Coverage, ExclusionCorrections } from '../../proof/report/order-report.ts';
import { comparableCity } from './entry-identity.ts';
import { joinReasons, type Candidate } from './exclusion-candidate.ts';

/** An entry in a `CompanyIndex`. Merging replaces its content. */
export interface IndexedEntry {
  entry: EntryInput;
  hash: string;
  /** Its hash in the ledger; null until it is stored. */
  storedHash: string | null;
}

export type CompanyIndex = ReturnType<typeof createCompanyIndex>;

export interface MergedPage {
  /** Entries that differ from the stored ones. */
  readonly changed: readonly IndexedEntry[];
  readonly corrections: Omit<ExclusionCorrections, 'replaced' | 'expired'>;
  /** Change in the coverage of the entries. */
  readonly coverage: Coverage;
}

export const emptyCorrections = { completedUrls: 0, sharedDomains: 0, duplicates: 0, expired: 0 };
export const emptyCoverage: Coverage = { externalId: 0, domain: 0, nameAndCity: 0, nameOnly: 0 };

/** A candidate that has not expired, with its `matchKey`. */
export interface KeyedCandidate extends Candidate {
  readonly key: string;
}

/** Merges a page of candidates into the indexes of their companies, by `matchKey`; adds missing indexes. */
export function mergeCandidates(
  candidates: readonly KeyedCandidate[],
  indexes: Map<string, CompanyIndex>,
  hashOf: (entry: EntryInput) => string,
): MergedPage {
  const changed = new Set<IndexedEntry>();
  let coverage = emptyCoverage;
  let duplicates = 0;
  for (const { entry, key } of candidates) {
    const index = indexes.get(key) ?? createCompanyIndex();
    indexes.set(key, index);
    const existing = index.find(entry);
    const merged = existing === undefined ? null : mergeEntries(existing.entry, entry);
    if (existing === undefined || merged === null) {
      const added = { entry, hash: hashOf(entry), storedHash: null };
      index.add(added);
      changed.add(added);
      coverage = addCounts(coverage, coverageOf(entry));
    } else {
      coverage = addCounts(subtractCounts(coverage, coverageOf(existing.entry)), coverageOf(merged));
      duplicates += 1;
      index.replace(existing, { entry: merged, hash: hashOf(merged) });
      changed.add(existing);
    }
  }
  return {
    changed: [...changed].filter(({ hash, storedHash }) => hash !== storedHash),
    corrections: {
      completedUrls: candidates.filter(({ urlCompleted }) => urlCompleted).length,
      sharedDomains: candidates.filter(({ sharedDomain }) => sharedDomain).length,
      duplicates,
    },
    coverage,
  };
}

/**
 * One entry that matches everything that either of them matches, or null when they are two companies: other ids or other
 * cities. Both have the same `matchKey`.
 */
export function mergeEntries(first: EntryInput, second: EntryInput): EntryInput | null {
  if (differ(first.external_id, second.external_id)) return null;
  if (differ(comparableCity(first), comparableCity(second))) return null;
  const reason = joinReasons([first.reason, second.reason]);
  return { ...second, ...withoutEmpty(first), ...(reason === '' ? {} : { reason }) };
}

/** Number of entries that can match by each tier of the service. An entry with only a name is the least certain. */
export function coverageOf({ external_id, website_url, city }: EntryInput): Coverage {
  const [externalId, domain, nameAndCity] = [external_id ? 1 : 0, domainOf(website_url) === null ? 0 : 1, city ? 1 : 0];
  return { externalId, domain, nameAndCity, nameOnly: externalId + domain + nameAndCity === 0 ? 1 : 0 };
}

/** Entries of one `matchKey`. Lookup takes constant time: a company with thousands of branches has thousands of entries. */
export function createCompanyIndex(entries: readonly IndexedEntry[] = []) {
  const byKey = new Map<string, Set<IndexedEntry>>();
  let size = 0;

  const register = (entry: IndexedEntry) => {
    for (const key of storedKeys(entry.entry)) {
      const set = byKey.get(key) ?? new Set();
      byKey.set(key, set.add(entry));
    }
  };
  const add = (entry: IndexedEntry) => {
    register(entry);
    size += 1;
  };
  for (const entry of entries) add(entry);

  return {
    size: () => size,
    add,
    /** An entry to merge with, preferably of the same city and id; undefined when all are other companies. */
    find(entry: EntryInput): IndexedEntry | undefined {
      for (const key of lookupKeys(entry)) {
        const [first] = byKey.get(key) ?? [];
        if (first !== undefined) return first;
      }
      return undefined;
    },
    /** Merging may have added a city or an id. */
    replace(indexed: IndexedEntry, { entry, hash }: Pick<IndexedEntry, 'entry' | 'hash'>): void {
      for (const key of storedKeys(indexed.entry)) byKey.get(key)?.delete(indexed);
      Object.assign(indexed, { entry, hash });
      register(indexed);
    },
  };
}

const any = '*';
const exactly = (text: string) => `=${text}`;

/** An entry is stored under its city and id, and under a wildcard for each of them. */
function storedKeys(entry: EntryInput): string[] {
  return toKeys([exactly(comparableCity(entry)), any], [exactly(entry.external_id ?? ''), any]);
}

/** City and id must be equal or absent in the other entry. If this entry lacks one, any value matches. */
function lookupKeys(entry: EntryInput): string[] {
  const [city, id] = [comparableCity(entry), entry.external_id];
  return toKeys(city ? [exactly(city), exactly('')] : [any], id ? [exactly(id), exactly('')] : [any]);
}

/** A comparable city has no line break. */
function toKeys(cities: readonly string[], ids: readonly string[]): string[] {
  return cities.flatMap((city) => ids.map((id) => `${city}\n${id}`));
}

function differ(a: string | null | undefined, b: string | null | undefined): boolean {
  return Boolean(a) && Boolean(b) && a !== b;
}

function withoutEmpty(entry: EntryInput): EntryInput {
  const { company_name, ...optional } = entry;
  return { company_name, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)) };
}

export function addCounts(a: Coverage, b: Coverage): Coverage {
  return {
    externalId: a.externalId + b.externalId,
    domain: a.domain + b.domain,
    nameAndCity: a.nameAndCity + b.nameAndCity,
    nameOnly: a.nameOnly + b.nameOnly,
  };
}

function subtractCounts(a: Coverage, b: Coverage): Coverage {
  const { externalId, domain, nameAndCity, nameOnly } = b;
  return addCounts(a, { externalId: -externalId, domain: -domain, nameAndCity: -nameAndCity, nameOnly: -nameOnly });
}
