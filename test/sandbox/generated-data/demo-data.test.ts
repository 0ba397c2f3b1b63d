import {
  createBlacklistIndex,
  reasonCodes,
  violations,
  type MatchingTier,
} from '../../../src/service/contract/index.ts';
import { entriesInputSchema } from '../../../src/service/contract/blacklist.ts';
import { createCandidates } from '../../../sandbox/generated-data/candidate-companies.ts';
import {
  demoCustomers,
  demoEnrichmentRows,
  demoExclusions,
  demoProfile,
} from '../../../sandbox/generated-data/demo-data.ts';
import { outlineAt } from '../../../sandbox/generated-data/company-generator.ts';
import { createTestService } from '../service/service-harness.ts';

function firstCandidates(seed: number, count: number) {
  const candidateAt = createCandidates(demoProfile);
  return Array.from({ length: count }, (_, position) => outlineAt(seed, candidateAt(position)));
}

function tiersMet(seed: number, index: ReturnType<typeof createBlacklistIndex>) {
  return firstCandidates(seed, 350)
    .map(({ name, website_url, city, source_id }) =>
      index.match({ company_name: name, website_url, city, external_id: source_id }),
    )
    .flatMap((match) => (match ? [match.tier] : []));
}

describe('demoExclusions', () => {
  it('contains 35 of the first 350 candidates, with every match tier', () => {
    const entries = demoExclusions(1);
    expect(entries).toHaveLength(800);
    expect(violations(entriesInputSchema, { entries })).toEqual([]);
    const index = createBlacklistIndex();
    for (const [place, entry] of entries.entries()) index.add(String(place), entry);
    const tiers = tiersMet(1, index);
    expect(tiers).toHaveLength(35);
    expect(new Set(tiers)).toEqual(new Set<MatchingTier>(['external_id', 'website_domain', 'name_and_city', 'name']));
  });
});

describe('demoCustomers', () => {
  it('contains 23 of the first 350 candidates, none of them excluded', () => {
    const customers = demoCustomers(1);
    expect(customers).toHaveLength(200);
    expect(new Set(customers.map(({ domain }) => domain)).size).toBe(200);
    const near = new Set(firstCandidates(1, 350).map(({ domain }) => domain));
    expect(customers.filter(({ domain }) => near.has(domain))).toHaveLength(23);
    const excluded = new Set(demoExclusions(1).map(({ company_name }) => company_name));
    expect(customers.filter(({ name }) => excluded.has(name))).toEqual([]);
  });
});

describe('demoEnrichmentRows', () => {
  it.each([1, 2, 99])('produces every reason code of an enrichment order (seed %d)', async (seed) => {
    const { createProfile, finishOrder, readSlots } = createTestService({ seed });
    const companies = demoEnrichmentRows(seed);
    expect(companies).toHaveLength(150);
    const profile_id = await createProfile();
    const slots = await readSlots(await finishOrder({ order_type: 'ENRICHMENT', profile_id, companies }));
    const met = new Set(slots.flatMap(({ reason_codes }) => reason_codes));
    const expected = Object.keys(reasonCodes).filter((code) => code !== 'RESULT_LIMIT_EXCEEDED');
    expect(met).toEqual(new Set(expected));
    expect(slots.filter(({ status }) => status === 'DUPLICATE')).toHaveLength(4);
  });

  it('has rows with and without external_id and website', () => {
    const rows = demoEnrichmentRows(1);
    for (const field of ['external_id', 'website_url'] as const) {
      expect(rows.some((row) => row[field] === undefined)).toBe(true);
      expect(rows.some((row) => row[field] !== undefined)).toBe(true);
    }
  });
});
