import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFolder, writeScript } from '../dev-server/stand-ins.ts';

describe('tools/setup.mjs', () => {
  let root: string;
  beforeEach(async () => {
    root = await createFolder();
    await mkdir(path.join(root, 'tools'));
    await copyFile(path.join(__dirname, '../../tools/setup.mjs'), path.join(root, 'tools', 'setup.mjs'));
    await writeFile(path.join(root, 'package-lock.json'), '{}');
    await writeFile(
      path.join(root, 'tools', 'prospect-sync.mjs'),
      'console.log(...process.argv.slice(2)); process.exitCode = 3;',
    );
    await writeScript(
      path.join(root, 'fake', 'npm'),
      'mkdir -p node_modules && echo "npm $*" && touch node_modules/.package-lock.json',
    );
  });
  afterEach(() => rm(root, { recursive: true }));

  async function setUp(...args: string[]) {
    const env = { ...process.env, npm_execpath: '', PATH: `${path.join(root, 'fake')}:/usr/bin:/bin` };
    const child = spawn(process.execPath, ['tools/setup.mjs', ...args], { cwd: root, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  }

  it('installs what is missing, says so beside stdout, and passes arguments and exit code on', async () => {
    expect(await setUp('demo', '--keep', '--json')).toEqual({
      code: 3,
      stdout: 'demo --keep --json\n',
      stderr: 'Packages: npm ci, because node_modules is not there (about half a minute)\nnpm ci\n',
    });
  });

  it('installs again only when the lockfile is newer than what is installed', async () => {
    await setUp('demo');
    expect((await setUp('demo')).stderr).toBe('');
    const later = new Date(Date.now() + 60_000);
    await utimes(path.join(root, 'package-lock.json'), later, later);
    expect((await setUp('demo')).stderr).toContain('because node_modules is older than package-lock.json');
  });

  it('ends as npm ends', async () => {
    await writeScript(path.join(root, 'fake', 'npm'), 'echo "no network" >&2; exit 9');
    expect(await setUp('demo')).toMatchObject({
      code: 9,
      stdout: '',
      stderr: expect.stringContaining('no network') as string,
    });
  });

  it('tells its tasks when it is given none of them', async () => {
    expect(await setUp('toString')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'usage: node tools/setup.mjs demo|test\n',
    });
  });
});
