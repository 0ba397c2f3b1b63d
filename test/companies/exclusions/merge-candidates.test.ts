import * as fc from 'fast-check';
import { createBlacklistIndex, type EntryInput } from '../../../src/service/contract/index.ts';
import {
  coverageOf,
  createCompanyIndex,
  mergeEntries,
  type IndexedEntry,
} from '../../../src/companies/exclusions/merge-candidates.ts';
import { matchKey } from '../../../src/companies/exclusions/entry-identity.ts';

describe('mergeEntries', () => {
  it('fills the empty fields of the first entry, and joins the reasons', () => {
    const first = { company_name: 'Acme', website_url: 'https://acme.example', external_id: '501', reason: 'A; B' };
    const second = { company_name: 'ACME', website_url: 'https://acme.example/de', city: 'Graz', reason: 'B; C' };
    expect(mergeEntries(first, second)).toEqual({ ...first, city: 'Graz', reason: 'A; B; C' });
  });

  it('does not merge entries with different ids or different cities', () => {
    expect(mergeEntries({ company_name: 'A', external_id: '1' }, { company_name: 'A', external_id: '2' })).toBeNull();
    expect(mergeEntries({ company_name: 'A', city: 'Graz' }, { company_name: 'A', city: 'Bern' })).toBeNull();
    expect(mergeEntries({ company_name: 'A', city: 'Graz' }, { company_name: 'A', city: ' GRAZ' })).not.toBeNull();
  });

  it('matches every company that one of the two matched, by the same tier', () => {
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
        fc.pre(matchKey(first) === matchKey(second));
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
  it('counts each tier by which an entry can match, and the name only if it has nothing else', () => {
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

const indexed = (entry: EntryInput): IndexedEntry => ({ entry, hash: JSON.stringify(entry), storedHash: null });
const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const entryArbitrary = fc.record({
  company_name: fc.constant('Acme'),
  city: optional('Graz', 'graz', 'Bern', ' '),
  external_id: optional('1', '2', '*'),
});

describe('createCompanyIndex', () => {
  it('finds an entry to merge with whenever there is one, also after other merges', () => {
    fc.assert(
      fc.property(fc.array(entryArbitrary), (entries) => {
        const index = createCompanyIndex();
        const all: IndexedEntry[] = [];
        for (const next of entries) {
          const found = index.find(next);
          const mergeable = all.filter((each) => mergeEntries(each.entry, next) !== null);
          const isRight = found === undefined ? mergeable.length === 0 : mergeable.includes(found);
          expect(isRight).toBe(true);
          if (found === undefined) {
            all.push(indexed(next));
            index.add(all.at(-1) as IndexedEntry);
          } else {
            const merged = mergeEntries(found.entry, next) ?? next;
            index.replace(found, { entry: merged, hash: JSON.stringify(merged) });
          }
        }
        expect(index.size()).toBe(all.length);
      }),
    );
  });

  it('prefers an entry of the same city and id', () => {
    const [bare, city, id, both] = [{}, { city: 'Graz' }, { external_id: '1' }, { city: 'Graz', external_id: '1' }].map(
      (keys) => indexed({ company_name: 'Acme', ...keys }),
    ) as [IndexedEntry, IndexedEntry, IndexedEntry, IndexedEntry];
    expect(createCompanyIndex([bare, city, id, both]).find(both.entry)).toBe(both);
    expect(createCompanyIndex([bare, id]).find(both.entry)).toBe(id);
    expect(createCompanyIndex([both]).find(bare.entry)).toBe(both);
  });
});
