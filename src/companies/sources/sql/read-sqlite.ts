/**
 * Reads a query from a SQLite file in a process of its own (sqlite-reader-main.ts). SQLite blocks its thread, and nothing but the end of
 * the process stops a query: heartbeats continue, and an abort or the timeout ends the query at once.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import path from 'node:path';
import { getOwnProperty } from '../../../base/json/own-property.ts';
import { assertRegularFile } from '../../../base/spreadsheet/whole-file.ts';
import { SpreadsheetError, toSpreadsheetError } from '../../../base/spreadsheet/spreadsheet-error.ts';
import { fileLimits } from '../../../base/spreadsheet/file-limits.ts';
import type { SourceCell } from '../../../base/spreadsheet/table.ts';
import { holdsBytes, rowTooLong, tooSlow, type LongRow, type QueryPage } from './query-page.ts';
import { SqlError, type SqlErrorReason } from './sql-error.ts';
import { openReadable, type ReadableFile } from './sqlite-file.ts';
import { withSentence } from '../../../base/text/normalize-text.ts';

interface SqliteQuery {
  readonly path: string;
  readonly query: string;
  readonly setting: string;
  readonly signal: AbortSignal;
  readonly statementTimeoutMs: number;
}

export interface SqliteTask {
  readonly path: string;
  readonly isImmutable: boolean;
  readonly query: string;
}

export type ToSqliteReader = { readonly kind: 'task'; readonly task: SqliteTask } | { readonly kind: 'more' };

/** `word`: a name that SQLite does not know, with what it is. `code`: SQLite's extended result code. */
export type FromSqliteReader =
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly SourceCell[])[]; readonly isLast: boolean }
  | { readonly kind: 'bytes'; readonly column: string }
  | { readonly kind: 'long'; readonly long: LongRow }
  | { readonly kind: 'several' | 'no rows' }
  | { readonly kind: 'failed'; readonly code: number; readonly word: string | null };

/** TypeScript in a clone, JavaScript in the package. */
const main = path.join(import.meta.dirname, `sqlite-reader-main${path.extname(import.meta.filename)}`);

export async function* readSqlite(source: SqliteQuery): AsyncGenerator<QueryPage> {
  const { path: file, query, setting, signal } = source;
  signal.throwIfAborted();
  const readable = await openFile(file, setting);
  const reader = startReader();
  let columns: readonly string[] = [];
  try {
    const messages = on(reader, 'message', { close: ['exit', 'error'] });
    const ask = createAsk(reader, messages, source);
    const { path: opened, isImmutable } = readable;
    let message = await ask({ kind: 'task', task: { path: opened, isImmutable, query } });
    for (;;) {
      if (message.kind === 'columns') {
        columns = message.columns;
        yield { columns, rows: [] };
      } else if (message.kind === 'rows') {
        if (message.isLast && (await readable.hasChanged())) throw changed(setting);
        yield { columns, rows: message.rows };
        if (message.isLast) return;
      } else if (message.kind === 'long') throw rowTooLong(setting, columns, message.long);
      else throw toSqlError(message, source);
      message = await ask({ kind: 'more' });
    }
  } finally {
    reader.kill('SIGKILL');
    await readable.close();
  }
}

function changed(setting: string): SqlError {
  return new SqlError('unreachable', `${setting}.sqlite: the file was changed while it was read. Try again`);
}

/** Without the environment of this process, which holds secrets. */
function startReader(): ChildProcess {
  return fork(main, [], {
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${fileLimits.memoryMegabytes}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

type Messages = AsyncIterator<FromSqliteReader[]>;

/** Sends a message, and waits for its answer until the timeout or the abort. */
function createAsk(reader: ChildProcess, messages: Messages, { setting, signal, statementTimeoutMs }: SqliteQuery) {
  return async (question: ToSqliteReader): Promise<FromSqliteReader> => {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason);
    const timer = setTimeout(() => reject(tooSlow(setting, statementTimeoutMs)), statementTimeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    // A reader that has ended is reported by the end of the messages.
    reader.send(question, () => undefined);
    try {
      const { value, done } = await Promise.race([messages.next(), ended]);
      const [message] = done === true ? [] : value;
      if (message !== undefined) return message;
      const remedy = `Check the memory of this machine: one row must fit into ${fileLimits.memoryMegabytes} MB`;
      throw new SqlError('refused', `${setting}.query: the process that reads SQLite ended unexpectedly. ${remedy}`);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
}

async function openFile(file: string, setting: string): Promise<ReadableFile> {
  try {
    await assertRegularFile(file);
    return await openReadable(file);
  } catch (error) {
    const problem = error instanceof SpreadsheetError ? error : toSpreadsheetError(error, file, 'reading');
    const remedy = 'Correct the path, or the permissions of the file and its folder';
    throw new SqlError(
      'refused',
      withSentence(`${setting}.sqlite: ${problem.message}`, remedy),
      problem.code ?? undefined,
    );
  }
}

/** Its program was killed, or its files -wal and -shm belong to another user. */
const onlyWriter =
  'the file can be read only by a user who may write to it and its folder, as its program left it. Start and end that program, or allow this user to write';

type Explanation = readonly [SqlErrorReason, setting: 'query' | 'sqlite', text: string];

/** SQLite's result codes, https://sqlite.org/rescode.html: extended ones where their primary code says something else. */
const explanations: Readonly<Record<string, Explanation>> = {
  '264': ['refused', 'sqlite', onlyWriter],
  '520': ['refused', 'sqlite', onlyWriter],
  '776': ['refused', 'sqlite', onlyWriter],
  '1288': ['refused', 'sqlite', onlyWriter],
  '1544': ['refused', 'sqlite', onlyWriter],
  '1': ['refused', 'query', 'SQLite does not accept it. Correct it; it must be one SELECT statement'],
  '3': ['refused', 'sqlite', 'permission denied. Allow this user to read the file'],
  '5': ['unreachable', 'sqlite', 'another process has locked the file. Stop that process if this lasts'],
  '6': ['unreachable', 'sqlite', 'another process has locked a table. Stop that process if this lasts'],
  '8': [
    'refused',
    'query',
    'SQLite refused it, because it writes; nothing was changed. Write a SELECT statement that only reads',
  ],
  '10': ['unreachable', 'sqlite', 'the operating system cannot read the file. Check the disk'],
  '11': ['refused', 'sqlite', 'the file is damaged. Restore a backup'],
  '14': ['refused', 'sqlite', 'the file cannot be opened. Allow this user to read it and its folder'],
  '18': [
    'refused',
    'query',
    'a value has more than 100,000,000 bytes. Leave its column out, or find the row with length(COLUMN) and shorten it',
  ],
  '26': ['refused', 'sqlite', 'the file is not a SQLite database. Correct the path'],
};

function toSqlError(message: Exclude<FromSqliteReader, { kind: 'long' }>, { setting }: SqliteQuery): SqlError {
  const refused = (problem: string) => new SqlError('refused', `${setting}.query: ${problem}`);
  if (message.kind === 'bytes') return holdsBytes(setting, message.column);
  if (message.kind === 'several') return refused('it holds more than one statement. Write one SELECT statement');
  if (message.kind !== 'failed') return refused('it returns no columns. Write a SELECT statement');
  const { code, word } = message;
  const known = Object.hasOwn(explanations, String(code)) ? String(code) : String(code & 0xff);
  const [reason, key, text] = getOwnProperty(explanations, known) ?? [
    'refused',
    'query',
    'SQLite cannot execute it. Correct the query or the data',
  ];
  const hint = word?.endsWith('"') === true ? '; texts are in single quotes' : '';
  const facts = `SQLite result code ${known}${word === null ? '' : `, ${word}${hint}`}`;
  return new SqlError(reason, `${setting}.${key} (${facts}): ${text}`, String(code));
}
