import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { StoredSlot } from '../../src/ledger/stored-slot.ts';
import { onDatabasesOfAll } from './both-databases.ts';

const createPage = (from: number, length: number): StoredSlot[] =>
  Array.from({ length }, (_, index) => {
    const position = from + index;
    return { position, hash: `${position}`, status: 'ENRICHED', reasonCodes: [], externalId: null, json: '{}' };
  });

describe('openLedger', () => {
  onDatabasesOfAll(({ newPlace, open }) => {
    it('reads what an earlier process has written', async () => {
      const place = await newPlace();
      const first = await openLedger(place);
      await first.blacklists.save({ name: 'customers', blacklistId: '1' });
      await first.close();
      const second = await open(place);
      expect(await second.blacklists.get('customers')).toEqual({ name: 'customers', blacklistId: '1' });
    });

    it('creates the tables once when several processes open the ledger at once', async () => {
      const place = await newPlace();
      const ledgers = await Promise.all([open(place), open(place), open(place)]);
      await ledgers[0]?.blacklists.save({ name: 'customers', blacklistId: '1' });
      expect(await ledgers[2]?.blacklists.get('customers')).toEqual({ name: 'customers', blacklistId: '1' });
    });

    it('lets two connections write at once in transactions of many statements', async () => {
      const place = await newPlace();
      const ledgers = await Promise.all([open(place), open(place)]);
      await Promise.all(
        ledgers.flatMap(({ slots }) => [
          slots.save('order', createPage(0, 2_300)),
          slots.save('order', createPage(700, 2_300)),
        ]),
      );
      expect(await ledgers[0]?.slots.count('order')).toBe(3_000);
    });

    it('lets two connections write the same rows in opposite orders without a deadlock', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([open(place), open(place)]);
      const rows = Array.from({ length: 1_200 }, (_, index) => ({ key: `key-${index}`, recordId: `id-${index}` }));
      await Promise.all([
        first.records.save('companies', rows),
        second.records.save('companies', rows.toReversed()),
        first.records.save('companies', rows.toReversed()),
      ]);
      expect((await first.records.ids('companies', ['key-0', 'key-1199'])).size).toBe(2);
    });
  });
});

describe('openLedger with a data folder', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
  const ledgers: Ledger[] = [];
  let folders = 0;
  const newFolder = () => path.join(folder, String((folders += 1)));
  const open = async (dataDir: string, busyTimeoutMilliseconds = 10_000) => {
    const ledger = await openLedger({ dataDir, busyTimeoutMilliseconds });
    ledgers.push(ledger);
    return ledger;
  };
  afterEach(async () => {
    for (const ledger of ledgers.splice(0)) await ledger.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('creates a file that only its owner can read', async () => {
    const dataDir = newFolder();
    await open(dataDir);
    expect(statSync(path.join(dataDir, 'ledger.db')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'ledger.db-wal')).mode & 0o777).toBe(0o600);
  });

  it('waits for another writer', async () => {
    const dataDir = newFolder();
    const ledger = await open(dataDir);
    const other = new DatabaseSync(path.join(dataDir, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    const saved = ledger.blacklists.save({ name: 'customers', blacklistId: '1' });
    await sleep(30);
    other.exec("INSERT INTO blacklists VALUES ('others', '2'); COMMIT");
    other.close();
    await saved;
    expect(await ledger.blacklists.get('others')).toEqual({ name: 'others', blacklistId: '2' });
    expect(await ledger.blacklists.get('customers')).toEqual({ name: 'customers', blacklistId: '1' });
  });

  it('reports a locked ledger when another writer does not finish', async () => {
    const dataDir = newFolder();
    const ledger = await open(dataDir, 20);
    const other = new DatabaseSync(path.join(dataDir, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    const saved = ledger.blacklists.save({ name: 'customers', blacklistId: '1' });
    await expect(saved).rejects.toMatchObject({ name: 'LedgerError', reason: 'locked', code: '5' });
    await expect(saved).rejects.toThrow(/ledger\.db is locked by another process\. Stop that process/);
    other.close();
    await ledger.blacklists.save({ name: 'customers', blacklistId: '1' });
    expect(await ledger.blacklists.get('customers')).toEqual({ name: 'customers', blacklistId: '1' });
  });

  it('keeps the event loop responsive during long writes', async () => {
    const ledger = await open(newFolder());
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    await ledger.slots.save('order', createPage(0, 30_000));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(2);
  });

  it('rejects a file that is not a database', async () => {
    const dataDir = newFolder();
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'ledger.db'), 'Erika Mustermann, Beispiel GmbH '.repeat(100));
    const opened = open(dataDir);
    await expect(opened).rejects.toMatchObject({ name: 'LedgerError', reason: 'damaged' });
    await expect(opened).rejects.toThrow(
      /is not a SQLite database, or it is damaged\. If it was just restored, delete the files ledger\.db-wal and ledger\.db-shm of the former one\. Otherwise restore a backup, or move it away/,
    );
  });

  it('rejects an empty file, and waits for a process that has just created it', async () => {
    const dataDir = newFolder();
    const file = path.join(dataDir, 'ledger.db');
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, 0, 0);
    const refused = { reason: 'damaged', message: expect.stringContaining('it has 0 bytes') as string };
    await expect(open(dataDir)).rejects.toMatchObject(refused);
    writeFileSync(file, '');
    await expect(open(dataDir, 60)).rejects.toMatchObject(refused);
    utimesSync(file, new Date(), new Date());
    const opening = open(dataDir);
    await sleep(50);
    const creator = new DatabaseSync(file);
    creator.exec('PRAGMA journal_mode = WAL');
    creator.close();
    await expect(opening).resolves.toBeDefined();
  });

  it('rejects a folder that cannot be created', async () => {
    const file = newFolder();
    writeFileSync(file, '');
    await expect(open(path.join(file, 'below'))).rejects.toMatchObject({ name: 'LedgerError', reason: 'refused' });
    await expect(open(file)).rejects.toMatchObject({ name: 'LedgerError', reason: 'refused' });
  });

  it('rejects the ledger of a newer version', async () => {
    const dataDir = newFolder();
    await open(dataDir);
    const other = new DatabaseSync(path.join(dataDir, 'ledger.db'));
    other.exec("INSERT INTO ledger_migrations VALUES ('999-of-tomorrow', '2030-01-01T00:00:00.000Z')");
    other.close();
    await expect(open(dataDir)).rejects.toMatchObject({ name: 'LedgerError', reason: 'newer' });
  });

  it('lets two processes fill the same order at once', async () => {
    const dataDir = newFolder();
    const writers = [startWriter(dataDir, 10), startWriter(dataDir, 10)];
    const codes = await Promise.all(writers.map((writer) => once(writer, 'exit')));
    expect(codes).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await (await open(dataDir)).slots.count('order')).toBe(1_000);
  });

  it('contains complete pages only, and every confirmed page, after its writer was killed', async () => {
    const dataDir = newFolder();
    const writer = startWriter(dataDir, 100_000);
    let confirmed = 0;
    writer.stdout.on('data', (text: Buffer) => {
      confirmed += text.toString().split('\n').length - 1;
      if (confirmed >= 10) writer.kill('SIGKILL');
    });
    await once(writer, 'close');
    const { slots } = await open(dataDir);
    const count = await slots.count('order');
    expect(count % 100).toBe(0);
    expect(count).toBeGreaterThanOrEqual(confirmed * 100);
    expect(await slots.countByReason('order')).toEqual({ POLICY_ELIGIBLE: count });
  });
});

describe('openLedger with a PostgreSQL address', () => {
  it('names the server that does not answer, and not the password', async () => {
    const port = await freePort();
    const opened = openLedger({ databaseUrl: `postgres://prospect:secret@127.0.0.1:${port}/ledger` });
    await expect(opened).rejects.toMatchObject({ name: 'LedgerError', reason: 'unreachable', code: 'ECONNREFUSED' });
    await expect(opened).rejects.toThrow(
      `PostgreSQL at 127.0.0.1:${port} cannot be reached: nothing accepts connections there (ECONNREFUSED)`,
    );
    await expect(opened).rejects.not.toThrow(/secret/);
  });

  it.each(['secret', 'mysql://prospect:secret@127.0.0.1/ledger', 'postgres://prospect:secret@127.0.0.1:port/ledger'])(
    'rejects an address that is not a PostgreSQL address, and does not repeat it (%s)',
    async (databaseUrl) => {
      const opened = openLedger({ databaseUrl });
      await expect(opened).rejects.toMatchObject({ name: 'LedgerError', reason: 'refused' });
      await expect(opened).rejects.not.toThrow(/secret/);
    },
  );
});

function startWriter(dataDir: string, pages: number): ChildProcessByStdio<null, Readable, null> {
  const script = path.join(__dirname, 'write-pages.ts');
  return spawn(process.execPath, [script, dataDir, String(pages)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
