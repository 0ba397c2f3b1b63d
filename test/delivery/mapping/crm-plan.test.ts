import { toCrmPlan } from '../../../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';

describe('toCrmPlan', () => {
  const versionOf = (mapping: typeof defaultMapping) => toCrmPlan(mapping, defaultContactPolicy).mappingVersion;

  it('gives the default mapping the same version in every release', () => {
    expect(versionOf(defaultMapping)).toBe('ceecc6dc5e22');
  });

  it('gives equal mappings one version, whatever their order, and other mappings another one', () => {
    const { companies, contacts } = defaultMapping;
    const reversed = { companies: Object.fromEntries(Object.entries(companies).toReversed()), contacts };
    expect(versionOf(reversed)).toBe(versionOf(defaultMapping));
    const { phone: _phone, ...fewer } = companies;
    expect(versionOf({ companies: fewer, contacts })).not.toBe(versionOf(defaultMapping));
  });

  it('keeps the version when only the contact policy changes, and returns plain data', () => {
    const plan = toCrmPlan(defaultMapping, { ...defaultContactPolicy, withoutEmail: 'create' });
    expect(plan.mappingVersion).toBe(versionOf(defaultMapping));
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});
