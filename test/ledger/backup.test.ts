// The commands of docs/data.md, "Backup and restore".
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger, type LedgerLocation } from '../../src/ledger/ledger.ts';
import type { StoredSlot } from '../../src/ledger/stored-slot.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { describeIf } from '../helpers/describe-if.ts';

const orderId = '8a5f0c9e-0000-4000-8000-000000000001';
const stored: StoredSlot[] = Array.from({ length: 700 }, (_, position) => ({
  position,
  hash: `hash-${position}`,
  status: 'ENRICHED',
  reasonCodes: ['POLICY_ELIGIBLE'],
  externalId: null,
  json: JSON.stringify({ input_position: position, text: 'ä\u0000"€' }),
}));

async function read(place: LedgerLocation) {
  const ledger = await openLedger(place);
  return ledger.slots.read(orderId, { from: 0, to: stored.length }).finally(() => ledger.close());
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ledger-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a backup of the SQLite ledger', () => {
  it('is complete when a worker has the ledger open', async () => {
    const ledger = await openLedger({ dataDir: folder });
    await ledger.slots.save(orderId, stored);
    mkdirSync(path.join(folder, 'backup'));
    const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/data.md'), 'utf8');
    const [, command = ''] = /`(umask 077; node -e [^`]+)`/.exec(page) ?? [];
    const PATH = `${path.dirname(process.execPath)}:${process.env['PATH']}`;
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe', env: { ...process.env, PATH } });
    expect(statSync(path.join(folder, 'backup.db')).mode & 0o777).toBe(0o600);
    renameSync(path.join(folder, 'backup.db'), path.join(folder, 'backup', 'ledger.db'));
    await ledger.slots.save('later', stored.slice(0, 1));
    await ledger.close();
    expect(await read({ dataDir: path.join(folder, 'backup') })).toEqual(stored);
  });
});

const hasTools = hasPostgres() && spawnSync('pg_dump', ['--version']).status === 0;
describeIf(hasTools, { needs: 'PostgreSQL with pg_dump', debianPackage: 'postgresql' })(
  'a backup of the PostgreSQL ledger',
  () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());

    it('is complete when a worker has the ledger open, and can be restored into an empty database', async () => {
      // libpq does not read a plus as a space.
      const databaseUrl = (await server.createSchema()).replaceAll('+', '%20');
      const ledger = await openLedger({ databaseUrl });
      await ledger.slots.save(orderId, stored);
      const dump = path.join(folder, 'ledger.dump');
      const [, schema = ''] = /search_path%3D(\w+)/.exec(databaseUrl) ?? [];
      // Each test has a schema on a shared server; a real ledger has its own database.
      execFileSync('pg_dump', ['--format=custom', `--schema=${schema}`, `--file=${dump}`, databaseUrl], {
        stdio: 'pipe',
      });
      await ledger.close();
      execFileSync('psql', [databaseUrl, '-qc', `drop schema ${schema} cascade`], { stdio: 'pipe' });
      execFileSync('pg_restore', ['--no-owner', `--dbname=${databaseUrl}`, dump], { stdio: 'pipe' });
      expect(await read({ databaseUrl })).toEqual(stored);
    });
  },
);
