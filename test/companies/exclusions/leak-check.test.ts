import * as fc from 'fast-check';
import { createBlacklistIndex } from '../../../src/service/contract/index.ts';
import { createLeakCheck, type ReturnedCompany } from '../../../src/companies/exclusions/find-leaks.ts';
import { type ListedEntry } from '../../../src/ledger/blacklist-store.ts';

const company = (position: number, changes: Partial<ReturnedCompany['company']> = {}): ReturnedCompany => ({
  position,
  company: { name: `Company ${position}`, website_url: null, domain: null, city: null, source_id: null, ...changes },
});

const entry = (id: string, changes: Partial<ListedEntry> = {}): ListedEntry => ({
  id,
  company_name: `Entry ${id}`,
  website_url: null,
  city: null,
  external_id: null,
  reason: null,
  created_at: '2026-11-01T00:00:00.000000Z',
  ...changes,
});

function check(returned: ReturnedCompany[], ordered: ListedEntry[], current: ListedEntry[] = []) {
  const { addInForce, addCurrent, leaks } = createLeakCheck(returned);
  for (const each of ordered) addInForce(each);
  for (const each of current) addCurrent(each);
  return leaks().map(({ position, verdict, tier, entry: { id } }) => [position, verdict, tier, id]);
}

describe('createLeakCheck', () => {
  it.each<[string, Partial<ReturnedCompany['company']>, Partial<ListedEntry>, string]>([
    ['the source id', { source_id: '501' }, { external_id: '501' }, 'external_id'],
    [
      'the domain',
      { website_url: 'https://www.acme.example/de' },
      { website_url: 'www.ACME.example' },
      'website_domain',
    ],
    ['the domain without an address', { domain: 'acme.example' }, { website_url: 'acme.example' }, 'website_domain'],
    ['name and city', { name: ' ACME ', city: 'Graz' }, { company_name: 'Acme', city: 'graz' }, 'name_and_city'],
  ])('reports LEAK when %s was listed', (_, returned, listed, tier) => {
    expect(check([company(4, returned)], [entry('a', listed)])).toEqual([[4, 'LEAK', tier, 'a']]);
  });

  it('reports LATE for an entry that was added later, and WEAK when only the name matches', () => {
    const acme = company(0, { name: 'Acme', domain: 'acme.example' });
    const byDomain = entry('d', { website_url: 'https://acme.example' });
    const byName = entry('n', { company_name: 'Acme' });
    expect(check([acme], [], [byDomain])).toEqual([[0, 'LATE', 'website_domain', 'd']]);
    expect(check([acme], [byName])).toEqual([[0, 'WEAK', 'name', 'n']]);
    expect(check([acme], [], [byName])).toEqual([[0, 'WEAK', 'name', 'n']]);
    expect(check([acme], [byName], [byName, byDomain])).toEqual([[0, 'LATE', 'website_domain', 'd']]);
    expect(check([acme], [byDomain, byName], [])).toEqual([[0, 'LEAK', 'website_domain', 'd']]);
    expect(check([acme], [entry('x')], [entry('y')])).toEqual([]);
  });

  it('reports every company of an entry, and does not match missing names', () => {
    const [first, second] = [company(1, { domain: 'a.example' }), company(2, { domain: 'a.example' })];
    expect(check([first, second], [entry('a', { website_url: 'https://a.example' })])).toEqual([
      [1, 'LEAK', 'website_domain', 'a'],
      [2, 'LEAK', 'website_domain', 'a'],
    ]);
    expect(check([company(3, { name: null })], [entry('a')])).toEqual([]);
  });

  it('finds the same leaks as an index over all entries', () => {
    const name = fc.constantFrom('Acme', 'Other', 'ACME ');
    const place = fc.constantFrom(null, 'Graz', 'Bern');
    const domain = fc.constantFrom(null, 'a.example', 'www.b.example');
    const id = fc.constantFrom(null, '1', '2');
    const companies = fc.array(
      fc.record({ name, website_url: domain, domain: fc.constant(null), city: place, source_id: id }),
      { maxLength: 5 },
    );
    const entries = fc.array(fc.record({ company_name: name, website_url: domain, city: place, external_id: id }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(companies, entries, (returned, listed) => {
        const index = createBlacklistIndex();
        const kept = listed.map((each, number) => entry(String(number), each));
        for (const each of kept) index.add(each.id, each);
        const expected = returned.flatMap((each, position) => {
          const match = index.match({ ...each, company_name: each.name, external_id: each.source_id });
          return match === null ? [] : [[position, match.tier === 'name' ? 'WEAK' : 'LEAK', match.tier, match.id]];
        });
        const positioned = returned.map((each, position) => ({ position, company: each }));
        expect(check(positioned, kept)).toEqual(expected);
      }),
    );
  });
});
