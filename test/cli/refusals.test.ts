import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { runCommand } from '../helpers/run-command.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';

let folder: string;
let env: Record<string, string>;
let closeAll = () => {};
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-refusals-'));
  const service = createServiceSandbox();
  const hubspot = createHubSpotSandbox();
  const served = [await serveFetch(service.fetch), await serveFetch(hubspot.fetch)] as const;
  closeAll = () => served.forEach(({ close }) => close());
  env = {
    PROSPECTING_BASE_URL: served[0].url,
    PROSPECTING_API_KEY: service.createOrganization({ name: 'a' }).apiKey,
    HUBSPOT_BASE_URL: served[1].url,
    HUBSPOT_TOKEN: hubspot.createPortal({ name: 'a' }).token,
  };
  await writeFile(path.join(folder, 'good.yaml'), good);
});
afterAll(async () => {
  closeAll();
  await rm(folder, { recursive: true, force: true });
});

const good = `
service: {base_url: {env: PROSPECTING_BASE_URL}, api_key: {env: PROSPECTING_API_KEY}}
hubspot: {base_url: {env: HUBSPOT_BASE_URL}, token: {env: HUBSPOT_TOKEN}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 10
    profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}
`;

const command = (args: string[], more: Record<string, string> = {}) =>
  runCommand(args, { cwd: folder, env: { ...env, ...more } });

describe('a command about an order whose results are not in the ledger', () => {
  it.each([
    ['ENRICHING', /has no published results yet: its last known status is ENRICHING\. .*status weekly\. .*ingest 3f0d/],
    ['REJECTED', /^Order 3f0d\S+ ended as REJECTED: it has no results\. /m],
  ])('names its status: %s', async (status, message) => {
    const dataDir = path.join(folder, `data-${status}`);
    const orderId = '3f0d1c2e-0000-4000-8000-000000000001';
    const ledger = await openLedger({ dataDir });
    const order = { orderId, runName: 'weekly', kind: 'discovery', status, profileId: null, requestedCount: 6 };
    await ledger.orders.save({ ...order, externalIdsAreRecordIds: false });
    await ledger.close();
    for (const name of ['export', 'preview', 'websites', 'rows']) {
      const { code, stderr } = await command([name, orderId, '--config', 'good.yaml', '--data-dir', dataDir]);
      expect({ name, code, stderr }).toEqual({
        name,
        code: name === 'rows' ? 0 : 1,
        stderr: expect.stringMatching(message),
      });
    }
  });
});

describe('a command with invalid input', () => {
  it.each([
    ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
    ['a run for a command', ['weekly', 'run', '--config', 'good.yaml'], 'run: prospect-sync run weekly'],
    ['the beginning of a command', ['certificate', 'x'], 'Similar commands: certificate-key'],
    ['the command of a group', ['pause', 'weekly'], 'Similar commands: schedule pause'],
    ['a missing argument', ['run'], "missing required argument 'name'"],
    [
      'an order while the ledger has none',
      ['rows', 'last', '--config', 'good.yaml'],
      'The ledger has no order "last", because it has no orders yet. Place one with: prospect-sync run NAME. To collect one that the service has, run: prospect-sync ingest ORDER --run NAME, with its whole id',
    ],
    ...['validate', 'doctor'].map((name): [string, string[], string] => [
      `a data folder for ${name} that is the folder of the results`,
      [name, '--config', 'good.yaml', '--data-dir', 'out'],
      'runs.weekly.spreadsheets.directory is ',
    ]),
    [
      'an unknown run',
      ['run', 'monthly', '--config', 'good.yaml'],
      'There is no run named monthly. The configuration has: weekly.',
    ],
    [
      'a missing configuration',
      ['run', 'weekly'],
      'prospect-sync.yaml cannot be read: there is no such file (ENOENT). Create one with prospect-sync init',
    ],
    [
      'a folder as configuration',
      ['validate', '--config', '.'],
      '. cannot be read: it is a folder (EISDIR). Name the file in it, for example --config prospect-sync.yaml',
    ],
    [
      'the status of runs in a folder without a configuration',
      ['status'],
      'prospect-sync.yaml cannot be read: there is no such file (ENOENT). Create one with prospect-sync init',
    ],
    [
      'two addresses in one argument',
      ['suppressions', 'add', 'jane@acme.example;bob@acme.example', '--reason', 'x'],
      'The argument must be one email address',
    ],
    ['an address and a domain to forget', ['forget', 'jane@acme.example,acme.example'], 'must be one email address'],
    ['a port that is none', ['sandbox', '--port', 'x'], 'must be 0 to 65535'],
  ])('reports %s and exits with code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await command(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    ['prospect-sync.yml', [], 'prospect-sync.yaml'],
    ['other.yaml', ['--config', 'other.yml'], 'other.yml'],
  ])('names the configuration %s that has the other ending', async (found, flags, missing) => {
    const project = path.join(folder, `ending-${found}`);
    await mkdir(project);
    await writeFile(path.join(project, found), '');
    expect(await runCommand(['run', 'weekly', ...flags], { cwd: project })).toMatchObject({
      code: 2,
      stderr: `${missing} cannot be read: there is no such file (ENOENT). ${found} exists: rename it, or add --config ${found}\n`,
    });
  });

  it('names the configuration of a folder above', async () => {
    const below = path.join(folder, 'project', 'data', 'lists');
    await mkdir(below, { recursive: true });
    await writeFile(path.join(folder, 'project', 'prospect-sync.yaml'), '');
    const up = path.join('..', '..', 'prospect-sync.yaml');
    expect(await runCommand(['run', 'weekly'], { cwd: below })).toMatchObject({
      code: 2,
      stderr: `prospect-sync.yaml cannot be read: there is no such file (ENOENT). ${up} exists: change to its folder, or add --config ${up}\n`,
    });
  });

  it.each([
    ['suppressions', 'export', 'kept'],
    ['exclusions', 'preview', '--out', 'kept'],
    ['preview', 'weekly', '--out', 'kept'],
    ['export', '11111111-2222-4333-8444-555555555555', '--out', 'kept'],
  ])('replaces no existing file by %s %s, nor writes one under the name of another format', async (...args) => {
    const renamed = [...args.slice(0, -1), 'other.xlsx', '--config', 'good.yaml'];
    const refused = await command(renamed);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('other.xlsx is the name of another format'),
    });
    await writeFile(path.join(folder, 'kept'), 'before');
    expect(await command([...args, '--config', 'good.yaml'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'kept exists and was not changed. Choose another name, or add --overwrite to replace it\n',
    });
    expect(await readFile(path.join(folder, 'kept'), 'utf8')).toBe('before');
  });

  it('replaces an existing file with --overwrite, but no folder', async () => {
    await (await openLedger({ dataDir: path.join(folder, 'data') })).close();
    const exportTo = (file: string) =>
      command(['suppressions', 'export', file, '--overwrite', '--config', 'good.yaml', '--data-dir', 'data']);
    const file = path.join(folder, 'people.csv');
    await writeFile(file, 'before');
    expect(await exportTo('people.csv')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toContain('"value","kind"');
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await exportTo('data')).toMatchObject({ code: 2, stderr: expect.stringContaining('data is a folder') });
  });

  it('reports a file that is no reply webhook, instead of a preview of it', async () => {
    await writeFile(path.join(folder, 'replies.csv'), 'email,reply\njane@acme.example,yes\n');
    const { code, stdout, stderr } = await command(['replies', 'preview', 'replies.csv', '--config', 'good.yaml']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('replies.csv is not the body of a reply webhook: it must be one JSON object');
    expect(stderr).not.toContain('jane');
  });

  it('says whom an unreadable body would suppress', async () => {
    const data = '{"classification": "do_not_contact", "prospect_email": "jane@acme.example", "reply_text": 42}';
    await writeFile(path.join(folder, 'odd.json'), `{"type": "reply.do_not_contact", "data": ${data}}`);
    const { code, stdout } = await command(['replies', 'preview', 'odd.json', '--json', '--config', 'good.yaml']);
    const preview = { state: 'quarantined', reason: 'unreadable', note: false, suppresses: ['jane@acme.example'] };
    expect({ code, preview: JSON.parse(stdout) }).toMatchObject({ code: 0, preview });
  });

  it('reports every problem of a configuration with line and column', async () => {
    const broken = good
      .replace('briefing_quantity: 10', 'briefing_quantity: many')
      .replace('kind: discovery', 'kind: discovery\n    titel: x');
    await writeFile(path.join(folder, 'broken.yaml'), broken);
    const { code, stderr } = await command(['validate', '--config', 'broken.yaml']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/broken\.yaml:7:5 runs\.weekly\.titel: .*title/);
    expect(stderr).toMatch(/broken\.yaml:8:24 runs\.weekly\.briefing_quantity: must be a number, found "many"/);
  });

  it('reports the rejected key, and starts nothing', async () => {
    const { code, stderr } = await command(['run', 'weekly', '--config', 'good.yaml'], {
      PROSPECTING_API_KEY: 'wrong-key-4711',
    });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'status 401 (UNAUTHORIZED): The API key is missing, invalid or expired. The key is not accepted: check service.api_key, and that service.base_url is the address of the service\nNothing was started.',
    );
    expect(stderr).not.toContain('4711');
  });

  it('reports the system that cannot be reached', async () => {
    const { code, stderr } = await command(['run', 'weekly', '--config', 'good.yaml'], {
      HUBSPOT_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('HubSpot at http://127.0.0.1:9: GET /account-info/v3/details got no answer');
    expect(stderr.trim().split('\n').slice(1)).toHaveLength(2);
  });

  it('reports that no Temporal answers at the configured address', async () => {
    const { code, stderr } = await command(['run', 'weekly', '--config', 'good.yaml'], {
      TEMPORAL_ADDRESS: '127.0.0.1:9',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:9');
    expect(stderr).not.toContain('    at ');
  });
});

describe('init', () => {
  it('keeps the ledger and results out of version control, and the lines of an existing .gitignore', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'prospect-sync-init-'));
    const file = path.join(fresh, '.gitignore');
    await writeFile(file, 'node_modules\nout/');
    for (const round of [1, 2]) {
      await rm(path.join(fresh, 'prospect-sync.yaml'), { force: true });
      expect(await runCommand(['init'], { cwd: fresh })).toMatchObject({ code: 0 });
      expect([round, (await readFile(file, 'utf8')).split('\n')]).toEqual([
        round,
        ['node_modules', 'out/', expect.stringMatching(/^# prospect-sync: /), '.prospect-sync/', ''],
      ]);
    }
    await rm(fresh, { recursive: true, force: true });
  });

  it('writes a configuration that is valid once its variables are set, and never overwrites one', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'prospect-sync-init-'));
    expect(await runCommand(['init'], { cwd: fresh })).toMatchObject({ code: 0 });
    const text = await readFile(path.join(fresh, 'prospect-sync.yaml'), 'utf8');
    expect(await runCommand(['validate'], { cwd: fresh, env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^valid: runs /),
    });
    expect(await runCommand(['init'], { cwd: fresh })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists and was not changed'),
    });
    expect(await readFile(path.join(fresh, 'prospect-sync.yaml'), 'utf8')).toBe(text);

    const schema = path.join(fresh, 'prospect-sync.schema.json');
    const before = await readFile(schema, 'utf8');
    await writeFile(schema, '{}');
    const other = await runCommand(['init', '--config', path.join(fresh, 'other.yaml')], { cwd: fresh });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists with another content') });
    expect([await readFile(schema, 'utf8'), existsSync(path.join(fresh, 'other.yaml'))]).toEqual(['{}', false]);
    expect(await runCommand(['init', '--schema'], { cwd: fresh })).toMatchObject({ code: 0 });
    expect(await readFile(schema, 'utf8')).toBe(before);
    expect(await readFile(path.join(fresh, 'prospect-sync.yaml'), 'utf8')).toBe(text);
    await rm(fresh, { recursive: true, force: true });
  });
});
