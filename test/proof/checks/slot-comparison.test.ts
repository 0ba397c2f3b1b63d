import * as fc from 'fast-check';
import { compareReadings, isSameContent } from '../../../src/proof/checks/slot-comparison.ts';

const slot = { status: 'PARTIAL', reasons: [{ code: 'A', message: 'Words' }], company: { id: '1', name: 'Acme' } };

describe('isSameContent', () => {
  it('ignores the wording of a code, and fields that only the second reading has', () => {
    expect(isSameContent(slot, { ...slot, reasons: [{ code: 'A', message: 'Other words' }], news: 1 })).toBe(true);
  });

  it.each([
    ['another status', { ...slot, status: 'ENRICHED' }],
    ['another reason', { ...slot, reasons: [{ code: 'B', message: 'Words' }] }],
    ['one reason more', { ...slot, reasons: [...slot.reasons, { code: 'B', message: 'Words' }] }],
    ['another name', { ...slot, company: { id: '1', name: 'Other' } }],
    ['no company', { ...slot, company: null }],
  ])('detects %s', (_, other) => {
    expect(isSameContent(slot, other)).toBe(false);
    expect(isSameContent(other, slot)).toBe(false);
  });

  it('is true for any value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSameContent(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });

  it('misses a field that only the first reading has, unless it has no value', () => {
    const { company: _, ...without } = slot;
    expect(isSameContent(slot, without)).toBe(false);
    expect(isSameContent({ ...slot, note: null }, slot)).toBe(true);
  });
});

describe('compareReadings', () => {
  const people = ['Ada', 'Ben', 'Cleo'].map((name) => ({ name }));
  const withPeople = (prospects: unknown, changes: object = {}) => ({
    status: 'ENRICHED',
    company: { id: '1', prospects, ...changes },
  });
  const compare = (prospects: unknown, changes: object) =>
    compareReadings(withPeople(people), withPeople(prospects, changes), 'company.prospects');

  it.each<[string, string, unknown, object]>([
    ['same', 'the same people', people, {}],
    ['withdrawn', 'the first person less', people.slice(1), {}],
    ['withdrawn', 'one of three people', [people[1]], {}],
    ['withdrawn', 'an empty list', [], {}],
    ['changed', 'no list', undefined, {}],
    ['changed', 'another person', [...people.slice(0, 2), { name: 'Dora' }], {}],
    ['changed', 'people in another order', people.toReversed(), {}],
    ['changed', 'one person more', [...people, { name: 'Dora' }], {}],
    ['changed', 'a person less and another id', people.slice(1), { id: '2' }],
  ])('is %s for %s', (expected, _, prospects, changes) => {
    expect(compare(prospects, changes)).toBe(expected);
  });

  it('is changed for a shorter list that is not the list of people', () => {
    const tagged = (tags: string[]) => ({ tags, company: { prospects: people } });
    expect(compareReadings(tagged(['a', 'b']), tagged(['a']), 'company.prospects')).toBe('changed');
  });
});
