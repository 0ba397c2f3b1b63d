import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

import { CompiledQuery, type Dialect, SqliteDialect, type SqliteDatabase } from 'kysely';

import { makePrivateFile, makePrivateFolder, narrowFile } from '../host/private-files.ts';
import { wrapDriver } from './database-driver.ts';
import { explainSqlite, isBusy } from './sqlite-failure.ts';

const yieldAfterMilliseconds = 20;

type SqliteOptions = {
  dataDir: string;
  /** How long to wait for another writer. */
  busyTimeoutMilliseconds: number;
};

export function ledgerFile(dataDir: string): string {
  return path.join(dataDir, 'ledger.db');
}

/** SQLite in `<dataDir>/ledger.db`, through node:sqlite. Creates a missing folder. */
export function createSqliteDialect({ dataDir, busyTimeoutMilliseconds }: SqliteOptions): Dialect {
  const file = ledgerFile(dataDir);
  const base = new SqliteDialect({ database: () => openFile(file) });
  const around = createBusyRetry(file, busyTimeoutMilliseconds);
  return {
    createDriver: () => wrapDriver(base.createDriver(), { around, begin: beginImmediate }),
    createQueryCompiler: () => base.createQueryCompiler(),
    createIntrospector: (db) => base.createIntrospector(db),
    createAdapter: () => ({
      supportsCreateIfNotExists: true,
      supportsMultipleConnections: false,
      // Kysely's adapter says false and migrates without a lock. SQLite supports it, and an immediate transaction is the lock.
      supportsTransactionalDdl: true,
      supportsReturning: true,
      supportsOutput: false,
      acquireMigrationLock: () => Promise.resolve(),
      releaseMigrationLock: () => Promise.resolve(),
    }),
  };
}

/** A transaction that reads first fails at its first write when another connection has written since. */
async function beginImmediate(connection: Parameters<NonNullable<Parameters<typeof wrapDriver>[1]['begin']>>[0]) {
  await connection.executeQuery(CompiledQuery.raw('begin immediate'));
}

/**
 * Waits for other writers like busy_timeout, but without blocking the process: the writer may be another ledger of this process.
 * node:sqlite is synchronous, so long work also yields to heartbeats and timers.
 */
function createBusyRetry(file: string, busyTimeoutMilliseconds: number) {
  let lastYield = performance.now();
  return async function retryWhileBusy<T>(task: () => Promise<T>): Promise<T> {
    if (performance.now() - lastYield > yieldAfterMilliseconds) {
      await yieldToEventLoop();
      lastYield = performance.now();
    }
    const deadline = performance.now() + busyTimeoutMilliseconds;
    for (;;) {
      try {
        return await task();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw explainSqlite(error, file);
      }
      await sleep(2 + Math.random() * 10);
      lastYield = performance.now();
    }
  };
}

async function openFile(file: string): Promise<SqliteDatabase> {
  await makePrivateFolder(path.dirname(file));
  // The rows are personal data: only the owner may read the file. SQLite gives -wal and -shm the same mode.
  await makePrivateFile(file);
  for (const suffix of ['-wal', '-shm']) await narrowFile(file + suffix);
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864'); // 16 and 64 MB
  } catch (error) {
    database.close();
    throw error;
  }
  return { prepare: (text) => prepare(database, text), close: () => database.close() };
}

function prepare(database: DatabaseSync, text: string): ReturnType<SqliteDatabase['prepare']> {
  const statement = database.prepare(text);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(toSqlValue)),
    run: (parameters) => statement.run(...parameters.map(toSqlValue)),
    iterate: (parameters) => statement.iterate(...parameters.map(toSqlValue)),
  };
}

function toSqlValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  throw new TypeError(`a column of the ledger cannot hold a value of type ${typeof value}`);
}
