import { toDryRunText } from '../../src/cli/run.ts';
import { toRunPlan } from '../../src/config/run-plan.ts';
import { findRun } from '../../src/cli/configuration.ts';
import { head, read } from '../config/config-harness.ts';

const id = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';

function dryRunOf(settings: string): string {
  const config = read(
    `${head.replace('service: {', 'service: {requests: {target_countries: send}, ')}runs: {a: {kind: discovery, briefing_quantity: 1, ${settings}}}`,
  );
  const plan = toRunPlan(config, 'a', findRun(config, 'a'));
  return toDryRunText({ plan, quantity: 1, source: null, shownRows: [], exclusions: [], crm: null });
}

describe('toDryRunText', () => {
  it.each([
    ['company_size_min: 50, company_size_max: 500', 'from 50 to 500'],
    ['company_size_min: 50', 'from 50'],
    ['company_size_max: 500', 'to 500'],
  ])('shows everything that a discovery searches, with %s', (sizes, employees) => {
    const limits =
      'target_cities: [Linz, Graz], target_industries: [Steel], excluded_industries: [Retail, Banks], contact_roles: [Head of IT]';
    expect(
      dryRunOf(
        `profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Austria], ${limits}, ${sizes}}`,
      ).split('\n'),
    ).toEqual(
      expect.arrayContaining([
        '  customer   I',
        '  countries  Austria',
        '  cities     Linz, Graz',
        '  industries Steel',
        '  without    Retail, Banks',
        `  employees  ${employees}`,
        '  roles      Head of IT',
      ]),
    );
  });

  it.each([
    ['profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Italy, Spain]}', 'Italy, Spain'],
    [`profile_id: ${id}, order: {target_countries: [Italy]}`, 'Italy'],
    [`profile_id: ${id}`, null],
    ['profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Italy], target_cities: []}', 'Italy'],
  ])('shows the target countries of a discovery, and nothing else that is not set: %s', (settings, countries) => {
    const text = dryRunOf(settings);
    expect(text).not.toMatch(/^ {2}(?:cities|industries|without|employees) /m);
    expect(/^ {2}countries {2}(.*)$/m.exec(text)?.[1] ?? null).toBe(countries);
  });
});
