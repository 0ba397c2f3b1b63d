/**
 * `npm run coverage:spec` proves that each clause of docs/service-interface.md (row of a table, numbered rule, sentence with
 * "must", "never" or "only") stands in conformance/clauses/ and is named by a test of test/specification/ that passed.
 *
 * `npm run coverage:spec -- SECONDS`: how long the tests may take. Default: 600.
 *
 * A test names a clause as `describe('<section>')` > `it('<name>: <outcome>')`. checks.test.ts runs the checks of
 * conformance/ against the sandbox and names their clauses. A clause of a check that no request can make, and a rule for
 * clients, has a test in another file.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { catalogue } from '../conformance/check-catalogue.ts';
import { clauseTable } from '../conformance/clauses/clause-table.ts';
import { clientRule, type Coverage } from '../conformance/clauses/clause.ts';
import { readClauses, type SpecificationClause } from './specification-clauses.ts';

const root = path.resolve(import.meta.dirname, '..');
const timeoutSeconds = Number(process.argv[2] ?? 600);
const testsOfChecks = 'checks.test.ts';

interface ReportedTest {
  readonly file: string;
  readonly section: string;
  readonly title: string;
  readonly status: string;
}

const clauses = readClauses(readFileSync(path.join(root, 'docs/service-interface.md'), 'utf8'));
const report = runTests();
if (typeof report === 'string') {
  console.error(`The tests left no report: ${report}`);
  process.exit(1);
}
const tests = report;
const problems = [
  ...tests.filter(({ status }) => status !== 'passed').map((test) => `${test.status}: ${describeTest(test)}`),
  ...tests
    .filter((test) => !clauses.some((clause) => names(test, clause)))
    .map((test) => `names no clause: ${describeTest(test)}`),
  ...listUnknownEntries(),
];
const missing = clauses.filter((clause) => describeGap(clause) !== null);

printClauses();
for (const problem of problems) console.error(problem);
const count = (kind: SpecificationClause['kind']) => clauses.filter((clause) => clause.kind === kind).length;
const unobservable = clauses.filter((clause) => isUnobservable(coverageOf(clause))).length;
console.log(
  `${clauses.length} clauses (${count('row')} rows, ${count('rule')} rules, ${count('sentence')} sentences): ` +
    `${clauses.length - missing.length - unobservable} checked, ${unobservable} not observable, ${missing.length} missing` +
    (problems.length === 0 ? '' : `; ${problems.length} problems`),
);
if (missing.length + problems.length > 0) process.exitCode = 1;

function coverageOf({ section, name }: SpecificationClause): Coverage | undefined {
  return clauseTable[section]?.[name];
}

function isUnobservable(coverage: Coverage | undefined): boolean {
  return typeof coverage === 'object' && 'notObservable' in coverage;
}

/** Why the clause counts as missing; null when it does not. */
function describeGap(clause: SpecificationClause): string | null {
  const coverage = coverageOf(clause);
  if (coverage === undefined) return 'is not in conformance/clauses/';
  if (isUnobservable(coverage)) return null;
  const naming = testsOf(clause);
  if (naming.length === 0) return 'is named by no test';
  const needsOwnTest =
    coverage === clientRule || catalogue.some(({ id, run }) => run === null && includes(coverage, id));
  const hasOwnTest = naming.some(({ file }) => path.basename(file) !== testsOfChecks);
  return needsOwnTest && !hasOwnTest ? 'cannot be checked by a request, and has no test of its own' : null;
}

function includes(coverage: Coverage, id: string): boolean {
  return Array.isArray(coverage) && coverage.includes(id);
}

function listUnknownEntries(): string[] {
  return Object.entries(clauseTable).flatMap(([section, entries]) =>
    Object.keys(entries)
      .filter((name) => !clauses.some((clause) => clause.section === section && clause.name === name))
      .map((name) => `not in the specification: ${section} > ${name}`),
  );
}

function testsOf(clause: SpecificationClause): ReportedTest[] {
  return tests.filter((test) => names(test, clause));
}

function names({ section, title }: ReportedTest, clause: SpecificationClause): boolean {
  return section === clause.section && title.startsWith(`${clause.name}: `);
}

function describeTest({ section, title }: ReportedTest): string {
  return `${section} > ${title}`;
}

/** @returns a message if there is no report. Jest writes the failures of tests to stderr. */
function runTests(): ReportedTest[] | string {
  const folder = mkdtempSync(path.join(tmpdir(), 'coverage-spec-'));
  try {
    const reportFile = path.join(folder, 'report.json');
    const jest = ['node_modules/jest/bin/jest.js', 'test/specification', '--json', `--outputFile=${reportFile}`];
    const { error, signal, status } = spawnSync(process.execPath, jest, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: timeoutSeconds * 1_000,
      killSignal: 'SIGKILL',
    });
    if (existsSync(reportFile) && signal === null) return readReport(JSON.parse(readFileSync(reportFile, 'utf8')));
    const isLate = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
    if (isLate) return `not done after ${timeoutSeconds} s`;
    return error?.message ?? `jest ended with ${signal ?? `exit code ${status}`}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport({ testResults }: JestReport): ReportedTest[] {
  return testResults.flatMap(({ name: file, assertionResults }): ReportedTest[] => {
    // A test file that does not compile fails without reporting a test.
    if (assertionResults.length === 0) {
      return [{ file, section: path.relative(root, file), title: 'ran no test', status: 'failed' }];
    }
    return assertionResults.map(({ ancestorTitles, title, status }) => {
      return { file, section: ancestorTitles.join(' > '), title, status };
    });
  });
}

interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

function printClauses(): void {
  for (const [section, members] of Map.groupBy(clauses, (clause) => clause.section)) {
    console.log(`\n${section}`);
    for (const clause of members) {
      console.log(`  ${clause.name}`);
      const gap = describeGap(clause);
      const titles = new Set(testsOf(clause).map(({ title }) => title.slice(clause.name.length + 2)));
      for (const title of titles) console.log(`      ${title}`);
      const coverage = coverageOf(clause);
      if (typeof coverage === 'object' && 'notObservable' in coverage) {
        console.log(`      not observable: ${coverage.notObservable}`);
      }
      if (gap !== null) console.log(`      MISSING: ${gap}`);
    }
  }
  console.log('');
}
