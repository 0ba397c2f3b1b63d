/** The companies that a discovery order returns: the profile's candidates in order, without blacklisted ones. */
import { comparableName, domainOf } from '../../src/service/contract/index.ts';
import { candidateCount, createCandidates, type SearchCriteria } from '../generated-data/candidate-companies.ts';
import { companyAt, outlineAt } from '../generated-data/company-generator.ts';
import { type PublishedSet, toSlot } from './published-set.ts';
import type { Entries } from '../state/blacklist-entries.ts';

interface SearchFacts {
  readonly seed: number;
  readonly criteria: SearchCriteria;
  readonly requested: number;
  /** Maximum number of the requested companies that are found. */
  readonly maxFound: number;
  /** How many further companies are published as RESULT_LIMIT_EXCEEDED (A34). */
  readonly beyond: number;
  /** Whether every third excluded company is delivered (a simulated fault). */
  readonly leaks: boolean;
}

interface DiscoveryFacts extends SearchFacts {
  readonly historical: boolean;
  readonly deliveredAt: string;
  /** Positions of candidates that a blacklist excluded, ascending. */
  readonly excluded: readonly number[];
}

export function createDiscoverySet(facts: DiscoveryFacts): PublishedSet {
  const { seed, requested, excluded, deliveredAt } = facts;
  const candidateAt = createCandidates(facts.criteria);
  const total = Math.min(wantedCount(facts), candidateCount - excluded.length);
  const enriched = Math.min(total, requested);
  const eligible = facts.historical ? 'HISTORICAL_DELIVERY_CONFIRMED' : 'POLICY_ELIGIBLE';

  return {
    total,
    // A discovery summary lists no reasons.
    summary: {
      requested_count: requested,
      fully_enriched_count: enriched,
      annotated_count: total - enriched,
      reasons: [],
    },
    slotAt: (place) =>
      toSlot({
        position: place,
        code: place < requested ? eligible : 'RESULT_LIMIT_EXCEEDED',
        company: companyAt(seed, candidateAt(place + excludedBefore(excluded, place))),
        deliveredAt,
      }),
  };
}

/** Positions of excluded candidates, ascending, up to the last company that is needed. Only these are stored; results are computed. */
export function findExcluded(facts: SearchFacts, blacklistIds: readonly string[], entries: Entries): number[] {
  const excluded: number[] = [];
  if (blacklistIds.every((id) => entries.count(id) === 0)) return excluded;
  const candidateAt = createCandidates(facts.criteria);
  const wanted = wantedCount(facts);
  let matched = 0;
  for (let position = 0; position - excluded.length < wanted && position < candidateCount; position += 1) {
    const { name, website_url, city, source_id } = outlineAt(facts.seed, candidateAt(position));
    const company = {
      external_id: source_id,
      domain: domainOf(website_url),
      name: comparableName(name),
      city: comparableName(city),
    };
    if (!entries.match(blacklistIds, company)) continue;
    matched += 1;
    if (!facts.leaks || matched % 3 !== 1) excluded.push(position);
  }
  return excluded;
}

function wantedCount({ requested, maxFound, beyond }: SearchFacts): number {
  return Math.min(requested, maxFound) + beyond;
}

/** Number of excluded candidates before the company at a place, by binary search. */
export function excludedBefore(excluded: readonly number[], place: number): number {
  let low = 0;
  let high = excluded.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Of the candidates up to this excluded one, (its position - middle) are found.
    if ((excluded[middle] ?? 0) - middle <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
