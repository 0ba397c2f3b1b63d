import { parseDocument } from 'yaml';
import { parseConfig } from '../../src/config/load-config.ts';
import { sampleOf } from '../helpers/sample.ts';
import { processorMs } from '../helpers/processor-time.ts';

const head = `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
`;
const parse = (text: string) =>
  parseConfig(head + text, { env: { KEY: 'k', TOKEN: 't' }, file: '/x/prospect-sync.yaml' });

const run =
  'kind: discovery, briefing_quantity: 1, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}';
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Files with this many errors of one kind. */
const faults: Readonly<Record<string, (count: number) => string>> = {
  'unknown sections': (count) => lines(count, (at) => `section_${at}: 1`),
  'unknown settings of a run': (count) =>
    `runs:\n  a:\n    kind: discovery\n${lines(count, (at) => `    briefing_${at}: 1`)}`,
  'runs of the wrong kind': (count) => `runs:\n${lines(count, (at) => `  run-${at}: {kind: x}`)}`,
  'runs with bad names': (count) => `runs:\n${lines(count, (at) => `  Run_${at}: {${run}}`)}`,
  'unknown exclusions among as many known ones': (count) =>
    `exclusions:\n${lines(count, (at) => `  known-${at}: {blacklist: b${at}, csv: a.csv}`)}\nruns:\n  a: {${run}, exclusions: [${lines(count, (at) => `unknown-${at}`).replaceAll('\n', ', ')}]}`,
  'runs with one unknown exclusion each': (count) =>
    `exclusions:\n${lines(count, (at) => `  known-${at}: {blacklist: b${at}, csv: a.csv}`)}\nruns:\n${lines(count, (at) => `  run-${at}: {${run}, exclusions: [other]}`)}`,
  'fields that there are not': (count) =>
    `mapping:\n  companies:\n${lines(count, (at) => `    p_${at}: company.nam${at}`)}`,
  'repeated outputs': (count) =>
    `runs:\n  a: {${run}, service_outputs: [${lines(count, () => '{type: csv}').replaceAll('\n', ', ')}]}`,
  'keys of one id': (count) =>
    `temporal: {encryption: {key: {id: a, env: KEY}, older_keys: [${lines(count, () => '{id: a, env: KEY}').replaceAll('\n', ', ')}]}}`,
  'aliases of nothing': (count) => lines(count, (at) => `section_${at}: *none`),
};

describe('parseConfig with thousands of problems', () => {
  it.each(sampleOf(Object.entries(faults), 1))(
    'reports 20 of all %s in time proportional to the size of the file',
    (_, write) => {
      const [few, many] = [write(100), write(800)];
      const found = parse(many);
      expect(found.ok ? [] : found.problems).toHaveLength(20);
      expect(found.ok ? 0 : found.more).toBeGreaterThanOrEqual(780);
      // Eight times the work; 64 times if each problem were compared with all others.
      expect(processorMs(() => parse(many))).toBeLessThan(30 * processorMs(() => parse(few)));
    },
  );

  it('takes little longer than reading the file', () => {
    const text = lines(1_000, (at) => `section_${at}: 1`);
    expect(processorMs(() => parse(text))).toBeLessThan(20 * processorMs(() => parseDocument(text)));
  });

  it('suggests nothing for a name that is too long to be a misspelling', () => {
    const found = parse(`${'runs'.repeat(250)}: 1`);
    const [problem] = found.ok ? [] : found.problems;
    expect(problem?.remedy).toMatch(/^Known here: service, hubspot, /);
    expect(problem?.field).toHaveLength(60);
  });
});
