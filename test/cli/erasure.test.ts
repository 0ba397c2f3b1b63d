import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../src/ledger/ledger.ts';
import { runCommand } from '../helpers/run-command.ts';

const orderId = '11111111-2222-4333-8444-555555555555';
const service = `
service: {base_url: https://service.example, api_key: {env: KEY}}
hubspot: {token: {env: KEY}}
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
  await ledger.certificates.save({
    orderId,
    at: '2020-01-01T00:00:00.000Z',
    reconciled: 1,
    total: 1,
    findingsJson: '[]',
    documentJson: null,
    path: null,
  });
  await ledger.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const command = (...args: string[]) => runCommand(args, { cwd: folder, env: { KEY: 'k' } });

describe('forget', () => {
  it('shows what it finds and changes nothing without --yes, then erases it', async () => {
    const shown = await command('forget', 'Jane@acme.de');
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing was changed. To erase it, add --yes'),
    });
    expect(shown.stdout).toContain('Found in 1 orders and 0 files');
    const { code, stdout } = await command('forget', 'Jane@acme.de', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ applied: true, orders: 1, compacted: true, files: { left: [] } });
    expect(stdout).not.toMatch(/jane/i);
    expect(await command('trace', 'jane@acme.de')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/It was forgotten on \d{4}-\d\d-\d\d/),
    });
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

  it.each(['gmail.com', 'Jane Doe', 'jane@'])('rejects %j, which names no person or company', async (who) => {
    expect(await command('forget', who, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('email address'),
    });
  });
});

describe('retention', () => {
  it('erases expired orders only with --yes, after which rows and preview say so', async () => {
    const preview = JSON.parse((await command('retention', '--json')).stdout);
    expect(preview).toMatchObject({ days: 1, applied: false, order_ids: [orderId], files: null });
    expect(JSON.parse((await command('retention', '--yes', '--json')).stdout)).toMatchObject({ applied: true });
    const removed = /ata of order 11111111-2222-4333-8444-555555555555 was removed by retention on \d{4}/;
    expect(await command('rows', orderId)).toMatchObject({ code: 0, stderr: expect.stringMatching(removed) });
    expect(await command('preview', orderId)).toMatchObject({ code: 1, stderr: expect.stringMatching(removed) });
  });

  it('asks for retention.days when the configuration has none', async () => {
    expect(await command('retention', '--config', 'for-ever.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('retention: {days: 365}'),
    });
  });
});
