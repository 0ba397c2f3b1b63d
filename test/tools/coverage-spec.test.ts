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
`;

describe('tools/coverage-spec.ts', () => {
  let root: string;
  beforeEach(async () => {
    root = await createFolder();
    for (const folder of ['tools', 'docs', 'tmp', 'node_modules/jest/bin']) {
      await mkdir(path.join(root, folder), { recursive: true });
    }
    await copyFile(path.join(__dirname, '../../tools/coverage-spec.ts'), path.join(root, 'tools/coverage-spec.ts'));
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

  /** A jest that reports these tests: title and status. */
  const reporting = (...tests: readonly (readonly [title: string, status: string])[]) => `
    const output = process.argv.find((arg) => arg.startsWith('--outputFile=')).slice('--outputFile='.length);
    const tests = ${JSON.stringify(tests)};
    const assertionResults = tests.map(([title, status]) => ({ ancestorTitles: ['Blacklist'], title, status }));
    process.getBuiltinModule('fs').writeFileSync(output, JSON.stringify({ testResults: [{ name: 'x', assertionResults }] }));
  `;

  it('passes when each row is named by a test that passed', async () => {
    const found = await count(reporting(['id: is a UUID', 'passed'], ['name: is kept', 'passed']));
    expect(found).toMatchObject({ code: 0, stderr: '', left: [] });
    expect(found.stdout).toContain('2 rows, 2 named, 0 missing');
  });

  it('fails on a row that no test names, and on a test that did not pass', async () => {
    const missing = await count(reporting(['id: is a UUID', 'passed']));
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('2 rows, 1 named, 1 missing') });
    const failed = await count(reporting(['id: is a UUID', 'passed'], ['name: is kept', 'failed']));
    expect(failed).toMatchObject({ code: 1, stderr: 'failed: Blacklist > name: is kept\n' });
  });

  it.each([
    ['an exit code', 'process.exitCode = 7;', 'jest ended with exit code 7'],
    ['a signal', "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9_000);", 'jest ended with SIGTERM'],
  ])('says what happened when the tests end with %s and no report', async (_, jest, ended) => {
    expect(await count(jest)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The tests left no report: ${ended}\n`,
      left: [],
    });
  });

  it('does not wait for ever', async () => {
    expect(await count('setTimeout(() => {}, 60_000);', '0.1')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The tests left no report: not done after 0.1 s\n',
      left: [],
    });
  });
});
