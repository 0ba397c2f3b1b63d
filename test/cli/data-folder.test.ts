import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findDataFolder } from '../../src/cli/data-folder.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { openConfiguredLedger } from '../../src/worker/configured-clients.ts';
import { readConfiguration } from '../../src/cli/configuration.ts';
import { runCommand } from '../helpers/run-command.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';

const config = `
service: {base_url: https://service.example, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
`;

/** `project` has a configuration; commands start in `elsewhere`. */
let folder: string;
let project: string;
let elsewhere: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'prospect-sync-folders-')));
  [project, elsewhere] = [path.join(folder, 'project'), path.join(folder, 'elsewhere')];
  await Promise.all([mkdir(project), mkdir(elsewhere)]);
  await writeFile(path.join(project, 'prospect-sync.yaml'), config);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The lines on stderr of a command that only opens the ledger. */
async function linesOf(cwd: string, flags: readonly string[], env: Record<string, string> = {}) {
  const { code, stderr } = await runCommand(['service', 'show', ...flags], {
    cwd,
    env: { KEY: 'k', TOKEN: 't', ...env },
  });
  return { code, lines: stderr.trim().split('\n') };
}

const adoptLedger = (value: Ledger) => ({ value, [Symbol.asyncDispose]: () => value.close() });
const ledgerOf = (place: string) => path.join(place, 'ledger.db');
const createLedger = async (dataDir: string) => (await openLedger({ dataDir })).close();

describe('the data folder', () => {
  it('is beside the real configuration file, wherever the command starts and whatever links it uses', async () => {
    await symlink('../project/prospect-sync.yaml', path.join(elsewhere, 'prospect-sync.yaml'));
    await symlink('../project', path.join(elsewhere, 'link'));
    const expected = { code: 0, lines: [`Ledger: ${ledgerOf(path.join(project, '.prospect-sync'))}`] };
    const starts: [string, string[]][] = [
      [project, []],
      [elsewhere, ['--config', '../project/prospect-sync.yaml']],
      [elsewhere, []],
      [elsewhere, ['--config', 'link/prospect-sync.yaml']],
    ];
    for (const [cwd, flags] of starts) expect(await linesOf(cwd, flags)).toEqual(expected);
    expect((await readdir(elsewhere)).toSorted()).toEqual(['link', 'prospect-sync.yaml']);
  });

  it('is not the folder of a project', async () => {
    await writeFile(path.join(project, 'package.json'), '{}');
    const options = { config: path.join(project, 'prospect-sync.yaml'), dataDir: project, json: false };
    await expect(findDataFolder(options)).rejects.toThrow('cannot be the data folder');
    expect((await readdir(project)).toSorted()).toEqual(['package.json', 'prospect-sync.yaml']);
  });

  it('keeps the files of each link to the configuration apart, and moves with its own', async () => {
    await symlink('../project/prospect-sync.yaml', path.join(elsewhere, 'prospect-sync.yaml'));
    const open = async (place: string, dataDir = path.join(project, '.prospect-sync')) => {
      const config = await readConfiguration(path.join(place, 'prospect-sync.yaml'), { KEY: 'k', TOKEN: 't' });
      return openConfiguredLedger(config, dataDir, () => undefined);
    };
    const save = async (place: string, orderId: string) => {
      await using ledger = adoptLedger(await open(place));
      const facts = { rows: 1, bytes: 1, sha256: 's', writtenAt: '2026-11-20T12:00:00.000Z', content: null };
      await ledger.value.files.save({ orderId, kind: 'csv', path: path.join(place, 'out', 'o.csv'), ...facts });
    };
    await save(project, 'own');
    await save(elsewhere, 'linked');
    const moved = path.join(folder, 'moved');
    await rename(project, moved);
    await using ledger = adoptLedger(await open(moved, path.join(moved, '.prospect-sync')));
    expect((await ledger.value.files.list('own'))[0]?.path).toBe(path.join(moved, 'out', 'o.csv'));
    expect((await ledger.value.files.list('linked'))[0]?.path).toBe(path.join(elsewhere, 'out', 'o.csv'));
  });

  it('is not a file', async () => {
    const dataDir = path.join(project, 'prospect-sync.yaml');
    await expect(findDataFolder({ config: dataDir, dataDir, json: false })).rejects.toThrow(
      `${dataDir} is a file. Correct --data-dir: it names the folder of the ledger`,
    );
  });

  it('is the folder of --data-dir, relative to the current directory, when it is given', async () => {
    await createLedger(path.join(elsewhere, '.prospect-sync'));
    const flags = ['--config', '../project/prospect-sync.yaml', '--data-dir', 'data'];
    expect(await linesOf(elsewhere, flags)).toEqual({
      code: 1,
      lines: [
        `There is no ledger in ${path.join(elsewhere, 'data')}. Correct --data-dir; a worker or a run creates a new ledger`,
      ],
    });
    for (const [command = '', ...args] of [['status'], ['schedule', 'list'], ['cancel', 'weekly']]) {
      const ended = await runCommand([command, ...args, ...flags], { cwd: elsewhere, env: { KEY: 'k', TOKEN: 't' } });
      expect(ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          `There is neither a ledger nor a local Temporal in ${path.join(elsewhere, 'data')}. Correct --data-dir`,
        ),
      });
    }
    expect(await readdir(elsewhere)).not.toContain('data');
    await createLedger(path.join(elsewhere, 'data'));
    const expected = { code: 0, lines: [`Ledger: ${ledgerOf(path.join(elsewhere, 'data'))}`] };
    expect(await linesOf(elsewhere, flags)).toEqual(expected);
    expect(await readdir(path.join(elsewhere, 'data'))).toContain('ledger.db');
  });
});

describeIf(hasPostgres(), needsPostgres)('a ledger in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('is described by host, database and schema, without credentials', async () => {
    await writeFile(path.join(project, 'shared.yaml'), `${config}ledger: {database_url: {env: DATABASE_URL}}\n`);
    const url = new URL(await server.createSchema());
    url.password = 'not-to-be-told';
    const schema = url.searchParams.get('options')?.split('=')[1] ?? '';
    const { code, lines } = await linesOf(project, ['--config', 'shared.yaml'], { DATABASE_URL: url.href });
    expect({ code, count: lines.length }).toEqual({ code: 0, count: 1 });
    const host = url.searchParams.get('host') ?? url.hostname;
    const database = url.pathname.slice(1);
    expect(lines[0]).toBe(`Ledger: PostgreSQL at ${host}:${url.port || 5432}, database ${database}, schema ${schema}`);
    expect(await readdir(project)).not.toContain('.prospect-sync');
  });
});
