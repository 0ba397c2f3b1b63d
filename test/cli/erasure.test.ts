import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../src/ledger/ledger.ts';
import { noEvidence } from '../../src/ledger/outcome-store.ts';
import { addressKey } from '../../src/ledger/identity.ts';
import { runCommand } from '../helpers/run-command.ts';

const orderId = '11111111-2222-4333-8444-555555555555';
const service = `
service: {base_url: https://service.example, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}, portal_id: 4711}
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-erasure-'));
  await writeFile(path.join(folder, 'prospect-sync.yaml'), `${service}retention: {days: 1}\n`);
  await writeFile(path.join(folder, 'for-ever.yaml'), service);
  const ledger = await openLedger({ dataDir: path.join(folder, '.prospect-sync') });
  const order = { orderId, runName: 'weekly', kind: 'discovery', status: 'COMPLETED', profileId: null };
  await ledger.orders.save({ ...order, requestedCount: 1, externalIdsAreRecordIds: false });
  await ledger.orders.publish(orderId, { total: 1, summaryJson: '{}' });
  const company = { domain: 'acme.de', prospects: [{ email: 'jane@acme.de', full_name: 'Jane Doe' }] };
  const json = JSON.stringify({ input_position: 0, status: 'ENRICHED', reason_codes: [], company });
  const slot = { position: 0, hash: 'hash', status: 'ENRICHED', reasonCodes: [], externalId: null };
  await ledger.slots.save(orderId, [{ ...slot, json }]);
  const outcome = {
    orderId,
    position: 0,
    projectionId: 'p',
    planned: 'create',
    outcome: 'created',
    rule: null,
  } as const;
  const key = addressKey('jane@acme.de');
  await ledger.outcomes.record([
    { ...outcome, item: 'company', recordId: '71', at: 'now', ...noEvidence, matchKey: 'acme.de' },
    { ...outcome, item: 'contact:0', recordId: '72', at: 'now', ...noEvidence, matchKey: key },
  ]);
  await ledger.records.save('contacts', [{ key, recordId: '72' }]);
  await ledger.certificates.save({
    orderId,
    at: '2020-01-01T00:00:00.000Z',
    reconciled: 1,
    total: 1,
    findingsJson: '[]',
    documentJson: '{}',
    path: path.join(folder, 'certificate.json'),
  });
  await ledger.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const command = (...args: string[]) => runCommand(args, { cwd: folder, env: { KEY: 'k', TOKEN: 't' } });

describe('forget', () => {
  it('shows what it finds and changes nothing without --yes, then erases it', async () => {
    const shown = await command('forget', 'Jane@acme.de');
    expect(shown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'not confirmed: nothing was changed. To erase it without confirmation, add --yes',
      ),
    });
    expect(shown.stdout).toContain('Found: 1 order and 0 files of prospect-sync, with\n      1  slots.json');
    expect(shown.stdout).toContain(
      'HubSpot is not changed. 1 record there may hold the person or company. Delete them in HubSpot:\n  contacts   72  https://app.hubspot.com/contacts/4711/record/0-1/72',
    );
    const { code, stdout, stderr } = await command('forget', 'Jane@acme.de', '--yes', '--json');
    expect(code).toBe(0);
    const url = 'https://app.hubspot.com/contacts/4711/record/0-1/72';
    const records = [{ object: 'contacts', id: '72', url }];
    expect(JSON.parse(stdout)).toMatchObject({ applied: true, found: true, orders: 1, compacted: true, records });
    expect(JSON.parse(stdout)).toMatchObject({ files: { left: [] }, failed: [] });
    // Listed before anything is erased.
    expect(stderr).toContain(url);
    expect(stdout + stderr).not.toMatch(/jane/i);
    expect(await command('why', 'jane@acme.de')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}forgotten$/m),
    });
  });

  it('lists the company and its people of HubSpot for a domain', async () => {
    const { stdout } = await command('forget', 'acme.de', '--json');
    const ids = JSON.parse(stdout).records.map(({ object, id }: Record<string, string>) => `${object} ${id}`);
    expect(new Set(ids)).toEqual(new Set(['companies 71', 'contacts 72']));
  });

  it('says that nothing was found, and ends with exit code 3, unless it was forgotten before', async () => {
    const unknown = await command('forget', 'jame@acme.de', '--yes');
    expect(unknown).toMatchObject({ code: 3, stdout: expect.stringContaining('Nothing found') });
    expect(unknown.stdout).toContain('Check the spelling. To leave it out of later results anyway, add --future');
    // A spelling mistake is not kept for ever, and only the option says that it is none.
    expect(await command('forget', 'jame@acme.de', '--future')).toMatchObject({ code: 1 });
    expect(await command('forget', 'jame@acme.de')).toMatchObject({ code: 3 });
    const future = await command('forget', 'jame@acme.de', '--future', '--yes');
    expect(future.code).toBe(0);
    expect(future.stdout).toMatch(/^Nothing found: .*\n(?:.*\n)*Later results are stored without them\.\n/);
    expect(future.stdout).not.toContain('--future');
    expect(await command('forget', 'jame@acme.de')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing found: it was forgotten on \d{4}-/),
    });
  });

  it('finds a company that is only suppressed, and keeps that entry', async () => {
    const change = ['--reason', 'x', '--yes'];
    await command('suppressions', 'add', 'foo.example', ...change);
    const { code, stdout } = await command('forget', 'foo.example', '--yes', '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, found: true, applied: true });
    expect((await command('suppressions', 'list')).stdout).toContain('foo.example');
  });

  it('ends with an error that names the place that failed, not the person, and continues when it is repeated', async () => {
    const database = () => new DatabaseSync(path.join(folder, '.prospect-sync', 'ledger.db'));
    const rename = (from: string, to: string) => {
      const db = database();
      db.exec(`alter table ${from} rename to ${to}`);
      db.close();
    };
    rename('suppressions', 'moved');
    const { code, stdout, stderr } = await command('forget', 'jane@acme.de', '--yes', '--json');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /could not be erased: suppressions\.value.*\(LedgerError.*Correct the cause, then run the command again/,
    );
    expect(stdout + stderr).not.toMatch(/jane/i);
    expect(JSON.parse(stdout)).toMatchObject({
      applied: true,
      failed: [{ place: expect.stringContaining('suppressions.value') }],
    });
    const slots = database().prepare('select json from slots').all();
    expect(JSON.stringify(slots)).not.toMatch(/jane/i);
    rename('moved', 'suppressions');
    expect(await command('forget', 'jane@acme.de', '--yes')).toMatchObject({ code: 0 });
  });

  it('names an edited file that still holds the person, also when they are forgotten again without --yes', async () => {
    const file = path.join(folder, 'order.csv');
    await writeFile(file, 'note\n1\n2\nJane Doe jane@acme.de\n');
    const ledger = await openLedger({ dataDir: path.join(folder, '.prospect-sync') });
    const layout = { rows: 'prospect' } as const;
    const written = { orderId, kind: 'csv', path: file, rows: 1, bytes: 9, sha256: 'f'.repeat(64) } as const;
    const content = { layout, keys: ['note'], sha256: 'e'.repeat(64) };
    await ledger.files.save({ ...written, writtenAt: '2020-01-01T00:00:00.000Z', content });
    await ledger.close();
    expect((await command('forget', 'jane@acme.de', '--yes')).code).toBe(3);
    const again = await command('forget', 'jane@acme.de');
    expect(again).toMatchObject({ code: 3, stdout: expect.stringMatching(/^Nothing found: it was forgotten on/) });
    expect(again.stdout).toMatch(/^left {7}.*order\.csv/m);
  });

  it.each([
    ['gmail.com', 'This domain is that of a mailbox provider'],
    ['www.linkedin.com', 'or of a site that many companies share'],
    ['com', 'Many domains have this ending'],
    ['co.uk', 'Many domains have this ending'],
    ['github.io', 'Many domains have this ending'],
    ['Jane Doe', 'This is neither an address nor a domain'],
    ['paula', 'This is neither an address nor a domain'],
    ['Jane.Doe', 'No domain has this ending. For a person, write the email address'],
    ['192.168.0.1', 'This is neither an address nor a domain'],
    ['jane@', 'Write the whole address and nothing else'],
    ['Jane <jane@acme.de>', 'Write the whole address and nothing else'],
    ['jane@acme.de, acme.de', 'This names several: run the command once for each'],
    ['jane@acme.de bob@acme.de', 'This names several: run the command once for each'],
    ['https://app.hubspot.com/contacts/1/record/0-1/2', 'This is a link to a record of HubSpot'],
    ['*@acme.de', 'Write the domain alone'],
    ['%@acme.de', 'Write the domain alone'],
    ['@acme.de', 'Write the domain alone'],
    ['j*@acme.de', 'Write the whole address and nothing else'],
  ])('rejects %j, which names no person or company', async (who, text) => {
    const { code, stderr } = await command('forget', who, '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(stderr).toMatch(/^The argument must be one email address, or the domain of one company\. /);
    expect(stderr.match(/once for each/g) ?? []).toHaveLength(text.includes('once for each') ? 1 : 0);
  });
});

describe('retention', () => {
  it('erases expired orders only with --yes, after which rows and preview say so', async () => {
    const asked = await command('retention', '--json');
    expect(asked.code).toBe(1);
    const preview = JSON.parse(asked.stdout);
    expect(preview).toMatchObject({ days: 1, applied: false, order_ids: [orderId], files: null });
    expect(JSON.parse((await command('retention', '--yes', '--json')).stdout)).toMatchObject({ applied: true });
    const removed = /ata of order 11111111-2222-4333-8444-555555555555 was removed by retention on \d{4}/;
    expect(await command('rows', orderId)).toMatchObject({ code: 0, stderr: expect.stringMatching(removed) });
    expect(await command('preview', orderId)).toMatchObject({ code: 1, stderr: expect.stringMatching(removed) });
  });

  it('ends with success when nothing is as old', async () => {
    await writeFile(path.join(folder, 'prospect-sync.yaml'), `${service}retention: {days: 3000}\n`);
    const nothing = expect.stringMatching(/^Nothing to erase: no data of orders is from before \d{4}-\d\d-\d\d\.\n$/);
    expect(await command('retention')).toEqual({ code: 0, stdout: nothing, stderr: expect.any(String) });
    expect(await command('retention', '--yes')).toMatchObject({ code: 0, stdout: nothing });
    expect(JSON.parse((await command('retention', '--json')).stdout)).toMatchObject({ applied: false, order_ids: [] });
  });

  it('asks for retention.days when the configuration has none', async () => {
    expect(await command('retention', '--config', 'for-ever.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('retention: {days: 365}'),
    });
  });
});
