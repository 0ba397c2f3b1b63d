/**
 * Rules that span several settings. They read the file as written, not as parsed, so that they speak even when the
 * schema has complaints of its own: all problems are reported at once.
 */
import { toMilliseconds } from './duration.ts';
import { toHeaderKey } from '../spreadsheet/table.ts';
import { childOf } from './json-schema.ts';
import { checkQuantities } from './limit-rules.ts';
import { checkContacts, checkMapping } from './mapping-rules.ts';
import { closestMatch } from '../text/suggestions.ts';
import { checkPlainHttp } from './plain-http-rules.ts';
import { checkServiceOutputs } from './output-rules.ts';
import { checkSchedule } from './schedule-rules.ts';
import { toKnownNames } from './problems.ts';
import type { PathProblem } from './schema-problems.ts';
import { toPrintableKey } from '../text/printable-text.ts';
import { checkEncryption, encryptionKey, encryptionKeyPaths } from './encryption-rules.ts';
import { allowedVariables, mayBeNamed, type Environment } from './environment.ts';
import { ownValue } from '../json/own-value.ts';

type Path = readonly PropertyKey[];

export function checkReferences(file: unknown, env: Environment): PathProblem[] {
  const exclusions = new Set(namedEntries(childOf(file, 'exclusions')).map(([name]) => name));
  return [
    ...environmentSettings.flatMap((setting) => checkVariable(file, env, setting)),
    ...encryptionKeyPaths(file).flatMap((path) => checkVariable(file, env, { path, ...encryptionKey })),
    ...checkEncryption(file),
    ...checkPlainHttp(file, env),
    ...checkPolling(file, 'order', { first: 30_000, max: 600_000, words: '30s and 10m' }),
    ...checkPolling(file, 'output', { first: 5_000, max: 60_000, words: '5s and 1m' }),
    ...checkQuantities(file),
    ...checkMapping(file),
    ...checkContacts(file),
    ...checkExclusions(file),
    ...namedEntries(childOf(file, 'runs')).flatMap(([name, run]) => [
      ...checkRunExclusions(exclusions, ['runs', name, 'exclusions'], childOf(run, 'exclusions')),
      ...checkCompanies(['runs', name, 'companies'], childOf(run, 'companies')),
      ...checkServiceOutputs(['runs', name, 'service_outputs'], run),
      ...checkSchedule(['runs', name, 'schedule'], childOf(run, 'schedule')),
    ]),
  ];
}

interface EnvironmentSetting {
  readonly path: Path;
  readonly pattern: RegExp;
  readonly rule: string;
}

const address = {
  pattern: /^https?:\/\/[^\s/@]+(?:\/[^\s@]*)?$/,
  rule: 'must hold an http or https address without a password',
};
/** A copied line break or dash makes a token that no HTTP header may carry. */
const token = { pattern: /^[\x21-\x7e]+$/, rule: 'must hold plain characters without white space' };
const environmentSettings: readonly EnvironmentSetting[] = [
  { path: ['service', 'base_url'], ...address },
  { path: ['service', 'api_key'], ...token },
  { path: ['hubspot', 'base_url'], ...address },
  { path: ['hubspot', 'token'], ...token },
  { path: ['ledger', 'database_url'], pattern: /^postgres(?:ql)?:\/\/\S+$/, rule: 'must hold a postgres:// address' },
];

function checkVariable(file: unknown, env: Environment, { path, pattern, rule }: EnvironmentSetting): PathProblem[] {
  const name = childOf(path.reduce(childOf, file), 'env');
  // A name of another form is refused by the schema, and must not be repeated: it may be the secret itself.
  if (typeof name !== 'string' || !/^[A-Z_][A-Z0-9_]*$/.test(name)) return [];
  const at = [...path, 'env'];
  if (!mayBeNamed(name, env)) {
    const remedy = () =>
      `PROSPECT_SYNC_ENV_ALLOWED of this process allows ${toKnownNames(allowedVariables(env) ?? [])}`;
    return [problem(at, `environment variable ${name} is not allowed here`, remedy)];
  }
  const value = ownValue(env, name);
  if (value === undefined || value === '') {
    const state = value === undefined ? 'not set' : 'empty';
    return [problem(at, `environment variable ${name} is ${state}`, 'Set it, or write the name of another one')];
  }
  return pattern.test(value)
    ? []
    : [problem(at, `environment variable ${name} ${rule}`, 'Its value is not shown here')];
}

interface PollingDefaults {
  readonly first: number;
  readonly max: number;
  readonly words: string;
}

function checkPolling(file: unknown, what: 'order' | 'output', defaults: PollingDefaults): PathProblem[] {
  const polling = childOf(file, 'polling');
  const read = (key: string, whenAbsent: number) => {
    const text = childOf(polling, key);
    return text === undefined ? whenAbsent : typeof text === 'string' ? toMilliseconds(text) : null;
  };
  const first = read(`${what}_first`, defaults.first);
  const max = read(`${what}_max`, defaults.max);
  if (first === null || max === null || first <= max) return [];
  const path = ['polling', childOf(polling, `${what}_max`) === undefined ? `${what}_first` : `${what}_max`];
  return [problem(path, `${what}_max must not be below ${what}_first`, `They are ${defaults.words} when left out`)];
}

function checkExclusions(file: unknown): PathProblem[] {
  const seen = new Map<unknown, string>();
  return namedEntries(childOf(file, 'exclusions')).flatMap(([name, exclusions]) => {
    const found: PathProblem[] = [];
    const path = ['exclusions', name];
    if (isMap(exclusions) && !['hubspot', 'csv', 'xlsx'].some((source) => has(exclusions, source)))
      found.push(problem(path, 'needs a source', 'Add hubspot, csv or xlsx, or several of them', 'key'));
    if (isMap(exclusions) && namesNobody(childOf(exclusions, 'hubspot')))
      found.push(problem([...path, 'hubspot'], 'names nobody to exclude', hubspotSources, 'key'));
    found.push(...checkSheet(path, exclusions));
    found.push(...checkColumns([...path, 'columns'], childOf(exclusions, 'columns')));
    if (has(exclusions, 'columns') && !has(exclusions, 'csv') && !has(exclusions, 'xlsx'))
      found.push(
        problem([...path, 'columns'], 'goes with csv or xlsx only', 'HubSpot companies have no columns', 'key'),
      );
    const blacklist = childOf(exclusions, 'blacklist');
    const earlier = seen.get(blacklist);
    if (typeof blacklist === 'string' && earlier !== undefined)
      found.push(problem([...path, 'blacklist'], `is the blacklist of exclusions.${earlier} already`, sharedBlacklist));
    else seen.set(blacklist, name);
    return found;
  });
}

const hubspotSources = 'Add lifecycle_stages, open_deals: true, closed_won_within_days, lists or do_not_contact';

function namesNobody(hubspot: unknown): boolean {
  return isMap(hubspot) && namedEntries(hubspot).every(([key, value]) => key === 'open_deals' && value === false);
}

const sharedBlacklist = 'Two sources of one blacklist would remove each other’s entries: give it another name';

function checkRunExclusions(known: ReadonlySet<string>, path: Path, names: unknown): PathProblem[] {
  if (!Array.isArray(names)) return [];
  const seen = new Set<string>();
  return names.flatMap((name: unknown, index) => {
    if (typeof name !== 'string') return [];
    if (seen.has(name)) return [problem([...path, index], 'is named twice', 'Remove one of them')];
    seen.add(name);
    if (known.has(name)) return [];
    const remedy = () => {
      const near = closestMatch(name, [...known]);
      return near === null ? `Known there: ${toKnownNames([...known])}` : `Did you mean ${near}?`;
    };
    return [problem([...path, index], `exclusions has no "${toPrintableKey(name)}"`, remedy)];
  });
}

function checkCompanies(path: Path, companies: unknown): PathProblem[] {
  if (!isMap(companies)) return [];
  const sources = ['csv', 'xlsx', 'hubspot'].filter((source) => has(companies, source));
  if (sources.length !== 1) return [problem(path, 'needs exactly one source', 'Write csv, xlsx or hubspot', 'key')];
  const remedy = 'HubSpot companies carry their record id, and have no columns';
  const ofFiles = ['external_ids', 'columns'].filter((key) => has(companies, key) && has(companies, 'hubspot'));
  return [
    ...ofFiles.map((key) => problem([...path, key], 'goes with csv or xlsx only', remedy, 'key')),
    ...checkSheet(path, companies),
    ...checkColumns([...path, 'columns'], childOf(companies, 'columns')),
  ];
}

/** A column holds one field: two from one column would order nonsense. */
function checkColumns(path: Path, columns: unknown): PathProblem[] {
  const seen = new Map<string, string>();
  const ignored = childOf(columns, 'ignore');
  for (const header of Array.isArray(ignored) ? ignored : []) seen.set(toHeaderKey(String(header)), 'ignore');
  return namedEntries(columns).flatMap(([field, header]) => {
    if (typeof header !== 'string') return [];
    const earlier = seen.get(toHeaderKey(header));
    seen.set(toHeaderKey(header), field);
    if (earlier === undefined) return [];
    return [
      problem([...path, field], `names the column of ${earlier} again`, 'Name another column, or remove one of them'),
    ];
  });
}

function checkSheet(path: Path, source: unknown): PathProblem[] {
  if (!isMap(source) || has(source, 'xlsx')) return [];
  return ['sheet', 'header_row']
    .filter((key) => has(source, key))
    .map((key) => problem([...path, key], 'goes with xlsx only', 'Remove it, or name an Excel file', 'key'));
}

function problem(path: Path, rule: string, remedy: PathProblem['remedy'], at: 'key' | 'value' = 'value'): PathProblem {
  return { path, at, rule, found: null, remedy };
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(value: unknown, key: string): boolean {
  return childOf(value, key) !== undefined;
}

function namedEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
