import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Ledger, type LedgerLocation, openLedger } from '../../src/ledger/ledger.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { isWholeDomain } from '../helpers/sample.ts';

export type Places = {
  /** A place without a ledger. */
  newPlace: () => Promise<LedgerLocation>;
  /** Opens a ledger that is closed after the test. Default: a new place. */
  open: (place?: LedgerLocation) => Promise<Ledger>;
};

/** Defines the same tests for SQLite and, if available, for PostgreSQL. */
export function onBothDatabases(define: (places: Places) => void): void {
  onSqlite(define);
  onPostgres(define);
}

/** The same with PostgreSQL in `npm run test:all` only. */
export function onDatabasesOfAll(define: (places: Places) => void): void {
  onSqlite(define);
  if (isWholeDomain) onPostgres(define);
}

function onSqlite(define: (places: Places) => void): void {
  describe('on SQLite', () => {
    const folders: string[] = [];
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
    define(createPlaces(async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
      folders.push(folder);
      return { dataDir: path.join(folder, 'made', 'on demand') };
    }));
  });
}

function onPostgres(define: (places: Places) => void): void {
  describeIf(hasPostgres(), needsPostgres)('on PostgreSQL', () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());
    define(createPlaces(async () => {
      if (!server) throw new Error('PostgreSQL is not started');
      return { databaseUrl: await server.createSchema() };
    }));
  });
}

function createPlaces(newPlace: () => Promise<LedgerLocation>): Places {
  const ledgers: Ledger[] = [];
  afterEach(async () => {
    for (const ledger of ledgers.splice(0)) await ledger.close();
  });
  return {
    newPlace,
    async open(place) {
      const ledger = await openLedger(place ?? (await newPlace()));
      ledgers.push(ledger);
      return ledger;
    },
  };
}
