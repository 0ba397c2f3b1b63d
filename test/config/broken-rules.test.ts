import { parseConfig } from '../../src/config/load-config.ts';

const head = `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: KEY}}
`;
const run =
  'kind: discovery, briefing_quantity: 20000, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}';

function problemsOf(text: string): string[] {
  const parsed = parseConfig(head + text, { env: { KEY: 'k' }, file: '/x/prospect-sync.yaml' });
  return parsed.ok ? [] : parsed.problems.map(({ field, rule }) => `${field}: ${rule}`);
}

/** A file with an error of its schema, and the rule that it breaks as well. */
const files: readonly (readonly [fault: string, text: string, rule: string])[] = [
  [
    'an empty source',
    'exclusions: {a: {blacklist: B, hubspot: , columns: {company_name: Firma}}}',
    'exclusions.a.columns: goes with csv or xlsx only',
  ],
  [
    'a file name that is a number',
    'exclusions: {a: {blacklist: B, csv: 7, hubspot: {}}}',
    'exclusions.a.hubspot: selects no companies',
  ],
  [
    'an unknown setting of an output',
    `limits: {max_briefings_per_run: 30000}\nruns: {a: {${run}, service_outputs: [{type: csv, colour: red}, {type: csv}]}}`,
    'runs.a.service_outputs[1]: has the same destination as service_outputs[0]',
  ],
  [
    'an invalid duration',
    `runs: {a: {${run}, schedule: {cron: "0 6 * * 1", offset: often}}}`,
    'runs.a.schedule.offset: goes with every only',
  ],
  [
    'an invalid field of a calendar',
    `runs: {a: {${run}, schedule: {calendars: [{hour: true, minute: "99"}]}}}`,
    'runs.a.schedule.calendars[0].minute: must be minutes 0 to 59: a number, 1-5, */15, or several of them',
  ],
  [
    'empty limits',
    `limits:\nruns: {a: {${run}}}`,
    'runs.a.briefing_quantity: at most 10,000 (limits.max_briefings_per_run)',
  ],
];

describe('parseConfig', () => {
  it.each(files)('reports a broken rule together with %s', (_, text, rule) => {
    const problems = problemsOf(text);
    expect(problems).toContain(rule);
    expect(problems.length).toBeGreaterThan(1);
  });

  it('compares order_first with the default of order_max when polling has no other setting', () => {
    expect(problemsOf('polling: {order_first: 20m}')).toEqual([
      'polling.order_first: order_max must not be below order_first',
    ]);
  });
});
