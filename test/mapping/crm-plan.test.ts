import { defaultContactPolicy, toCrmPlan, defaultMapping } from '../../src/mapping/crm-plan.ts';

describe('toCrmPlan', () => {
  const versionOf = (mapping: typeof defaultMapping) => toCrmPlan(mapping, defaultContactPolicy).mappingVersion;

  it('names the defaults by a version that stays from release to release', () => {
    expect(versionOf(defaultMapping)).toBe('ceecc6dc5e22');
  });

  it('gives the same mapping the same version in whatever order it is written, and another one another', () => {
    const { companies, contacts } = defaultMapping;
    const reversed = { companies: Object.fromEntries(Object.entries(companies).toReversed()), contacts };
    expect(versionOf(reversed)).toBe(versionOf(defaultMapping));
    const { phone: _phone, ...fewer } = companies;
    expect(versionOf({ companies: fewer, contacts })).not.toBe(versionOf(defaultMapping));
  });

  it('does not count the contact policy as mapping, and is plain data', () => {
    const plan = toCrmPlan(defaultMapping, { ...defaultContactPolicy, withoutEmail: 'create' });
    expect(plan.mappingVersion).toBe(versionOf(defaultMapping));
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});
