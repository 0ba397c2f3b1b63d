import { companyFields } from '../../../src/service/contract/company-fields.ts';
import { prospectFields } from '../../../src/service/contract/prospect-fields.ts';
import { defaultShape, driftBetween, shapeSchema, type Shape } from '../../../src/service/reading/shape.ts';

const before: Shape = {
  company: {
    name: { path: 'name', by: 'name' },
    domain: { path: 'web.host', by: 'value' },
    prospects: { path: 'company.people', by: 'name' },
  },
  prospect: { email: { path: 'email', by: 'name' }, phone: { path: null, by: 'absent' } },
};

describe('driftBetween', () => {
  it('returns nothing when every field has the same path, however it was found', () => {
    const now: Shape = { ...before, company: { ...before.company, name: { path: 'name', by: 'setting' } } };
    expect(driftBetween(before, now)).toEqual([]);
    expect(driftBetween(before, before)).toEqual([]);
  });

  it('lists fields whose path changed, appeared or disappeared', () => {
    const now: Shape = {
      company: {
        name: { path: 'legal_name', by: 'name' },
        domain: { path: null, by: 'absent' },
        prospects: { path: 'company.contacts', by: 'name' },
      },
      prospect: { email: { path: 'email', by: 'name' }, phone: { path: 'tel', by: 'name' } },
    };
    expect(driftBetween(before, now)).toEqual([
      { field: 'company.name', was: 'name', is: 'legal_name' },
      { field: 'company.domain', was: 'web.host', is: null },
      { field: 'company.prospects', was: 'company.people', is: 'company.contacts' },
      { field: 'prospect.phone', was: null, is: 'tel' },
    ]);
  });

  it('treats a field that was unknown before as absent', () => {
    const now: Shape = {
      company: { city: { path: 'city', by: 'name' }, street: { path: null, by: 'absent' } },
      prospect: {},
    };
    expect(driftBetween({ company: {}, prospect: {} }, now)).toEqual([
      { field: 'company.city', was: null, is: 'city' },
    ]);
  });
});

describe('defaultShape', () => {
  it('reads every field under its own name', () => {
    expect(Object.keys(defaultShape.company).toSorted()).toEqual(Object.keys(companyFields).toSorted());
    expect(Object.keys(defaultShape.prospect).toSorted()).toEqual(Object.keys(prospectFields).toSorted());
    expect(defaultShape.company.prospects).toEqual({ path: 'company.prospects', by: 'name' });
    expect(shapeSchema.parse(defaultShape)).toEqual(defaultShape);
  });
});
