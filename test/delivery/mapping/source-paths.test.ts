import { companySchema, prospectSchema, slotSchema } from '../../../src/service/contract/result.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { sourcePaths, valuesAt } from '../../../src/delivery/mapping/source-paths.ts';
import { company, prospect, slot } from './slot-builders.ts';

describe('sourcePaths', () => {
  it('contains every field of the contract, with the company of a slot as its own root', () => {
    const named = (root: string) =>
      [...sourcePaths.keys()].filter((path) => path.split('.')[0] === root && path.split('.').length === 2);
    const of = (root: string, shape: object) => Object.keys(shape).map((name) => `${root}.${name}`);
    expect(named('company')).toEqual([...of('company', companySchema.shape), 'company.website_markdown']);
    expect(named('prospect')).toEqual(of('prospect', prospectSchema.shape));
    expect(named('slot')).toEqual(of('slot', slotSchema.shape).filter((path) => path !== 'slot.company'));
    expect(named('order')).toEqual(['order.id', 'order.run', 'order.title']);
  });

  it.each([
    ['company.name', 'text'],
    ['company.id', 'text'],
    ['company.website_markdown', 'text'],
    ['company.employee_count', 'number'],
    ['company.fit_score', 'number'],
    ['prospect.email_client_deliverable', 'boolean'],
    ['slot.status', 'text'],
    ['slot.delivered_at', 'text'],
    ['slot.input_position', 'number'],
    ['slot.reason_codes', 'list'],
    ['slot.reasons', 'records'],
    ['slot.reasons.code', 'list'],
    ['company.prospects', 'records'],
    ['company.prospects.full_name', 'list'],
    ['slot.company', undefined],
    ['company', undefined],
  ])('has for %s the kind %s', (path, kind) => {
    expect(sourcePaths.get(path)).toBe(kind);
  });

  it('contains the paths of the default mapping', () => {
    const from = [...Object.values(defaultMapping.companies), ...Object.values(defaultMapping.contacts)];
    expect(from.filter(({ from }) => !sourcePaths.has(from))).toEqual([]);
  });
});

describe('valuesAt', () => {
  const reasons = [
    { code: 'A', message: 'First', detail: null },
    { code: 'B', message: '', detail: 'fact' },
  ];
  const source = {
    slot: slot({ reasons, reason_codes: ['A', 'B'] }),
    company: company({ prospects: [prospect(), prospect({ job_title: null })], employee_count: 0 }),
  };

  it.each([
    ['company.name', ['Acme GmbH']],
    ['company.employee_count', ['0']],
    ['company.phone', []],
    ['slot.reason_codes', ['A', 'B']],
    ['slot.reasons.message', ['First']],
    ['slot.reasons.detail', ['fact']],
    ['company.prospects.job_title', ['Head of Sales']],
    ['prospect.email', []],
    ['company.constructor', []],
    ['nothing.at.all', []],
  ])('returns the values of %s', (path, values) => {
    expect(valuesAt(path, source)).toEqual(values);
  });

  it('returns one value for each record of a list', () => {
    expect(valuesAt('company.prospects', source)).toHaveLength(2);
  });

  it('reads every path of a complete result without an error', () => {
    const whole = { ...source, prospect: prospect(), order: { id: 'o', run: 'r', title: 't' } };
    for (const path of sourcePaths.keys()) expect(() => valuesAt(path, whole)).not.toThrow();
  });
});
