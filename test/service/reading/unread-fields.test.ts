import type { Shape } from '../../../src/service/reading/shape.ts';
import { createUnreadReader } from '../../../src/service/reading/read-slot.ts';

const shape: Shape = {
  company: {
    name: { path: 'name', by: 'name' },
    city: { path: 'address.city', by: 'name' },
    phone: { path: null, by: 'absent' },
    prospects: { path: 'company.people', by: 'name' },
  },
  prospect: { email: { path: 'contact.email', by: 'name' } },
};

const read = (slot: unknown, changed: Partial<Shape['company']> = {}) => [
  ...createUnreadReader({ ...shape, company: { ...shape.company, ...changed } })(slot),
];

describe('createUnreadReader', () => {
  it('names company fields that are not read, and only the outermost of nested ones', () => {
    const company = { name: 'x', address: { city: 'x', zip: 'x' }, turnover: 1, briefing: { text: 'x' }, phone: 'x' };
    expect(read({ company })).toEqual(['company.turnover', 'company.briefing', 'company.phone']);
  });

  it('names fields of contacts once', () => {
    const people = [
      { contact: { email: 'x' }, seniority: 'x' },
      { seniority: 'x', age: 1 },
    ];
    expect(read({ company: { name: 'x', people } })).toEqual(['company.people[].seniority', 'company.people[].age']);
  });

  it('names fields of contacts that are listed beside the company', () => {
    const slot = { company: { name: 'x', people: [] }, contacts: [{ age: 1 }] };
    expect(read(slot, { prospects: { path: 'contacts', by: 'name' } })).toEqual(['company.people', 'contacts[].age']);
  });

  it('names the list of contacts when it is not read', () => {
    expect(read({ company: { people: [{ age: 1 }] } }, { prospects: { path: null, by: 'absent' } })).toEqual([
      'company.people',
    ]);
  });

  it('ignores the records around the list of contacts', () => {
    const company = { relationships: { people: { data: [{ age: 1 }] } } };
    expect(read({ company }, { prospects: { path: 'company.relationships.people.data', by: 'name' } })).toEqual([
      'company.relationships.people.data[].age',
    ]);
  });

  it.each([null, 'text', {}, { company: null }])('returns nothing for %j', (slot) => {
    expect(read(slot)).toEqual([]);
  });
});
