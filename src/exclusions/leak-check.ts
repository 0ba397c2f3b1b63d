/** Finds returned companies that a blacklist of the order names, by the four match tiers of the specification. */
import { createBlacklistIndex, domainOf, type Company, type Entry, type MatchingTier } from '../contract/index.ts';

/** The fields of an entry that matching and evidence need. */
export type ListedEntry = Pick<Entry, 'id' | 'company_name' | 'website_url' | 'city' | 'external_id' | 'created_at'>;

export interface ReturnedCompany {
  readonly position: number;
  readonly company: Pick<Company, 'name' | 'website_url' | 'domain' | 'city' | 'source_id'>;
}

/**
 * LEAK: an entry matched by id, domain, or name and city when the order was placed. LATE: such an entry was added later.
 * WEAK: only the name matches, which may be another company.
 */
export type Verdict = 'LEAK' | 'LATE' | 'WEAK';

export interface Leak extends ReturnedCompany {
  readonly verdict: Verdict;
  readonly tier: MatchingTier;
  readonly entry: ListedEntry;
}

/**
 * Only entries that match one of the companies are kept: memory does not grow with the size of the blacklists.
 */
export function createLeakCheck(returned: readonly ReturnedCompany[]) {
  const companies = createBlacklistIndex();
  for (const { position, company } of returned) companies.add(String(position), toComparable(company));
  const entries = new Map<string, ListedEntry>();
  const ordered = createBlacklistIndex();
  const current = createBlacklistIndex();
  const addTo = (index: typeof current) => (entry: ListedEntry) => {
    if (companies.match(entry) === null) return;
    index.add(entry.id, entry);
    entries.set(entry.id, entry);
  };
  return {
    /** Adds an entry that a blacklist of the order had when the order was placed. */
    addOrdered: addTo(ordered),
    /** Adds an entry that such a blacklist has now. */
    addCurrent: addTo(current),
    /** Sorted as the companies. */
    leaks: (): Leak[] =>
      returned.flatMap(({ position, company }) => {
        const comparable = toComparable(company);
        const [atOrder, since] = [ordered.match(comparable), current.match(comparable)];
        const [verdict, match] =
          atOrder !== null && atOrder.tier !== 'name'
            ? (['LEAK', atOrder] as const)
            : since !== null && since.tier !== 'name'
              ? (['LATE', since] as const)
              : (['WEAK', atOrder ?? since] as const);
        const entry = entries.get(match?.id ?? '');
        return match === null || entry === undefined ? [] : [{ position, company, verdict, tier: match.tier, entry }];
      }),
  };
}

/** The specification compares `external_id` with the company's source id. `domain` stands in for a missing website. */
function toComparable({ name, website_url, domain, city, source_id }: ReturnedCompany['company']) {
  return {
    company_name: name ?? '',
    website_url: domainOf(website_url) === null ? domain : website_url,
    city,
    external_id: source_id,
  };
}
