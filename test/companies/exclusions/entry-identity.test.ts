import * as fc from 'fast-check';
import { mergeEntries } from '../../../src/companies/exclusions/merge-candidates.ts';
import { coveredHashes, entryHash, matchHash, matchKey } from '../../../src/companies/exclusions/entry-identity.ts';

describe('entryHash', () => {
  it('depends on every field that a client can set, and treats an absent field as null', () => {
    const entry = { company_name: 'Acme', city: 'Graz' };
    expect(entryHash({ ...entry, reason: null })).toBe(entryHash(entry));
    expect(entryHash({ ...entry, reason: 'R' })).not.toBe(entryHash(entry));
  });
});

describe('matchHash', () => {
  it('depends on name, domain, city and id only, in any spelling', () => {
    const entry = { company_name: 'Acme', website_url: 'www.acme.example', city: 'Graz' };
    const same = {
      company_name: 'ACME',
      website_url: 'https://acme.example/de',
      city: ' graz',
      country: 'AT',
      reason: 'R',
    };
    expect(matchHash(same)).toBe(matchHash(entry));
    expect(matchHash({ ...entry, external_id: '1' })).not.toBe(matchHash(entry));
    expect(matchHash({ ...entry, city: 'Bern' })).not.toBe(matchHash(entry));
    expect(matchHash({ ...entry, website_url: null })).not.toBe(matchHash(entry));
  });
});

describe('coveredHashes', () => {
  it('are the hashes of the entries that add nothing when merged', () => {
    const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const entry = fc.record({
      company_name: fc.constantFrom('Acme', ' ACME'),
      website_url: some('https://acme.example', 'www.acme.example/de'),
      city: some('Graz', 'graz', 'Bern'),
      external_id: some('1', '2'),
    });
    fc.assert(
      fc.property(entry, entry, (existing, next) => {
        const merged = matchKey(existing) === matchKey(next) ? mergeEntries(existing, next) : null;
        const addsNothing = merged !== null && matchHash(merged) === matchHash(existing);
        expect(coveredHashes(existing).includes(matchHash(next))).toBe(addsNothing);
      }),
    );
  });
});

describe('matchKey', () => {
  it('is equal for the same name and domain in any spelling', () => {
    const key = matchKey({ company_name: 'Acme', website_url: 'https://acme.example' });
    expect(matchKey({ company_name: ' ACME', website_url: 'www.Acme.example/de', city: 'Graz' })).toBe(key);
    expect(matchKey({ company_name: 'Acme' })).not.toBe(key);
  });
});
