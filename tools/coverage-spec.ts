/**
 * `npm run coverage:spec` proves that each row of every table in docs/service-interface.md is named by a test in
 * test/specification/ that passed, and that no test there names anything else. What such a test looks at is for its
 * reader to judge; what the specification says outside of its tables is not counted.
 *
 * `npm run coverage:spec -- SECONDS`: how long the tests may take, ten minutes unless it is said.
 *
 * A test names a row as `describe('<table>')` > `it('<row>: <observable behaviour>')`:
 * - table: the heading above it. A second table below the same heading adds the line that introduces it:
 *   `Errors, Validation errors (422)`;
 * - row: the first cell; with the second where the first is not unique in its table; `METHOD path` for endpoints.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const mostSeconds = Number(process.argv[2] ?? 600);

interface Row {
  readonly table: string;
  readonly row: string;
}

interface NamedTest extends Row {
  readonly title: string;
  readonly status: string;
}

const rows = parseTables(readFileSync(path.join(root, 'docs/service-interface.md'), 'utf8'));
const tests = runTests();
if (typeof tests === 'string') {
  console.error(`The tests left no report: ${tests}`);
  process.exit(1);
}
const nameOf = ({ table, row }: Row) => `${table} > ${row}`;
const testsByRow = Map.groupBy(tests, nameOf);
const known = new Set(rows.map(nameOf));
const missing = rows.filter((row) => !testsByRow.has(nameOf(row)));
const failed = tests.filter(({ status }) => status !== 'passed');
const lost = tests.filter((test) => !known.has(nameOf(test)));

printRows();
for (const { table, row, title, status } of failed) console.error(`${status}: ${table} > ${row}: ${title}`);
for (const { table, row, title } of lost) console.error(`names no row: ${table} > ${row}: ${title}`);
const wrong = failed.length + lost.length;
const total = `${rows.length} rows, ${rows.length - missing.length} named, ${missing.length} missing`;
console.log(wrong === 0 ? total : `${total}; ${failed.length} tests not passed, ${lost.length} that name no row`);
if (missing.length + wrong > 0) process.exitCode = 1;

/** Tables of GitHub-flavoured Markdown, in order. */
function parseTables(markdown: string): Row[] {
  const found: Row[] = [];
  const headed = new Set<string>();
  let heading = '';
  let caption = '';
  const lines = markdown.split('\n');
  for (const [at, line] of lines.entries()) {
    if (/^#+ /.test(line)) [heading, caption] = [line.replace(/^#+ /, ''), ''];
    else if (/^\|[-|\s]+\|$/.test(line)) {
      const table = headed.has(heading) ? `${heading}, ${caption}` : heading;
      headed.add(heading);
      found.push(...toRows(table, cellsOf(lines[at - 1] ?? ''), cellsOfBody(lines.slice(at + 1))));
    } else if (line.trim() !== '' && !line.startsWith('|')) caption = line.replace(/:$/, '');
  }
  return found;
}

function toRows(table: string, header: readonly string[], body: readonly string[][]): Row[] {
  const isEndpoint = header[0] === 'Method' && header[1] === 'Path';
  const timesFirst = Map.groupBy(body, ([first]) => first);
  return body.map(([first = '', second = '']) => {
    const isUnique = timesFirst.get(first)?.length === 1;
    return { table, row: isUnique && !isEndpoint ? first : `${first} ${second}` };
  });
}

function cellsOfBody(lines: readonly string[]): string[][] {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end === -1 ? lines.length : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Without a report, what happened. What jest itself says goes to stderr: it holds the differences of failed tests. */
function runTests(): NamedTest[] | string {
  const folder = mkdtempSync(path.join(tmpdir(), 'coverage-spec-'));
  try {
    const report = path.join(folder, 'report.json');
    const jest = ['node_modules/jest/bin/jest.js', 'test/specification', '--json', `--outputFile=${report}`];
    const { error, signal, status } = spawnSync(process.execPath, jest, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: mostSeconds * 1_000,
      killSignal: 'SIGKILL',
    });
    if (existsSync(report) && signal === null) return readReport(JSON.parse(readFileSync(report, 'utf8')));
    const isLate = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
    if (isLate) return `not done after ${mostSeconds} s`;
    return error?.message ?? `jest ended with ${signal ?? `exit code ${status}`}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport({ testResults }: JestReport): NamedTest[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    // A file that does not compile fails without a test of its own.
    if (assertionResults.length === 0)
      return [{ table: path.relative(root, name), row: '', title: 'ran no test', status: 'failed' }];
    return assertionResults.map(({ ancestorTitles, title, status }) => {
      const [row = '', ...behaviour] = title.split(': ');
      return { table: ancestorTitles.join(' > '), row, title: behaviour.join(': '), status };
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

function printRows(): void {
  const width = Math.max(...rows.map(({ row }) => Math.min(row.length, 60)));
  let table = '';
  for (const row of rows) {
    if (row.table !== table) console.log(`\n${row.table}`);
    table = row.table;
    const [first = '', ...more] = testsByRow.get(nameOf(row))?.map(({ title }) => title) ?? ['MISSING'];
    const [name = '', ...rest] = inLines(row.row, width);
    console.log(`  ${name.padEnd(width)}  ${first}`);
    for (let at = 0; at < Math.max(rest.length, more.length); at += 1)
      console.log(`  ${(rest[at] ?? '').padEnd(width)}  ${more[at] ?? ''}`.trimEnd());
  }
  console.log('');
}

function inLines(text: string, width: number): string[] {
  return Array.from({ length: Math.ceil(text.length / width) }, (_, at) => text.slice(at * width, (at + 1) * width));
}
