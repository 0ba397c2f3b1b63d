/** Whether an order returned companies that its blacklists name: the service's own four tiers, applied by us. */
import { createBlacklistIndex, domainOf, type Company, type Entry, type MatchingTier } from '../contract/index.ts';

/** What of an entry counts, and what a person needs as evidence. */
export type ListedEntry = Pick<Entry, 'id' | 'company_name' | 'website_url' | 'city' | 'external_id' | 'created_at'>;

export interface ReturnedCompany {
  readonly position: number;
  readonly company: Pick<Company, 'name' | 'website_url' | 'domain' | 'city' | 'source_id'>;
}

/**
 * LEAK: listed when the order was placed, by id, domain or name and city. LATE: listed so since. WEAK: only the name is
 * the same, which may be another company.
 */
export type Verdict = 'LEAK' | 'LATE' | 'WEAK';

export interface Leak extends ReturnedCompany {
  readonly verdict: Verdict;
  readonly tier: MatchingTier;
  readonly entry: ListedEntry;
}

/**
 * Entries pass by once, and only those that match one of the companies are kept: memory is that of the companies,
 * whatever the size of the blacklists.
 */
export function createLeakCheck(returned: readonly ReturnedCompany[]) {
  const companies = createBlacklistIndex();
  for (const { position, company } of returned) companies.add(String(position), toComparable(company));
  const entries = new Map<string, ListedEntry>();
  const whenOrdered = createBlacklistIndex();
  const now = createBlacklistIndex();
  const keepIn = (index: typeof now) => (entry: ListedEntry) => {
    if (companies.match(entry) === null) return;
    index.add(entry.id, entry);
    entries.set(entry.id, entry);
  };
  return {
    /** An entry that stood in a blacklist of the order when that was placed. */
    addOrdered: keepIn(whenOrdered),
    /** An entry that stands in one now. */
    addCurrent: keepIn(now),
    /** In the order of the companies. */
    leaks: (): Leak[] =>
      returned.flatMap(({ position, company }) => {
        const side = toComparable(company);
        const [before, since] = [whenOrdered.match(side), now.match(side)];
        const [verdict, match] =
          before !== null && before.tier !== 'name'
            ? (['LEAK', before] as const)
            : since !== null && since.tier !== 'name'
              ? (['LATE', since] as const)
              : (['WEAK', before ?? since] as const);
        const entry = entries.get(match?.id ?? '');
        return match === null || entry === undefined ? [] : [{ position, company, verdict, tier: match.tier, entry }];
      }),
  };
}

/** "external_id equals the company's source id"; the domain is that of the URL, and the service's own where it has none. */
function toComparable({ name, website_url, domain, city, source_id }: ReturnedCompany['company']) {
  return {
    company_name: name ?? '',
    website_url: domainOf(website_url) === null ? domain : website_url,
    city,
    external_id: source_id,
  };
}
