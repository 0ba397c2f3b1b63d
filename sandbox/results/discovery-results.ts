/** The companies that a discovery order finds: the profile's candidates in order, without those on a blacklist. */
import { comparableName, domainOf } from '../../src/contract/index.ts';
import { candidateCount, createCandidates, type Criteria } from '../generated-data/candidate-companies.ts';
import { companyAt, outlineAt } from '../generated-data/company-generator.ts';
import { type PublishedSet, toSlot } from './published-set.ts';
import type { Entries } from '../state/blacklist-entries.ts';

interface SearchFacts {
  readonly seed: number;
  readonly criteria: Criteria;
  readonly requested: number;
  /** How many of the requested are found at most. */
  readonly atMost: number;
  /** How many are found beyond the requested quantity and published as such (A34). */
  readonly beyond: number;
  /** Whether every third excluded company is delivered (a simulated fault). */
  readonly leaks: boolean;
}

interface DiscoveryFacts extends SearchFacts {
  readonly historical: boolean;
  readonly deliveredAt: string;
  /** Positions of candidates that a blacklist kept out, ascending. */
  readonly excluded: readonly number[];
}

export function createDiscoverySet(facts: DiscoveryFacts): PublishedSet {
  const { seed, requested, excluded, deliveredAt } = facts;
  const candidateAt = createCandidates(facts.criteria);
  const total = Math.min(wantedOf(facts), candidateCount - excluded.length);
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

/** Only these are remembered; what is found is computed. Ascending, as far as the wanted companies need them. */
export function findExcluded(facts: SearchFacts, blacklistIds: readonly string[], entries: Entries): number[] {
  const excluded: number[] = [];
  if (blacklistIds.every((id) => entries.count(id) === 0)) return excluded;
  const candidateAt = createCandidates(facts.criteria);
  const wanted = wantedOf(facts);
  let named = 0;
  for (let position = 0; position - excluded.length < wanted && position < candidateCount; position += 1) {
    const { name, website_url, city, source_id } = outlineAt(facts.seed, candidateAt(position));
    const company = {
      external_id: source_id,
      domain: domainOf(website_url),
      name: comparableName(name),
      city: comparableName(city),
    };
    if (!entries.match(blacklistIds, company)) continue;
    named += 1;
    if (!facts.leaks || named % 3 !== 1) excluded.push(position);
  }
  return excluded;
}

function wantedOf({ requested, atMost, beyond }: SearchFacts): number {
  return Math.min(requested, atMost) + beyond;
}

/** How many excluded candidates stand before the company at a place, by bisection. */
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
