/** The process of readSqlite: opens one file for reading only, and sends one page of rows for each request. */
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { SourceCell } from '../../../base/spreadsheet/table.ts';
import { skipBlanks } from '../../../config/statement-text.ts';
import { measureRow, pageCharacters, rowsPerPage } from './query-page.ts';
import type { FromSqliteReader, SqliteTask, ToSqliteReader } from './read-sqlite.ts';

/** How long to wait for a writer. */
const busyTimeoutMs = 5_000;
/** The longest value that SQLite computes or returns, so that it fits into the heap of this process. */
const longestValueBytes = 100_000_000;

type Row = readonly SQLOutputValue[];

let sendPage = () => {};

process.on('message', (message: ToSqliteReader) => {
  try {
    if (message.kind === 'task') sendPage = open(message.task);
    else sendPage();
  } catch (error) {
    send(toFailure(error));
  }
});

function send(message: FromSqliteReader): void {
  process.send?.(message);
}

/** Sends the columns. @returns sends the next page */
function open({ path, isImmutable, query }: SqliteTask): () => void {
  const options = { readOnly: true, timeout: busyTimeoutMs, limits: { length: longestValueBytes } };
  const database = new DatabaseSync(isImmutable ? toImmutable(path) : path, options);
  const statement = database.prepare(query);
  const columns = statement.columns().map(({ name }) => name);
  // VACUUM INTO writes a file even in a database that is opened for reading. It returns no columns, as other writes.
  const problem = columns.length === 0 ? 'no rows' : hasSecondStatement(statement, query) ? 'several' : null;
  if (problem !== null) {
    send({ kind: problem });
    return () => {};
  }
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  let rows: Iterator<unknown> | null = null;
  let count = 0;
  send({ kind: 'columns', columns });
  return () => {
    rows ??= statement.iterate();
    const page: SourceCell[][] = [];
    let isLast = false;
    for (let size = 0; page.length < rowsPerPage && size < pageCharacters && !isLast;) {
      const { value, done } = rows.next();
      if (done === true) isLast = true;
      else if (isRow(value)) {
        const bytes = value.findIndex((cell) => cell instanceof Uint8Array);
        if (bytes !== -1) return send({ kind: 'bytes', column: columns[bytes] ?? '' });
        const cells = value.map(toCell);
        const { characters, long } = measureRow(cells, (count += 1));
        if (long !== null) return send({ kind: 'long', long });
        size += characters;
        page.push(cells);
      }
    }
    send({ kind: 'rows', rows: page, isLast });
  };
}

/** https://sqlite.org/uri.html */
function toImmutable(path: string): URL {
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  return address;
}

/** SQLite compiles the first statement, and does not read the others. */
function hasSecondStatement({ sourceSQL }: StatementSync, query: string): boolean {
  return skipBlanks(query.slice(sourceSQL.length)).replaceAll(';', '').trim() !== '';
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value);
}

/** A number that JavaScript cannot hold exactly becomes a text: a long id must not change. */
function toCell(value: SQLOutputValue): SourceCell {
  if (value === null || value instanceof Uint8Array) return '';
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function toFailure(error: unknown): FromSqliteReader {
  if (typeof error !== 'object' || error === null || !('errcode' in error) || typeof error.errcode !== 'number')
    throw error;
  const text = 'message' in error ? String(error.message) : '';
  // Other texts of SQLite may quote values.
  const word = unknownName.exec(text)?.[0] ?? null;
  return { kind: 'failed', code: error.errcode, word };
}

/** Without the advice on texts in single quotes, which follows a name in double quotes. */
const unknownName =
  /^(?:no such (?:table|column|function)|ambiguous column name): (?:[\p{L}\p{N}_.$ -]{1,100}$|"[\p{L}\p{N}_.$ -]{1,100}"(?= - |$))/u;
