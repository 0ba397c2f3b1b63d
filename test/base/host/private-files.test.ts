import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withFileLock } from '../../../src/temporal/dev-server/file-lock.ts';
import { checkFolders } from '../../../src/cli/preflight/preflight.ts';
import type { Config } from '../../../src/config/config.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { makeFolder } from '../../../src/base/host/make-folder.ts';
import { makePrivateFolder, narrowFilesIn, assertOwnFolder } from '../../../src/base/host/private-files.ts';
import { spawnCommand } from '../../helpers/command.ts';
import { describeIf, needsRoot } from '../../helpers/describe-if.ts';
import { itOfAll } from '../../helpers/sample.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const describeAsRoot = describeIf(isRoot, needsRoot);

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'prospect-sync-private-')));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
/** Exit code of a shell command that another user runs. */
const byNobody = (command: string) =>
  spawnSync('/bin/sh', ['-c', command], { cwd: '/', uid: nobody, gid: nobody }).status;

describe('the data folder', () => {
  itOfAll('keeps its mode when other users can read it, but its files become private', async () => {
    const data = path.join(folder, '.prospect-sync');
    const ledger = path.join(data, 'ledger.db');
    await mkdir(data);
    await (await openLedger({ dataDir: data })).close();
    await Promise.all([chmod(data, 0o755), chmod(ledger, 0o644)]);
    await writeFile(
      path.join(folder, 'prospect-sync.yaml'),
      'service: {base_url: https://service.example, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}\n',
    );
    const show = () => spawnCommand(['service', 'show'], { cwd: folder, env: { KEY: 'k', TOKEN: 't' } });
    expect((await show()).stderr).toBe(`Ledger: ${ledger}\n`);
    expect([await modeOf(data), await modeOf(ledger)]).toEqual(['755', '600']);
    await chmod(data, 0o775);
    await expect(assertOwnFolder(data)).rejects.toThrow(`chmod go-w ${data}`);
    expect(await modeOf(data)).toBe('775');
    // A folder that every user may write to is not changed.
    await chmod(data, 0o1777);
    expect(await show()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is shared by all users') as string,
    });
    expect(await modeOf(data)).toBe('777');
  });
});

describe('a file where a folder should be', () => {
  it.each(['makePrivateFolder', 'assertOwnFolder'] as const)('is refused by %s and not changed', async (name) => {
    const file = path.join(folder, 'leads.csv');
    await writeFile(file, 'Acme', { mode: 0o644 });
    const use = { makePrivateFolder, assertOwnFolder }[name];
    await expect(use(file)).rejects.toThrow(/leads\.csv is not a folder\. /);
    await expect(use(path.join(file, 'below'))).rejects.toThrow(`${file} is not a folder. `);
    expect(await modeOf(file)).toBe('644');
  });
});

describe('makeFolder', () => {
  it('creates missing folders, also when two callers do so at once, and refuses a path through a file', async () => {
    const deep = path.join(folder, 'a', 'b', 'c');
    await Promise.all([makeFolder(deep, 0o700), makeFolder(deep, 0o700), makeFolder(path.join(folder, 'a'), 0o700)]);
    expect([await modeOf(deep), await modeOf(path.dirname(deep))]).toEqual(['700', '700']);
    await writeFile(path.join(folder, 'file'), '');
    await expect(makeFolder(path.join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  describeAsRoot('on a file system that holds no folders', () => {
    it('ends with an error', async () => {
      await expect(makeFolder('/proc/prospect-sync/out')).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(makePrivateFolder('/proc/prospect-sync')).rejects.toThrow(
        '/proc is on a file system that holds no files. Correct it, or choose another folder with --data-dir',
      );
      const opening = openLedger({ dataDir: '/proc/prospect-sync' });
      await expect(opening).rejects.toThrow('the file system of its folder holds no files. Choose another data folder');
    });

    it('is a problem of the check before a run', async () => {
      const runs = { weekly: { spreadsheets: { directory: '/proc/prospect-sync/out' } } };
      const config = { runs, certificates: { directory: null } } as unknown as Config;
      const message = expect.stringContaining(
        '/proc is on a file system that holds no files. Correct it, or change runs.weekly.',
      );
      expect(await checkFolders(config)).toEqual([{ check: 'output folder', state: 'problem', message }]);
    });
  });
});

describe('withFileLock', () => {
  it('creates a lock that no other user can open, and makes an older one private', async () => {
    const file = path.join(folder, 'deep', 'lock');
    const look = () => withFileLock({ file }, async () => [await modeOf(path.dirname(file)), await modeOf(file)]);
    expect(await look()).toEqual(['700', '600']);
    await chmod(file, 0o644);
    expect(await look()).toEqual(['700', '600']);
  });
});

describeAsRoot('another user', () => {
  it('cannot read a ledger once the folder is private', async () => {
    const ledger = path.join(folder, 'ledger.db');
    await (await openLedger({ dataDir: folder })).close();
    await Promise.all([chmod(folder, 0o755), chmod(ledger, 0o644)]);
    expect(byNobody(`cat ${ledger} > /dev/null`)).toBe(0);
    await (await openLedger({ dataDir: folder })).close();
    expect(byNobody(`cat ${ledger} > /dev/null`)).not.toBe(0);
    await chmod(folder, 0o755);
    expect(byNobody(`cat ${ledger} > /dev/null`)).not.toBe(0);
  });

  it('cannot provide the folder', async () => {
    const data = path.join(folder, 'theirs');
    await mkdir(data);
    await chown(data, nobody, nobody);
    const refused = `Folder ${data} belongs to another user (uid ${nobody})`;
    await expect(openLedger({ dataDir: data })).rejects.toThrow(refused);
    await expect(makePrivateFolder(data)).rejects.toThrow(refused);
    expect(await readdir(data)).toEqual([]);
  });

  it('cannot make prospect-sync follow a link or wait for a pipe', async () => {
    const target = path.join(folder, 'precious');
    await writeFile(target, 'precious');
    await chmod(folder, 0o777);
    const attacks = ['mkfifo lock', `ln -s ${target} lock`, 'touch lock', 'ln -s /nothing/there lock'];
    for (const attack of attacks) {
      expect(byNobody(`cd ${folder} && rm -f lock && ${attack}`)).toBe(0);
      const file = path.join(folder, 'lock');
      const refused = `${file} is not a file of this user (uid 0). Remove it, then try again`;
      await expect(withFileLock({ file }, async () => 'locked')).rejects.toThrow(refused);
      await expect(narrowFilesIn(folder)).rejects.toThrow(refused);
    }
    expect((await stat(target)).size).toBe('precious'.length);
    // A link of the same user is followed.
    await rm(path.join(folder, 'lock'));
    await writeFile(path.join(folder, 'elsewhere'), '');
    await symlink('elsewhere', path.join(folder, 'lock'));
    expect(await withFileLock({ file: path.join(folder, 'lock') }, async () => 'locked')).toBe('locked');
  });
});
