import * as fc from 'fast-check';
import { comparableName, domainOf, type Entry } from '../../../src/service/contract/index.ts';
import { openDatabase } from '../../../sandbox/state/state-database.ts';
import { createEntries, entriesSchema, type Matched } from '../../../sandbox/state/blacklist-entries.ts';
import { runsOf } from '../../helpers/sample.ts';

function entry(id: string, fields: Partial<Entry> = {}): Entry {
  return {
    id,
    company_name: `Company ${id}`,
    website_url: null,
    city: null,
    country: null,
    external_id: null,
    reason: null,
    created_at: '2026-11-20T12:00:00.000000Z',
    ...fields,
  };
}

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
});

function openEntries() {
  const database = openDatabase(entriesSchema);
  opened.push(database);
  return createEntries(database);
}

/** Small alphabets, so that entries and companies meet on every tier and on none. */
const names = fc.constantFrom('Nord Werk', 'NORD  werk', 'Süd Bau', 'Ost');
const cities = fc.option(fc.constantFrom('Bonn', 'bonn', 'Kiel'));
const websites = fc.option(fc.constantFrom('https://nord.example', 'www.nord.example/x', 'http://sued.example:8080'));
const externalIds = fc.option(fc.constantFrom('1', '2', '3'));
const lists = fc.constantFrom('first', 'second', 'other');
const listed = fc.record({
  list: lists,
  company_name: names,
  city: cities,
  website_url: websites,
  external_id: externalIds,
});

type Listed = Entry & { readonly list: string };

/** The tiers as the specification tells them, one after the other over every entry. */
function slowMatch(entries: readonly Listed[], company: Matched) {
  const tiers = [
    ['external_id', (one: Listed) => one.external_id !== null && one.external_id === company.external_id],
    [
      'website_domain',
      (one: Listed) => domainOf(one.website_url) !== null && domainOf(one.website_url) === company.domain,
    ],
    [
      'name_and_city',
      (one: Listed) =>
        one.city !== null &&
        comparableName(one.city) === company.city &&
        comparableName(one.company_name) === company.name,
    ],
    ['name', (one: Listed) => comparableName(one.company_name) === company.name],
  ] as const;
  return tiers.find(([, matches]) => entries.some(matches))?.[0] ?? null;
}

describe('createEntries', () => {
  it('matches with the same tier as a direct implementation of the specification', () => {
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 8 }), listed, (stored, looked) => {
        const entries = openEntries();
        const all = stored.map((fields, place): Listed => ({ ...entry(String(place)), ...fields }));
        for (const one of all) entries.add(one.list, [one]);
        const company = {
          external_id: looked.external_id,
          domain: domainOf(looked.website_url),
          name: comparableName(looked.company_name),
          city: looked.city === null ? null : comparableName(looked.city),
        };
        const found = entries.match(['first', 'second'], company);
        const counted = all.filter(({ list }) => list !== 'other');
        expect(found?.tier ?? null).toBe(slowMatch(counted, company));
        // What is reported matches on that tier by itself.
        const reported = counted.filter(({ id }) => id === found?.id);
        expect(slowMatch(reported, company)).toBe(found?.tier ?? null);
      }),
    );
  });

  it('pages without gaps after any additions and removals', () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.constant('remove' as const)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(steps, fc.nat(9_000), fc.integer({ min: 1, max: 200 }), (plan, offset, limit) => {
        const entries = openEntries();
        let expected: Entry[] = [];
        for (const [round, step] of plan.entries()) {
          if (step === 'remove') {
            const removed = expected.filter((_, place) => place % 3 === round % 3).map(({ id }) => id);
            entries.remove('list', removed);
            expected = expected.filter(({ id }) => !removed.includes(id));
          } else {
            const added = Array.from({ length: step }, (_, place) => entry(`${round}/${place}`));
            entries.add('list', added);
            entries.add('another', [entry(`${round}/another`)]);
            expected.push(...added);
          }
        }
        expect(entries.count('list')).toBe(expected.length);
        expect(entries.page('list', { limit, offset })).toEqual(expected.slice(offset, offset + limit));
      }),
      { numRuns: runsOf(25) },
    );
  });

  it('removes no entries of another blacklist', () => {
    const entries = openEntries();
    entries.add('mine', [entry('a')]);
    entries.add('theirs', [entry('b')]);
    expect(entries.remove('mine', ['b', 'unknown'])).toBe(0);
    entries.removeAll('mine');
    expect([entries.count('mine'), entries.count('theirs')]).toEqual([0, 1]);
  });
});
