/** SQLite database of the sandbox state. A database on disk keeps memory small; a snapshot is a file. */
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { makeFolderSync } from '../../src/base/host/make-folder.ts';
import { pathToFileURL } from 'node:url';

export type Row = Readonly<Record<string, SQLOutputValue>>;

export interface Database {
  readonly run: (sql: string, ...values: SQLInputValue[]) => void;
  readonly get: (sql: string, ...values: SQLInputValue[]) => Row | undefined;
  readonly all: (sql: string, ...values: SQLInputValue[]) => Row[];
  /** Rolls back when `work` throws. Transactions cannot be nested. */
  readonly transaction: <T>(work: () => T) => T;
  /** Saves a snapshot. A snapshot of the same name is replaced when the new one is complete. */
  readonly save: (name: string) => void;
  /** Restores a snapshot; false if it does not exist. Nothing changes when it throws. */
  readonly load: (name: string) => boolean;
  readonly snapshots: () => string[];
  /** Deletes a snapshot; false if it does not exist. */
  readonly drop: (name: string) => boolean;
  /** Closes the database and deletes the snapshots, unless they are kept. */
  readonly close: () => void;
}

/** Writes are not synced: a kept file survives the end of its process, but not of the machine. */
const pragmas = `
  PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -8000;
`;

export interface DatabasePlace {
  /** Parent of the folder with the snapshots, which is created with the first one and deleted at the end. */
  readonly root?: string;
  /** Keeps the database and its snapshots in these places. By default both end with the process. */
  readonly kept?: { readonly file: string; readonly snapshots: string };
}

/** Throws an error with errcode 5 (SQLITE_BUSY) when another process has opened the kept file. */
export function openDatabase(schema: string, { root = tmpdir(), kept }: DatabasePlace = {}): Database {
  // Without a name it is a temporary file that the operating system deletes when the process ends (sqlite.org/inmemorydb.html).
  const database = new DatabaseSync(kept?.file ?? '');
  try {
    // The lock that this transaction takes stays until the file is closed.
    database.exec(`${pragmas}BEGIN EXCLUSIVE; ${schema} COMMIT`);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  let folder = kept?.snapshots;
  const files = new Map(folder === undefined ? [] : snapshotsIn(folder));

  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const run = (sql: string, ...values: SQLInputValue[]) => void prepare(sql).run(...values);

  return {
    run,
    get: (sql, ...values) => prepare(sql).get(...values),
    all: (sql, ...values) => prepare(sql).all(...values),
    transaction(work) {
      run('BEGIN');
      try {
        const result = work();
        run('COMMIT');
        return result;
      } catch (error) {
        // After some errors, for example a full disk, SQLite has rolled back already.
        if (database.isTransaction) run('ROLLBACK');
        throw error;
      }
    },
    save(name) {
      folder ??= mkdtempSync(join(root, 'prospect-sync-sandbox-'));
      makeFolderSync(folder, 0o700);
      const file = join(folder, toFileName(name));
      const unfinished = `${file}.part`;
      try {
        rmSync(unfinished, { force: true });
        database.prepare('VACUUM INTO ?').run(unfinished);
        renameSync(unfinished, file);
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw error;
      }
      files.set(name, file);
    },
    load(name) {
      const file = files.get(name);
      if (file === undefined) return false;
      copyTables(file, database);
      return true;
    },
    snapshots: () => [...files.keys()],
    drop(name) {
      const file = files.get(name);
      if (file !== undefined) rmSync(file, { force: true });
      return files.delete(name);
    },
    close() {
      if (database.isOpen) database.close();
      if (folder !== undefined && !kept) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Hexadecimal digits, because some file systems ignore upper and lower case. */
function toFileName(name: string): string {
  return `${Buffer.from(name).toString('hex')}.db`;
}

function snapshotsIn(folder: string): [name: string, file: string][] {
  makeFolderSync(folder, 0o700);
  const files = readdirSync(folder).filter((file) => /^[\da-f]+\.db$/.test(file));
  return files.map((file) => [Buffer.from(file.slice(0, -3), 'hex').toString(), join(folder, file)]);
}

/** SQLite copies into empty tables of the same schema as fast as VACUUM does. Nothing changes when it throws. */
function copyTables(file: string, database: DatabaseSync): void {
  const address = pathToFileURL(file);
  // Otherwise SQLite creates a missing file.
  address.search = 'mode=ro';
  database.prepare('ATTACH ? AS kept').run(address.href);
  try {
    const rows = database.prepare("SELECT name FROM kept.sqlite_schema WHERE type = 'table'").all();
    database.exec('BEGIN');
    for (const name of rows.map((row) => String(row['name'])))
      database.exec(`DELETE FROM main."${name}"; INSERT INTO main."${name}" SELECT * FROM kept."${name}"`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.exec('DETACH kept');
  }
}
