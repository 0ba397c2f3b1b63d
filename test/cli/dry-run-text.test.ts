import { toDryRunText } from '../../src/cli/run.ts';
import { toRunPlan } from '../../src/config/run-plan.ts';
import { findRun } from '../../src/cli/configuration.ts';
import { head, read } from '../config/config-harness.ts';

const id = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';

describe('toDryRunText', () => {
  it.each([
    ['profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Italy, Spain]}', 'Italy, Spain'],
    [`profile_id: ${id}, order: {target_countries: [Italy]}`, 'Italy'],
    [`profile_id: ${id}`, null],
  ])('shows the target countries of a discovery: %s', (settings, countries) => {
    const config = read(
      `${head.replace('service: {', 'service: {requests: {target_countries: send}, ')}runs: {a: {kind: discovery, briefing_quantity: 1, ${settings}}}`,
    );
    const plan = toRunPlan(config, 'a', findRun(config, 'a'));
    const text = toDryRunText({ plan, quantity: 1, source: null, exclusions: [], crm: null });
    expect(/^ {2}countries {2}(.*)$/m.exec(text)?.[1] ?? null).toBe(countries);
  });
});
