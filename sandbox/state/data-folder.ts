/** The folder of `sandbox --data`: what a sandbox needs to continue after its process has ended. */
import { makeFolderSync } from '../../src/base/host/make-folder.ts';
import { join } from 'node:path';
import { createDocuments, documentsSchema } from './document-store.ts';
import { openDatabase, type Database, type DatabasePlace } from './state-database.ts';
import { explainSystemText } from '../../src/base/failures/system-code.ts';

/** A JSON value with a fixed name. */
export interface KeptValue<T> {
  readonly load: () => T | undefined;
  readonly save: (value: T) => void;
}

export interface KeptState {
  readonly value: <T>(name: string) => KeptValue<T>;
}

export interface KeptLog<T> {
  readonly add: (document: T) => void;
  readonly all: () => Generator<T>;
}

export interface DataFolder extends KeptState {
  /** The database of the sandbox service, which snapshots contain. */
  readonly service: NonNullable<DatabasePlace['kept']>;
  /** JSON documents in the order in which they were added. The folder has one log. */
  readonly log: <T>() => KeptLog<T>;
  readonly close: () => void;
}

/** `message` says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** Increases with every change of what is stored. */
const format = 1;

const schema = `${documentsSchema} CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY, document TEXT NOT NULL);`;
const logPage = 500;

/** Throws a DataFolderError if the folder cannot be used. */
export function openDataFolder(folder: string, seed: number): DataFolder {
  const database = openOrExplain(folder);
  const values = createDocuments<unknown>(database, '', 'value');
  const value = <T>(name: string): KeptValue<T> => {
    const documents = createDocuments<T>(database, '', 'value');
    return { load: () => documents.get(name), save: (content) => documents.set(name, content) };
  };
  const origin = value<{ readonly format: number; readonly seed: number }>('origin');
  const { format: writtenFormat, seed: writtenSeed } = origin.load() ?? { format, seed };
  const problem =
    writtenFormat !== format
      ? `another release of prospect-sync wrote it (format ${writtenFormat}, this one needs ${format}). Choose another folder`
      : writtenSeed !== seed
        ? `it was created with --seed ${writtenSeed}, found --seed ${seed}. Use --seed ${writtenSeed}, or choose another folder`
        : null;
  if (problem !== null) {
    database.close();
    throw new DataFolderError(`The data folder ${folder} cannot be used: ${problem}.`);
  }
  if (values.size === 0) origin.save({ format, seed });

  return {
    value,
    service: { file: join(folder, 'service.db'), snapshots: join(folder, 'snapshots') },
    log: () => createLog(database),
    close: database.close,
  };
}

function createLog<T>(database: Database): KeptLog<T> {
  return {
    add: (document) => database.run('INSERT INTO log (document) VALUES (?)', JSON.stringify(document)),
    *all() {
      let last = 0;
      for (;;) {
        const rows = database.all('SELECT * FROM log WHERE place > ? ORDER BY place LIMIT ?', last, logPage);
        for (const { document } of rows) yield JSON.parse(String(document));
        if (rows.length < logPage) return;
        last = Number(rows.at(-1)?.['place']);
      }
    },
  };
}

/** SQLITE_BUSY: https://sqlite.org/rescode.html#busy */
const busy = 5;

function openOrExplain(folder: string): Database {
  try {
    // The data of a sandbox is made up, but its HubSpot may contain what a user imported.
    makeFolderSync(folder, 0o700);
    return openDatabase(schema, { kept: { file: join(folder, 'sandbox.db'), snapshots: join(folder, 'snapshots') } });
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('message' in error)) throw error;
    const isBusy = 'errcode' in error && error.errcode === busy;
    const reason = isBusy
      ? 'another sandbox uses it. Stop that sandbox, or choose another folder'
      : `${explainSystemText(String(error.message))}. Choose another folder`;
    throw new DataFolderError(`The data folder ${folder} cannot be used: ${reason}.`, { cause: error });
  }
}
