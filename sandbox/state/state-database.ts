/** SQLite database of the sandbox state. A database on disk keeps memory small; a snapshot is a file. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
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
  /** Closes the database and deletes the snapshots. */
  readonly close: () => void;
}

/** Writes are not synced, because the file is not used after the process ends. */
const pragmas = `
  PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -8000;
`;

/** Snapshots are files in a new folder below `root`, created with the first snapshot. */
export function openDatabase(schema: string, { root = tmpdir() }: { readonly root?: string } = {}): Database {
  let database = openTemporary(schema);
  let statements = new Map<string, StatementSync>();
  let folder: string | undefined;
  const files = new Map<string, string>();
  let saved = 0;

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
      const file = files.get(name) ?? join(folder, `snapshot-${saved}.db`);
      const unfinished = `${file}.part`;
      try {
        database.prepare('VACUUM INTO ?').run(unfinished);
        renameSync(unfinished, file);
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw error;
      }
      if (!files.has(name)) saved += 1;
      files.set(name, file);
    },
    load(name) {
      const file = files.get(name);
      if (file === undefined) return false;
      const restored = openCopy(file, schema);
      database.close();
      database = restored;
      statements = new Map();
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
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A temporary file without a name, which the operating system deletes when the process ends (sqlite.org/inmemorydb.html). */
function openTemporary(schema: string): DatabaseSync {
  const database = new DatabaseSync('');
  database.exec(pragmas + schema);
  return database;
}

/**
 * Copies the tables into a new temporary database, because a copy of the file would need a name. SQLite copies into
 * empty tables of the same schema as fast as VACUUM does.
 */
function openCopy(file: string, schema: string): DatabaseSync {
  const database = openTemporary(schema);
  try {
    const address = pathToFileURL(file);
    // Otherwise SQLite creates a missing file.
    address.search = 'mode=ro';
    database.prepare('ATTACH ? AS kept').run(address.href);
    const rows = database.prepare("SELECT name FROM kept.sqlite_schema WHERE type = 'table'").all();
    const tables = rows.map(({ name }) => String(name));
    database.exec('BEGIN');
    for (const name of tables) database.exec(`INSERT INTO main."${name}" SELECT * FROM kept."${name}"`);
    database.exec('COMMIT; DETACH kept');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
