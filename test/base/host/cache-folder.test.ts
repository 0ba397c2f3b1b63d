import { statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCacheFolder, openCompiledFolder } from '../../../src/base/host/cache-folder.ts';
import { spawnCommand } from '../../helpers/command.ts';
import { describeIf, needsRoot } from '../../helpers/describe-if.ts';
import { itOfAll } from '../../helpers/sample.ts';

const stranger = 65_533;
const canChown = process.geteuid?.() === 0;

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'prospect-sync-home-'));
  folder = path.join(home, '.cache', 'prospect-sync');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const unused = (reason: string) => ({ path: null, problem: expect.stringMatching(reason) as string });

async function makeFolder(place: string, mode: number): Promise<void> {
  await mkdir(place, { recursive: true });
  await chmod(place, mode);
}

describe('openCacheFolder', () => {
  it('creates a private folder below XDG_CACHE_HOME or the home folder', () => {
    expect(openCacheFolder({ HOME: home })).toEqual({ path: folder, problem: null });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const chosen = path.join(home, 'chosen');
    const expected = { path: path.join(chosen, 'prospect-sync'), problem: null };
    expect(openCacheFolder({ HOME: 'nowhere', XDG_CACHE_HOME: chosen })).toEqual(expected);
    for (const ignored of ['', 'relative'])
      expect(openCacheFolder({ HOME: home, XDG_CACHE_HOME: ignored }).path).toBe(folder);
  });

  it('makes its own folder private, and follows a link of the same user above it', async () => {
    const real = path.join(home, 'real');
    await makeFolder(path.join(real, 'prospect-sync'), 0o755);
    await symlink(real, path.join(home, '.cache'));
    expect(openCacheFolder({ HOME: home })).toEqual({ path: folder, problem: null });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each(['', '.', 'home/of/user', '/', '//'])('returns none when HOME is %j', (value) => {
    expect(openCacheFolder({ HOME: value })).toEqual(unused('HOME is .*set XDG_CACHE_HOME'));
    expect(openCompiledFolder({ HOME: value })).toBeNull();
  });

  it.each([
    ['is writable for its group', (place: string) => makeFolder(place, 0o770)],
    ['is writable for all, with the sticky bit', (place: string) => makeFolder(place, 0o1777)],
    ['lies in a folder that is writable for all', (place: string) => makeFolder(path.dirname(place), 0o777)],
    ['is a link', (place: string) => makeLink(place)],
    ['lies behind a link to a folder that is writable for all', (place: string) => linkToOpenFolder(place)],
  ])('returns none when the folder %s', async (_, prepare) => {
    await prepare(folder);
    expect(openCacheFolder({ HOME: home })).toEqual(unused('is not used: .* set XDG_CACHE_HOME'));
    expect(openCompiledFolder({ HOME: home })).toBeNull();
  });

  it('reports no problem when the folder cannot be created, or is a circular link', async () => {
    expect(openCacheFolder({ HOME: __filename })).toEqual({ path: null, problem: null });
    await symlink('.cache', path.join(home, '.cache'));
    expect(openCacheFolder({ HOME: home })).toEqual({ path: null, problem: null });
  });
});

describeIf(canChown, needsRoot)('openCacheFolder for a folder of another user', () => {
  it('returns none when the folder belongs to another user, or another user can replace it', async () => {
    await makeFolder(folder, 0o700);
    await chown(folder, stranger, stranger);
    expect(openCacheFolder({ HOME: home })).toEqual(unused(`belongs to user ${stranger}`));
    await chown(folder, 0, 0);
    await chown(path.dirname(folder), stranger, stranger);
    expect(openCacheFolder({ HOME: home })).toEqual(unused(`belongs to user ${stranger}`));
  });
});

describe('prospect-sync', () => {
  itOfAll(
    'does not run compiled modules from a folder that others can write or that is relative, and warns once',
    async () => {
      await makeFolder(folder, 0o777);
      const relative = path.join(home, 'relative', '.cache', 'prospect-sync');
      const compiled = [folder, relative].map((place) => path.join(place, 'compiled'));
      for (const place of compiled) await mkdir(place, { recursive: true });
      await mkdir(path.join(home, 'data', 'temporal'), { recursive: true });
      // Ends before it connects to Temporal, because the key of the certificate is missing.
      const settings = { XDG_CACHE_HOME: '', TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_TLS_CLIENT_CERT_DATA: 'none' };
      for (const [HOME, reason] of [
        [home, `The cache folder ${folder} is not used: ${folder} can be written by others (mode 777).`],
        ['relative', 'No cache folder is used: HOME is "relative".'],
      ] as const) {
        const { stderr } = await spawnCommand(['status', '--data-dir', 'data'], {
          cwd: home,
          env: { ...settings, HOME },
        });
        const lines = stderr.split('\n').filter((line) => line.includes('XDG_CACHE_HOME'));
        expect(lines).toEqual([expect.stringContaining(reason)]);
      }
      for (const place of compiled) expect(await readdir(place)).toEqual([]);
    },
  );
});

async function makeLink(place: string): Promise<void> {
  await mkdir(path.join(home, 'elsewhere'), { mode: 0o700 });
  await mkdir(path.dirname(place));
  await symlink(path.join(home, 'elsewhere'), place);
}

async function linkToOpenFolder(place: string): Promise<void> {
  const open = path.join(home, 'open');
  await makeFolder(path.join(open, 'cache', 'prospect-sync'), 0o700);
  await chmod(open, 0o777);
  await symlink(path.join(open, 'cache'), path.dirname(place));
}
