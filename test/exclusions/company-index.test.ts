import * as fc from 'fast-check';
import { createCompanies, type Known } from '../../src/exclusions/company-index.ts';
import { mergeEntries } from '../../src/exclusions/entry-identity.ts';

const known = (entry: Known['entry']): Known => ({ entry, hash: JSON.stringify(entry), storedHash: null });
const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const entry = fc.record({
  company_name: fc.constant('Acme'),
  city: some('Graz', 'graz', 'Bern', ' '),
  external_id: some('1', '2', '*'),
});

describe('createCompanies', () => {
  it('finds one that the entry can be joined with whenever there is one, also after others were joined', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const companies = createCompanies();
        const all: Known[] = [];
        for (const next of entries) {
          const found = companies.find(next);
          const joinable = all.filter((each) => mergeEntries(each.entry, next) !== null);
          const isRight = found === undefined ? joinable.length === 0 : joinable.includes(found);
          expect(isRight).toBe(true);
          if (found === undefined) {
            all.push(known(next));
            companies.add(all.at(-1) as Known);
          } else {
            const merged = mergeEntries(found.entry, next) ?? next;
            companies.replace(found, { entry: merged, hash: JSON.stringify(merged) });
          }
        }
        expect(companies.size()).toBe(all.length);
      }),
    );
  });

  it('prefers the same city and id', () => {
    const [bare, city, id, both] = [{}, { city: 'Graz' }, { external_id: '1' }, { city: 'Graz', external_id: '1' }].map(
      (keys) => known({ company_name: 'Acme', ...keys }),
    ) as [Known, Known, Known, Known];
    expect(createCompanies([bare, city, id, both]).find(both.entry)).toBe(both);
    expect(createCompanies([bare, id]).find(both.entry)).toBe(id);
    expect(createCompanies([both]).find(bare.entry)).toBe(both);
  });
});
