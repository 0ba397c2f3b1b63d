/** SQLite below the stand-in's memory: what it holds does not fill the process, and a snapshot is a file. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

export type Row = Readonly<Record<string, SQLOutputValue>>;

export interface Database {
  readonly run: (sql: string, ...values: SQLInputValue[]) => void;
  readonly get: (sql: string, ...values: SQLInputValue[]) => Row | undefined;
  readonly all: (sql: string, ...values: SQLInputValue[]) => Row[];
  /** All of `work` or, when it throws, nothing of it. Not to be nested. */
  readonly transaction: <T>(work: () => T) => T;
  /** Keeps everything as it is under a name; a snapshot of that name is replaced. */
  readonly save: (name: string) => void;
  /** Puts back what was saved; false when there is no such snapshot. */
  readonly load: (name: string) => boolean;
  readonly snapshots: () => string[];
  readonly close: () => void;
}

/** In a temporary file that the operating system drops when the process ends; nothing is ever synced. */
const pragmas = `
  PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -8000;
`;

export function openDatabase(schema: string): Database {
  let database = open('', schema);
  let statements = new Map<string, StatementSync>();
  let folder: string | undefined;
  let working: string | undefined;
  let restores = 0;
  const files = new Map<string, string>();

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
        run('ROLLBACK');
        throw error;
      }
    },
    save(name) {
      folder ??= mkdtempSync(join(tmpdir(), 'prospect-sync-sandbox-'));
      const file = files.get(name) ?? join(folder, `snapshot-${files.size}.db`);
      rmSync(file, { force: true });
      database.prepare('VACUUM INTO ?').run(file);
      files.set(name, file);
    },
    load(name) {
      const file = files.get(name);
      if (file === undefined) return false;
      // A copy, so that the snapshot can be restored again.
      const copy = `${file}.${(restores += 1)}`;
      copyFileSync(file, copy);
      database.close();
      if (working !== undefined) rmSync(working);
      working = copy;
      database = open(copy, schema);
      statements = new Map();
      return true;
    },
    snapshots: () => [...files.keys()],
    close() {
      database.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function open(file: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(pragmas + schema);
  return database;
}
