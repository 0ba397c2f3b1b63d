import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { SpreadsheetError, toSpreadsheetError } from './error.ts';

interface Reader {
  readonly path: string;
  delimiter: string;
  columns: string[] | null;
  /** Line at which the next record begins. */
  line: number;
}

/** A quoted field that is never closed would otherwise swallow the rest of the file, however large. */
const longestRecord = 1_000_000;

/**
 * The rows of a CSV file, in batches, keyed by header. UTF-8 with or without byte order mark; comma, semicolon, tab or
 * bar, whichever the header line has most; any line ends, `\n` inside values. Headers are trimmed, lower-cased and joined
 * by `_` (`Company Name` is `company_name`); columns without a header and blank lines are skipped; values are trimmed,
 * missing ones at the end of a row are ''.
 * @throws SpreadsheetError with the line of the row at fault; the signal's reason on abort
 */
export async function* readCsv(path: string, signal?: AbortSignal): AsyncGenerator<Record<string, string>[]> {
  const reader: Reader = { path, delimiter: ',', columns: null, line: 1 };
  let text = '';
  for await (const chunk of readText(path, signal)) {
    text += chunk;
    const { rows, rest } = takeRecords(text, reader, 'more follows');
    text = rest;
    if (text.length > longestRecord)
      throw broken(reader, 'a quoted value is never closed, or a row is over 1,000,000 characters');
    if (rows.length > 0) yield rows;
  }
  const { rows } = takeRecords(text, reader, 'the end');
  if (reader.columns === null) throw new SpreadsheetError({ path, action: 'reading', problem: 'the file is empty' });
  if (rows.length > 0) yield rows;
}

/** Decoded text with `\n` as the only line end; a character or a CRLF that two chunks share comes out whole. */
async function* readText(path: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const decode = createDecoder(path);
  let held = '';
  for await (const bytes of readBytes(path, signal)) {
    const text = held + decode(bytes, 'more follows');
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, '\n');
  }
  yield (held + decode(new Uint8Array(), 'the end')).replaceAll('\r', '\n');
}

async function* readBytes(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  try {
    for await (const bytes of createReadStream(path)) {
      signal?.throwIfAborted();
      yield bytes;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toSpreadsheetError(error, path, 'reading');
  }
}

function createDecoder(path: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes: Uint8Array, follows: 'more follows' | 'the end') => {
    try {
      return decoder.decode(bytes, { stream: follows === 'more follows' });
    } catch {
      const problem = 'the file is not UTF-8; save it as "CSV UTF-8"';
      throw new SpreadsheetError({ path, action: 'reading', problem });
    }
  };
}

function takeRecords(text: string, reader: Reader, follows: 'more follows' | 'the end') {
  const rows: Record<string, string>[] = [];
  if (reader.columns === null) reader.delimiter = delimiterOf(text);
  const parser = new Papa.Parser({ delimiter: reader.delimiter, newline: '\n' });
  const result: Papa.ParseResult<string[]> = parser.parse(text, 0, follows === 'more follows');
  for (const [index, record] of result.data.entries()) {
    // Faults of a record that is not complete yet may vanish with the next chunk, and have no index here.
    const fault = result.errors.find(({ row }) => row === index);
    if (fault?.code === 'MissingQuotes') throw broken(reader, 'a quoted value is never closed');
    if (fault) throw broken(reader, 'a quote stands inside a quoted value; write it twice ("")');
    const row = toRow(record, reader);
    if (row !== null) rows.push(row);
    reader.line += record.join('').split('\n').length;
  }
  return { rows, rest: text.slice(result.meta.cursor) };
}

function delimiterOf(text: string): string {
  const header =
    text
      .replaceAll(/"[^"]*"/g, '')
      .trimStart()
      .split('\n')[0] ?? '';
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function toRow(record: readonly string[], reader: Reader): Record<string, string> | null {
  if (record.every((value) => value.trim() === '')) return null;
  if (reader.columns === null) {
    reader.columns = toColumns(record, reader);
    return null;
  }
  const { columns } = reader;
  if (record.slice(columns.length).some((value) => value.trim() !== ''))
    throw broken(
      reader,
      `the row has ${record.length} values and the header has ${columns.length}; a value that holds a separator needs quotes`,
    );
  return Object.fromEntries(
    columns.map((column, index) => [column, (record[index] ?? '').trim()] as const).filter(([column]) => column !== ''),
  );
}

function toColumns(header: readonly string[], reader: Reader): string[] {
  const { columns, repeated } = toColumnNames(header);
  if (repeated !== null) throw broken(reader, `columns ${repeated[0]} and ${repeated[1]} have the same header`);
  return columns;
}

/** Headers as keys, '' where there is none; `repeated`: the first two columns of one header, counted from 1. */
export function toColumnNames(header: readonly string[]): {
  columns: string[];
  repeated: readonly [number, number] | null;
} {
  const columns = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, '_'),
  );
  const twice = columns.findIndex((name, index) => name !== '' && columns.indexOf(name) < index);
  return { columns, repeated: twice === -1 ? null : [columns.indexOf(columns[twice] ?? '') + 1, twice + 1] };
}

function broken(reader: Reader, problem: string): SpreadsheetError {
  return new SpreadsheetError({ path: reader.path, action: 'reading', problem, line: reader.line });
}
