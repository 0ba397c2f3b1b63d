import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFolder } from '../temporal/dev-server/stand-ins.ts';

const specification = `# Service
### Blacklist
| Field | Type |
|---|---|
| id | string |
| name | string |

Rules:
1. An address is public. It must be https.
`;

const catalogue = `export const catalogue = [
  { id: 'create', run: async () => {} },
  { id: 'webhooks', needs: 'a receiver', run: null },
];`;

const clauseTable = `export const clauseTable = {
  Blacklist: { id: ['create'], name: ['create'] },
  'Blacklist, Rules': { 1: ['webhooks'] },
};`;

describe('tools/coverage-spec.ts', () => {
  let root: string;
  beforeEach(async () => {
    root = await createFolder();
    for (const folder of ['tools', 'docs', 'tmp', 'conformance/clauses', 'node_modules/jest/bin']) {
      await mkdir(path.join(root, folder), { recursive: true });
    }
    for (const file of ['tools/coverage-spec.ts', 'tools/specification-clauses.ts', 'conformance/clauses/clause.ts']) {
      await copyFile(path.join(__dirname, '../..', file), path.join(root, file));
    }
    await writeFile(path.join(root, 'conformance/check-catalogue.ts'), catalogue);
    await writeFile(path.join(root, 'conformance/clauses/clause-table.ts'), clauseTable);
    await writeFile(path.join(root, 'package.json'), '{"type": "module"}');
    await writeFile(path.join(root, 'docs/service-interface.md'), specification);
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Counts with a program in the place of jest. */
  async function count(jest: string, ...args: string[]) {
    await writeFile(path.join(root, 'node_modules/jest/bin/jest.js'), jest);
    const env = { ...process.env, TMPDIR: path.join(root, 'tmp') };
    const flags = ['--disable-warning=ExperimentalWarning', 'tools/coverage-spec.ts', ...args];
    const child = spawn(process.execPath, flags, { cwd: root, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr, left: await readdir(path.join(root, 'tmp')) };
  }

  interface Reported {
    readonly file?: string;
    readonly section?: string;
    readonly title: string;
    readonly status?: string;
  }

  /** A program that reports these tests as jest does. By default they passed, in a file of their own. */
  const reporting = (...tests: readonly Reported[]) => {
    const testResults = tests.map(({ file = 'rules.test.ts', section = 'Blacklist', title, status = 'passed' }) => {
      return { name: file, assertionResults: [{ ancestorTitles: [section], title, status }] };
    });
    return `
      const output = process.argv.find((arg) => arg.startsWith('--outputFile=')).slice('--outputFile='.length);
      process.getBuiltinModule('fs').writeFileSync(output, ${JSON.stringify(JSON.stringify({ testResults }))});
    `;
  };
  const rule = { section: 'Blacklist, Rules', title: '1: refuses http' };
  const rows = [{ title: 'id: is a UUID' }, { title: 'name: is kept' }];

  it('passes when each clause is in the table and named by a passing test', async () => {
    const counted = await count(reporting(...rows, rule));
    expect(counted).toMatchObject({ code: 0, stderr: '', left: [] });
    expect(counted.stdout).toContain(
      '3 clauses (2 rows, 1 rules, 0 sentences): 3 checked, 0 not observable, 0 missing',
    );
  });

  it('fails when no test names a clause', async () => {
    const counted = await count(reporting({ title: 'id: is a UUID' }, rule));
    expect(counted).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('2 checked, 0 not observable, 1 missing'),
    });
  });

  it('fails when no request can check a clause and only the tests of checks name it', async () => {
    const counted = await count(reporting(...rows, { ...rule, file: 'checks.test.ts' }));
    expect(counted).toMatchObject({ code: 1, stdout: expect.stringContaining('1 missing') });
  });

  it('fails when a test fails or names no clause', async () => {
    const failed = await count(reporting(...rows, { ...rule, status: 'failed' }));
    expect(failed).toMatchObject({ code: 1, stderr: 'failed: Blacklist, Rules > 1: refuses http\n' });
    const unknown = await count(reporting(...rows, rule, { title: 'colour: is red' }));
    expect(unknown).toMatchObject({ code: 1, stderr: 'names no clause: Blacklist > colour: is red\n' });
  });

  it('fails when the table and the specification differ', async () => {
    const changed = specification.replace('| name | string |', '| title | string |');
    await writeFile(path.join(root, 'docs/service-interface.md'), changed);
    const counted = await count(reporting({ title: 'id: is a UUID' }, { title: 'title: is kept' }, rule));
    expect(counted).toMatchObject({ code: 1, stderr: 'not in the specification: Blacklist > name\n' });
    expect(counted.stdout).toContain('MISSING: is not in conformance/clauses/');
  });

  it.each([
    ['an exit code', 'process.exitCode = 7;', 'jest ended with exit code 7'],
    ['a signal', "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9_000);", 'jest ended with SIGTERM'],
  ])('reports how the tests ended when there is no report: %s', async (_, jest, ended) => {
    expect(await count(jest)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The tests left no report: ${ended}\n`,
      left: [],
    });
  });

  it('stops the tests after the timeout', async () => {
    expect(await count('setTimeout(() => {}, 60_000);', '0.1')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The tests left no report: not done after 0.1 s\n',
      left: [],
    });
  });
});
