/** SQLite database of the sandbox state, which keeps the process small; a snapshot is a file. */
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
  /** All of `work` or, when it throws, nothing of it. Not to be nested. */
  readonly transaction: <T>(work: () => T) => T;
  /** Keeps everything as it is under a name; a snapshot of that name is replaced once the new one is whole. */
  readonly save: (name: string) => void;
  /** Puts back what was saved; false when there is no such snapshot. Everything stays as it is when it throws. */
  readonly load: (name: string) => boolean;
  readonly snapshots: () => string[];
  /** Removes a snapshot; false when there is no such one. */
  readonly drop: (name: string) => boolean;
  /** Removes the snapshots too. */
  readonly close: () => void;
}

/** Nothing is synced, because no one reads the file after the process ends. */
const pragmas = `
  PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -8000;
`;

/** Snapshots are files in a folder below `root`, which is made for the first of them. */
export function openDatabase(schema: string, { root = tmpdir() }: { readonly root?: string } = {}): Database {
  let database = openNameless(schema);
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
        // SQLite has done so itself after some errors, a full disk for example.
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

/** A file without a name, which the operating system drops when the process ends, however it ends (sqlite.org/inmemorydb.html). */
function openNameless(schema: string): DatabaseSync {
  const database = new DatabaseSync('');
  database.exec(pragmas + schema);
  return database;
}

/**
 * A copy of the file itself would need a name, and so would its journal. Into empty tables of the same schema SQLite
 * copies tables and indexes as they are, as fast as VACUUM does.
 */
function openCopy(file: string, schema: string): DatabaseSync {
  const database = openNameless(schema);
  try {
    const address = pathToFileURL(file);
    // Without it SQLite would create a missing file, empty.
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
