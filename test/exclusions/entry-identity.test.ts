import * as fc from 'fast-check';
import { createBlacklistIndex, type EntryInput } from '../../src/contract/index.ts';
import {
  coveredHashes,
  coverageOf,
  entryHash,
  matchHash,
  mergeEntries,
  whoOf,
} from '../../src/exclusions/entry-identity.ts';

describe('entryHash', () => {
  it('differs with everything a client can set, and not with what is left out or null', () => {
    const entry = { company_name: 'Acme', city: 'Graz' };
    expect(entryHash({ ...entry, reason: null })).toBe(entryHash(entry));
    expect(entryHash({ ...entry, reason: 'R' })).not.toBe(entryHash(entry));
  });
});

describe('matchHash', () => {
  it('differs with company, city and id, however they are spelt, and with nothing else', () => {
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
  it('are those of entries that join this one without adding anything to it', () => {
    const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const entry = fc.record({
      company_name: fc.constantFrom('Acme', ' ACME'),
      website_url: some('https://acme.example', 'www.acme.example/de'),
      city: some('Graz', 'graz', 'Bern'),
      external_id: some('1', '2'),
    });
    fc.assert(
      fc.property(entry, entry, (present, next) => {
        const merged = whoOf(present) === whoOf(next) ? mergeEntries(present, next) : null;
        const addsNothing = merged !== null && matchHash(merged) === matchHash(present);
        expect(coveredHashes(present).includes(matchHash(next))).toBe(addsNothing);
      }),
    );
  });
});

describe('whoOf', () => {
  it('is the same for one name and domain, however they are spelt', () => {
    const who = whoOf({ company_name: 'Acme', website_url: 'https://acme.example' });
    expect(whoOf({ company_name: ' ACME', website_url: 'www.Acme.example/de', city: 'Graz' })).toBe(who);
    expect(whoOf({ company_name: 'Acme' })).not.toBe(who);
  });
});

describe('mergeEntries', () => {
  it('fills what the first lacks, and joins the reasons', () => {
    const first = { company_name: 'Acme', website_url: 'https://acme.example', external_id: '501', reason: 'A; B' };
    const second = { company_name: 'ACME', website_url: 'https://acme.example/de', city: 'Graz', reason: 'B; C' };
    expect(mergeEntries(first, second)).toEqual({ ...first, city: 'Graz', reason: 'A; B; C' });
  });

  it('keeps two that have other ids or other cities', () => {
    expect(mergeEntries({ company_name: 'A', external_id: '1' }, { company_name: 'A', external_id: '2' })).toBeNull();
    expect(mergeEntries({ company_name: 'A', city: 'Graz' }, { company_name: 'A', city: 'Bern' })).toBeNull();
    expect(mergeEntries({ company_name: 'A', city: 'Graz' }, { company_name: 'A', city: ' GRAZ' })).not.toBeNull();
  });

  it('leaves nothing unmatched that one of them matched, by no worse a tier', () => {
    const tiers = ['external_id', 'website_domain', 'name_and_city', 'name'];
    const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const fields = {
      company_name: fc.constantFrom('Acme', ' ACME'),
      website_url: some('https://acme.example', 'www.acme.example/de'),
      city: some('Graz', 'graz', 'Bern'),
      external_id: some('1', '2'),
    };
    const entry = fc.record(fields);
    fc.assert(
      fc.property(entry, entry, entry, (first, second, company) => {
        fc.pre(whoOf(first) === whoOf(second));
        const merged = mergeEntries(first, second);
        fc.pre(merged !== null);
        const rank = (entries: (EntryInput | null)[]) => {
          const index = createBlacklistIndex();
          for (const [id, each] of entries.entries()) if (each !== null) index.add(String(id), each);
          return tiers.indexOf(index.match(company)?.tier ?? 'none');
        };
        expect(rank([merged])).toBe(rank([first, second]));
      }),
    );
  });
});

describe('coverageOf', () => {
  it('counts each tier that an entry can match by, and its name only where nothing else is there', () => {
    const none = { externalId: 0, domain: 0, nameAndCity: 0, nameOnly: 0 };
    expect(coverageOf({ company_name: 'A', country: 'Austria' })).toEqual({ ...none, nameOnly: 1 });
    expect(coverageOf({ company_name: 'A', city: 'Graz' })).toEqual({ ...none, nameAndCity: 1 });
    expect(coverageOf({ company_name: 'A', city: 'Graz', external_id: '1', website_url: 'www.a.example' })).toEqual({
      externalId: 1,
      domain: 1,
      nameAndCity: 1,
      nameOnly: 0,
    });
  });
});
