/** The tables of docs/service-coverage.md: endpoints, fields and rules of the service, each with sandbox, client, use and test. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { clauseTable } from '../conformance/clauses/clause-table.ts';
import { sourcePaths } from '../src/delivery/mapping/source-paths.ts';
import { findClientFunctions, findSandboxRoutes, listContractObjects, operationTable } from './contract-links.ts';
import { toTable } from './generated-regions.ts';
import { ruleUsage } from './rule-usage.ts';
import { objectUsage } from './field-usage.ts';
import { operationUsage } from './operation-usage.ts';
import { readClauses, type SpecificationClause } from './specification-clauses.ts';

const root = path.join(import.meta.dirname, '..');
const testsOfChecks = 'test/specification/checks.test.ts';

/** Names that texts may have in backticks, beside files of the repository. */
export interface CoverageNames {
  readonly settings: readonly string[];
  /** For example `--legacy <id>`. */
  readonly options: readonly string[];
}

/** @throws where an operation, a field or a clause has no entry, an entry is stale, or a text names what does not exist */
export function toServiceCoverage(specification: string, names: CoverageNames) {
  const problems: string[] = [];
  const clauses = readClauses(specification);
  const objects = listContractObjects();
  const functions = findClientFunctions();
  const routes = findSandboxRoutes();
  const known = new Set([
    ...names.settings,
    ...names.options.map((option) => option.split(' ')[0]),
    ...functions.keys(),
    ...Object.keys(operationTable),
    ...objects.flatMap(({ fields }) => [...fields.keys()]),
    ...sourcePaths.keys(),
  ]);
  const endpoints = Object.entries(operationTable).map(([name, { method, path: route }]) => {
    const { use, test } = operationUsage[name] ?? { use: '', test: '' };
    const client = [...functions].filter(([, operation]) => operation === name).map(([fn]) => `\`${fn}\``);
    checkText(name, use);
    checkText(name, `\`${test}\``);
    if (use.startsWith('not used: ') !== (client.length === 0))
      problems.push(`${name}: an operation is "not used" when no function of the client sends it, and only then`);
    const call = `${method.toUpperCase()} ${route}`;
    const checks = clauses.filter((clause) => clause.name === call).flatMap(checksOf);
    return [
      `\`${call}\` (\`${name}\`)`,
      toCodes([routes[name] ?? '']),
      client.join(', ') || '–',
      use,
      toCodes([test, ...toChecksFile(checks)]),
    ];
  });
  const fields = objects.flatMap(({ places, fields: own, assumed: ofObject }) => {
    const [place = ''] = places;
    const { section = '', fields: entries = [] } = objectUsage[place] ?? {};
    return assign(place, [...own.keys()], entries, ' ').map(([members, use]) => {
      const named = clauses.filter((clause) => clause.section === section && members.includes(clause.name));
      const isAssumedError = ofObject !== null && /^\d/.test(place);
      const whole = isAssumedError ? [] : clauses.filter((clause) => contains(clause, place));
      const checks = named.length > 0 ? named : whole;
      const ofWhole = named.length > 0 ? null : (ofObject ?? operationTable[place.split(' ')[0] ?? '']?.assumed);
      const assumptions = new Set([...members.map((name) => own.get(name)), ofWhole].filter((id) => id != null));
      const specified = toCodes([...new Set(checks.flatMap(checksOf))]);
      const assumed = assumptions.size === 0 ? '' : `[${[...assumptions].join(', ')}](assumptions.md)`;
      const observed = [specified, assumed].filter((text) => text !== '').join('; ');
      return [toPlaces(places), toCodes(members), observed, use];
    });
  });
  const ofFields = (clause: SpecificationClause) =>
    objects.some(
      ({ places: [place = ''], fields: own }) => objectUsage[place]?.section === clause.section && own.has(clause.name),
    );
  const others = clauses.filter((clause) => !/^[A-Z]+ \/api\//.test(clause.name) && !ofFields(clause));
  const rules = [...Map.groupBy(others, ({ section }) => section)].flatMap(([section, members]) => {
    const entries = ruleUsage[section] ?? [];
    return assign(
      section,
      members.map(({ name }) => name),
      entries,
      ' | ',
    ).map(([group, use]) => {
      const own = members.filter(({ name }) => group.includes(name));
      const checks = [...new Set(own.flatMap(checksOf))];
      const reasons = own.flatMap(({ name }) => notObservable(section, name) ?? []);
      const tests = [...new Set([...toChecksFile(checks), ...own.flatMap(findOwnTests)])];
      const sandbox = [toCodes(checks), ...reasons.map((reason) => `not observable: ${reason}`)].filter(
        (text) => text !== '',
      );
      const toName = (name: string) => (name.length > 70 ? `${name.slice(0, 70)}…` : name);
      return [
        section,
        group.map(toName).join('; '),
        sandbox.join('; ') || 'not observable: a rule for clients',
        use,
        toCodes(tests) || '–',
      ];
    });
  });
  const stale = [
    ...Object.keys(operationUsage).filter((name) => operationTable[name] === undefined),
    ...Object.keys(objectUsage).filter((place) => !objects.some(({ places }) => places[0] === place)),
    ...Object.keys(ruleUsage).filter((section) => !others.some((clause) => clause.section === section)),
  ];
  problems.push(...stale.map((name) => `${name}: the entry is not in the contract or the specification any more`));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    endpoints: toTable(['Endpoint (operation)', 'Sandbox', 'Client', 'Used by', 'Tests'], endpoints),
    fields: toTable(['Where', 'Fields', 'Sandbox', 'prospect-sync'], fields),
    rules: toTable(['Section', 'Rules', 'Sandbox', 'prospect-sync', 'Tests'], rules),
  };

  function checkText(place: string, text: string): void {
    if (text === '' || text === '``')
      problems.push(`${place}: no entry. Add it to the table of its kind: tools/*-usage.ts`);
    for (const [, name = ''] of text.matchAll(/`([^`]+)`/g)) {
      // Commands are checked in the finished document.
      if (name.startsWith('prospect-sync ') || known.has(name)) continue;
      if (!name.includes('/') || !existsSync(path.join(root, name))) problems.push(`${place}: ${name} does not exist`);
    }
  }

  /** The names of each entry with its text. Each name must belong to exactly one entry. */
  function assign(
    place: string,
    all: readonly string[],
    entries: readonly (readonly [string, string])[],
    separator: string,
  ) {
    const listed = entries.flatMap(([group]) => (group === '*' ? [] : split(group)));
    const rest = all.filter((name) => !listed.includes(name));
    const groups = entries.map(([group, use]) => [group === '*' ? rest : split(group), use] as const);
    const given = groups.flatMap(([group]) => group);
    const wrong = [...all, ...given].filter(
      (name) => !all.includes(name) || given.filter((other) => other === name).length !== 1,
    );
    problems.push(
      ...[...new Set(wrong)].map((name) => `${place} > ${name}: needs exactly one entry, for a name that exists`),
    );
    for (const [group, use] of groups) {
      if (group.length === 0) problems.push(`${place}: the entry "${use}" has no names`);
      checkText(place, use);
    }
    return groups;

    function split(group: string): string[] {
      return all.includes(group) ? [group] : group.split(separator);
    }
  }
}

/** Whether the clause describes the whole in which an object stands: its endpoint, its status or the body of the webhook. */
function contains({ section, name }: SpecificationClause, place: string): boolean {
  const [owner = '', part = ''] = place.split(/[ .[]/);
  const operation = operationTable[owner];
  if (operation !== undefined) return name === `${operation.method.toUpperCase()} ${operation.path}`;
  if (part === 'webhook') return section === 'Request sent to the receiver, Body fields' && name === 'data';
  return section === 'Errors' && name.startsWith(owner);
}

function checksOf({ section, name }: SpecificationClause): readonly string[] {
  const coverage = clauseTable[section]?.[name];
  return Array.isArray(coverage) ? coverage : [];
}

function notObservable(section: string, name: string): string | null {
  const coverage = clauseTable[section]?.[name];
  return typeof coverage === 'object' && 'notObservable' in coverage ? coverage.notObservable : null;
}

/** Checks of webhooks have no request, so that other tests name their clauses. */
function toChecksFile(checks: readonly string[]): string[] {
  return checks.some((id) => !id.startsWith('webhooks.')) ? [testsOfChecks] : [];
}

const specificationTests = globSync('test/specification/*.test.ts', { cwd: root })
  .toSorted()
  .map((file) => ({ file, blocks: readFileSync(path.join(root, file), 'utf8').split(/^describe/m) }));

function findOwnTests({ section, name }: SpecificationClause): string[] {
  const starts = ["'", '`', '"'].flatMap((quote) => [`${quote}${name}: `, `${quote}${name}${quote}`]);
  return specificationTests.flatMap(({ file, blocks }) =>
    blocks.some((block) => block.includes(`'${section}'`) && starts.some((start) => block.includes(start)))
      ? [file]
      : [],
  );
}

function toPlaces(places: readonly string[]): string {
  const [first = '', ...more] = places;
  const others = [...new Set(more.map((place) => place.split(' ')[0] ?? ''))];
  return others.length === 0 ? `\`${first}\`` : `\`${first}\`; also in ${toCodes(others)}`;
}

function toCodes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
