import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type Dialect, SqliteDialect, type SqliteDatabase } from 'kysely';
import { makeFolder } from '../base/host/make-folder.ts';
import { makePrivateFile, narrowFile, assertOwnFolder } from '../base/host/private-files.ts';
import { wrapDriver } from './database-driver.ts';
import { LedgerError, type LedgerErrorReason } from './ledger-error.ts';
import { describeSystemCode, systemCodeOf } from '../base/failures/system-code.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

const yieldAfterMilliseconds = 20;
/** The most recently used ones; an insert of many rows is long, and rarely has the same number of rows again. */
const keptStatements = { count: 200, characters: 10_000 };
/** A kept statement holds its parameters until it runs again. */
const keptParameterCharacters = 10_000;

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
  const base = new SqliteDialect({
    database: () => openFile(file, Math.min(busyTimeoutMilliseconds, longestCreation)),
  });
  const around = createBusyRetry(file, busyTimeoutMilliseconds);
  return {
    createDriver: () => wrapDriver(base.createDriver(), { around, begin: beginImmediate, isRolledBack }),
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

/** A full disk, among others, makes SQLite roll back by itself. */
function isRolledBack(error: unknown): boolean {
  return primaryCode(error) === 1 && String(error).includes('no transaction is active');
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

/** Within this time a process that has created the file writes to it. */
const longestCreation = 10_000;

async function openFile(file: string, creationMilliseconds: number): Promise<SqliteDatabase> {
  await makeFolder(path.dirname(file), 0o700);
  await assertOwnFolder(path.dirname(file));
  // The rows are personal data: only the owner may read the file. SQLite gives -wal and -shm the same mode.
  const isNew = await makePrivateFile(file);
  for (const suffix of ['-wal', '-shm']) await narrowFile(file + suffix);
  if (!isNew) await awaitContent(file, creationMilliseconds);
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864'); // 16 and 64 MB
  } catch (error) {
    database.close();
    throw error;
  }
  return { prepare: createPrepare(database), close: () => database.close() };
}

/** SQLite would take an empty file for a new ledger, so that everything is ordered again. Another process may just have created it. */
async function awaitContent(file: string, creationMilliseconds: number): Promise<void> {
  for (;;) {
    const { size, mtimeMs } = await stat(file);
    if (size > 0) return;
    if (Math.abs(Date.now() - mtimeMs) > creationMilliseconds)
      throw new LedgerError(
        'damaged',
        `the ledger ${file} is an empty file: it has 0 bytes, so that no order is known. Restore a backup; or delete it to start with an empty ledger, and runs order again what they have ordered before`,
      );
    await sleep(20);
  }
}

/** Kysely prepares a statement for every query. Statements are kept, since preparing takes longer than most queries run. */
function createPrepare(database: DatabaseSync): SqliteDatabase['prepare'] {
  const kept = new Map<string, StatementSync>();
  const keep = (text: string): StatementSync => {
    const statement = kept.get(text) ?? database.prepare(text);
    kept.delete(text);
    if (text.length <= keptStatements.characters) kept.set(text, statement);
    const [oldest] = kept.keys();
    if (kept.size > keptStatements.count && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
  return (text) => {
    const statement = keep(text);
    const bind = (parameters: readonly unknown[]): SQLInputValue[] => {
      if (parameters.some((value) => typeof value === 'string' && value.length > keptParameterCharacters))
        kept.delete(text);
      return parameters.map(toSqlValue);
    };
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...bind(parameters)),
      run: (parameters) => statement.run(...bind(parameters)),
      // Not kept: two streams may run the same query at the same time, and a statement has only one cursor.
      iterate: (parameters) => database.prepare(text).iterate(...parameters.map(toSqlValue)),
    };
  };
}

function toSqlValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  throw new TypeError(`a column of the ledger cannot hold a value of type ${typeof value}`);
}

type Explanation = readonly [LedgerErrorReason, string];

function damaged(found: string): string {
  return `${found}. If it was just restored, delete the files ledger.db-wal and ledger.db-shm of the former one. Otherwise restore a backup, or move it away to start with an empty ledger`;
}

/** SQLite's primary result codes, https://sqlite.org/rescode.html */
const explanations: Readonly<Record<number, Explanation>> = {
  3: ['refused', 'cannot be used: permission denied. Allow this user to read and write it and its folder'],
  5: ['locked', 'is locked by another process. Stop that process (a database browser, a backup), then try again'],
  8: ['refused', 'is read-only. Allow this user to write to it and its folder'],
  10: ['failed', 'cannot be read or written by the operating system. Check the disk, then try again'],
  11: ['damaged', damaged('is damaged')],
  13: ['full', 'cannot grow: the disk is full. Free some space, then try again'],
  14: ['refused', 'cannot be opened. Allow this user to read and write it and its folder'],
  26: ['damaged', damaged('is not a SQLite database, or it is damaged')],
};

const noFolder: Explanation = [
  'refused',
  'cannot be created: a part of its path is a file. Choose another data folder',
];

/** What to do after an error of the operating system; ENOENT: its folder exists, and cannot hold files. */
const systemExplanations: Readonly<Record<string, Explanation>> = {
  EACCES: ['refused', systemProblem('EACCES', 'Allow this user to read and write it and its folder')],
  EPERM: ['refused', systemProblem('EPERM', 'Allow this user to read and write it and its folder')],
  EROFS: ['refused', systemProblem('EROFS', 'Choose another data folder')],
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ENOENT: ['refused', 'cannot be created: the file system of its folder holds no files. Choose another data folder'],
  EISDIR: ['refused', systemProblem('EISDIR', 'Move it away, or choose another data folder')],
  ENOSPC: ['full', systemProblem('ENOSPC', 'Free some space, then try again')],
};

function systemProblem(code: string, remedy: string): string {
  return `cannot be used: ${describeSystemCode(code)}. ${remedy}`;
}

/** Another connection is writing, or is just recovering the file. */
function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === 5 || code === 6;
}

export function explainSqlite(error: unknown, file: string): unknown {
  const code = primaryCode(error);
  if (code !== undefined) {
    const [reason, text] = explanations[code] ?? ['failed', `refused a statement (SQLite result code ${code})`];
    return new LedgerError(reason, `the ledger ${file} ${text}`, String(code));
  }
  const systemCode = systemCodeOf(error);
  const known = systemCode === null ? undefined : getOwnProperty(systemExplanations, systemCode);
  return known ? new LedgerError(known[0], `the ledger ${file} ${known[1]}`, systemCode) : error;
}

/** node:sqlite gives extended result codes: the primary one is the low byte. */
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
