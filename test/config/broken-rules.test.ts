import { head, profile, refuse, rulesOf } from './config-harness.ts';

const run = `kind: discovery, briefing_quantity: 20000, profile: ${profile}`;

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
    const problems = rulesOf(refuse(head + text));
    expect(problems).toContain(rule);
    expect(problems.length).toBeGreaterThan(1);
  });
});
