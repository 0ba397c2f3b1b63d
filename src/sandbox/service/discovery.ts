/** The companies that a discovery order finds: the profile's candidates in order, without those on a blacklist. */
import { createBlacklistIndex, type Entry } from '../../contract/index.ts';
import { candidateCount, createCandidates, type Criteria } from '../candidates.ts';
import { companyAt, outlineAt } from '../universe.ts';
import type { PublishedSet } from './published-set.ts';
import { toSlot } from './slot.ts';

interface DiscoveryFacts {
  readonly seed: number;
  readonly criteria: Criteria;
  readonly requested: number;
  /** How many of the requested are found at most. */
  readonly atMost: number;
  /** How many are found beyond the requested quantity and published as such (A34). */
  readonly beyond: number;
  readonly historical: boolean;
  readonly deliveredAt: string;
  /** Entries of every blacklist that counts, as they are at the moment of publication. */
  readonly entries: Iterable<Entry>;
}

export function publishDiscovery(facts: DiscoveryFacts): PublishedSet {
  const { seed, requested, beyond, deliveredAt } = facts;
  const candidateAt = createCandidates(facts.criteria);
  const wanted = Math.min(requested, facts.atMost) + beyond;
  const excluded = excludedPositions(facts, candidateAt, wanted);
  const total = Math.min(wanted, candidateCount - excluded.length);
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

/** Only these are remembered; what is found is computed. Sorted, as far as `wanted` companies need them. */
function excludedPositions(
  { seed, entries }: DiscoveryFacts,
  candidateAt: (position: number) => number,
  wanted: number,
): readonly number[] {
  const index = createBlacklistIndex();
  let isEmpty = true;
  for (const entry of entries) {
    index.add(entry.id, entry);
    isEmpty = false;
  }
  const excluded: number[] = [];
  if (isEmpty) return excluded;
  for (let position = 0; position - excluded.length < wanted && position < candidateCount; position += 1) {
    const { name, website_url, city, source_id } = outlineAt(seed, candidateAt(position));
    if (index.match({ company_name: name, website_url, city, external_id: source_id })) excluded.push(position);
  }
  return excluded;
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
