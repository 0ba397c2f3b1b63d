import { describeShape } from '../../../src/service/reading/describe-shape.ts';
import { defaultShape, type Shape } from '../../../src/service/reading/shape.ts';

const shape: Shape = {
  company: {
    name: { path: 'name', by: 'name' },
    domain: { path: 'web.host', by: 'value' },
    employee_count: { path: 'size', by: 'setting' },
    city: { path: null, by: 'absent' },
    prospects: { path: 'company.people', by: 'name' },
  },
  prospect: { email: { path: 'contact.mail', by: 'value' } },
};
const slots = [
  {
    input_position: 0,
    company: {
      name: 'nordwind solar',
      web: { host: 'nordwind.example' },
      size: { min: 11, max: 50 },
      people: [{ contact: { mail: 'anna@nordwind.example' } }, { contact: { mail: '-' } }],
    },
  },
  { input_position: 1, company: null },
  { input_position: 2, company: { name: '', web: {}, people: [] } },
];

function find(name: string, given: typeof slots = slots) {
  return describeShape(shape, given).find(({ field }) => field === name);
}

describe('describeShape', () => {
  it('returns every field of companies and prospects once', () => {
    const fields = describeShape(shape, slots).map(({ field }) => field);
    expect(fields).toHaveLength(Object.keys(defaultShape.company).length + Object.keys(defaultShape.prospect).length);
    expect(new Set(fields).size).toBe(fields.length);
  });

  it.each([
    [
      'company.name',
      { path: 'name', by: 'name', need: 'identity', values: 1, records: 2, example: '"xxxxxxxx xxxxx"' },
    ],
    [
      'company.domain',
      { path: 'web.host', by: 'value', need: 'identity', values: 1, records: 2, example: '"xxxxxxxx.xxxxxxx"' },
    ],
    [
      'company.employee_count',
      { path: 'size', by: 'setting', need: 'firmographics', values: 1, records: 2, example: 'a range' },
    ],
    ['company.city', { path: null, by: 'absent', need: 'firmographics', values: 0, records: 2, example: null }],
    ['company.street', { path: null, by: 'absent', need: 'firmographics', values: 0, records: 2, example: null }],
    [
      'company.prospects',
      { path: 'company.people', by: 'name', need: 'contact', values: 1, records: 3, example: 'a list' },
    ],
    [
      'prospect.email',
      { path: 'contact.mail', by: 'value', need: 'contact', values: 1, records: 2, example: '"xxxx@xxxxxxxx.xxxxxxx"' },
    ],
  ])('describes %s', (field, expected) => {
    expect(find(field)).toEqual({ field, ...expected });
  });

  it('returns no values and no examples without slots', () => {
    expect(find('company.name', [])).toMatchObject({ path: 'name', values: 0, records: 0, example: null });
  });

  it('contains no value of the slots', () => {
    expect(JSON.stringify(describeShape(shape, slots))).not.toMatch(/nordwind|anna/i);
  });
});
