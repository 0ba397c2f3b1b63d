import * as fc from 'fast-check';
import {
  comparableName,
  createBlacklistIndex,
  domainOf,
  type BlacklistMatch,
  type MatchingTier,
} from '../../../src/service/contract/index.ts';
import { runsOf } from '../../helpers/sample.ts';

interface Side {
  company_name: string;
  website_url?: string | null;
  city?: string | null;
  external_id?: string | null;
}

/** The rule of the specification's table, applied to each entry. */
function scan(entries: readonly Side[], company: Side): MatchingTier | null {
  const tiers: [MatchingTier, (entry: Side) => boolean][] = [
    ['external_id', (entry) => Boolean(entry.external_id) && entry.external_id === company.external_id],
    [
      'website_domain',
      (entry) => domainOf(entry.website_url) !== null && domainOf(entry.website_url) === domainOf(company.website_url),
    ],
    [
      'name_and_city',
      (entry) =>
        Boolean(entry.city) &&
        Boolean(company.city) &&
        comparableName(entry.company_name) === comparableName(company.company_name) &&
        comparableName(entry.city ?? '') === comparableName(company.city ?? ''),
    ],
    ['name', (entry) => comparableName(entry.company_name) === comparableName(company.company_name)],
  ];
  return tiers.find(([, isMatch]) => entries.some(isMatch))?.[0] ?? null;
}

// Few values, so that every tier and every near match occurs.
const side: fc.Arbitrary<Side> = fc.record({
  company_name: fc.constantFrom('Acme', 'ACME ', 'Acme  GmbH', 'acme gmbh', 'Zürich AG', 'Other', 'Third'),
  website_url: fc.constantFrom(
    null,
    'https://acme.example',
    'www.ACME.example/a',
    'http://shop.acme.example',
    'https://x.test',
  ),
  city: fc.constantFrom(null, '', 'Bern', 'bern ', 'Basel'),
  external_id: fc.constantFrom(null, '', '1', '2', '3'),
});

describe('createBlacklistIndex', () => {
  it('finds the same tier as a scan of all entries, and an entry of that tier', () => {
    const seen = new Set<MatchingTier | null>();
    fc.assert(
      fc.property(fc.array(side, { maxLength: 6 }), side, (entries, company) => {
        const index = createBlacklistIndex();
        for (const [place, entry] of entries.entries()) index.add(String(place), entry);
        const match: BlacklistMatch | null = index.match(company);
        const tier = scan(entries, company);
        seen.add(tier);
        expect(match?.tier ?? null).toBe(tier);
        // The returned entry alone matches by that tier; none is returned when nothing matches.
        const named = match ? entries.slice(Number(match.id), Number(match.id) + 1) : [];
        expect(scan(named, company)).toBe(tier);
      }),
      { numRuns: runsOf(1_000) },
    );
    expect(seen).toEqual(new Set(['external_id', 'website_domain', 'name_and_city', 'name', null]));
  });

  it('finds no removed entries', () => {
    fc.assert(
      fc.property(
        fc.array(side, { maxLength: 6 }),
        fc.array(side, { maxLength: 6 }),
        side,
        (kept, removed, company) => {
          const index = createBlacklistIndex();
          for (const [place, entry] of kept.entries()) index.add(`kept ${place}`, entry);
          for (const [place, entry] of removed.entries()) index.add(`removed ${place}`, entry);
          for (const [place, entry] of removed.entries()) index.remove(`removed ${place}`, entry);
          expect(index.match(company)?.tier ?? null).toBe(scan(kept, company));
        },
      ),
    );
  });
});

describe('domainOf', () => {
  it.each([
    ['https://Acme.example/path?x=1', 'acme.example'],
    ['http://www.acme.example:8080', 'acme.example'],
    ['www.acme.example', 'acme.example'],
    ['WWW.ACME.EXAMPLE.', 'acme.example'],
    ['acme.example', 'acme.example'],
    ['https://shop.acme.example', 'shop.acme.example'],
    ['https://acme.co.uk', 'acme.co.uk'],
    ['https://müller.example', 'xn--mller-kva.example'],
    ['https://user@acme.example', 'acme.example'],
    ['https://', null],
    ['http://localhost', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('returns for %p the domain %p', (website, domain) => {
    expect(domainOf(website)).toBe(domain);
  });
});
