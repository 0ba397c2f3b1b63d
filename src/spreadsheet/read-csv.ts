import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { SpreadsheetError, toSpreadsheetError } from './error.ts';
import { findRepeatedHeader, type SourceRow, type SourceRows } from './table.ts';

interface Reader {
  readonly path: string;
  delimiter: string;
  /** With '' for a column without a header; null until the header was read. */
  columns: readonly string[] | null;
  headerNumber: number;
  /** Number of the next record, as a spreadsheet program shows it. */
  record: number;
  /** Line at which the next record begins. */
  line: number;
}

/** A quoted field that is never closed would otherwise swallow the rest of the file, however large. */
const longestRecord = 1_000_000;

/**
 * The rows of a CSV file, in batches. UTF-8 with or without byte order mark; comma, semicolon, tab or bar, whichever the
 * header line has most; any line ends, `\n` inside values. The first line that is not blank is the header; columns without
 * a header and blank lines are skipped; values are trimmed, missing ones at the end of a row are ''.
 * @throws SpreadsheetError with the line of the row at fault; the signal's reason on abort
 */
export async function* readCsv(path: string, signal?: AbortSignal): AsyncGenerator<SourceRows> {
  const reader: Reader = { path, delimiter: ',', columns: null, headerNumber: 0, record: 1, line: 1 };
  let yielded = false;
  let text = '';
  for await (const chunk of readText(path, signal)) {
    text += chunk;
    const { rows, rest } = takeRecords(text, reader, 'more follows');
    text = rest;
    if (text.length > longestRecord)
      throw broken(reader, 'a quoted value is never closed, or a row is over 1,000,000 characters');
    if (rows.length === 0) continue;
    yielded = true;
    yield toBatch(reader, rows);
  }
  const { rows } = takeRecords(text, reader, 'the end');
  if (reader.columns === null) throw new SpreadsheetError({ path, action: 'reading', problem: 'the file is empty' });
  if (rows.length > 0 || !yielded) yield toBatch(reader, rows);
}

function toBatch({ columns, headerNumber }: Reader, rows: readonly SourceRow[]): SourceRows {
  return { headers: (columns ?? []).filter((header) => header !== ''), headerNumber, rows };
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
  const rows: SourceRow[] = [];
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
    reader.record += 1;
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

function toRow(record: readonly string[], reader: Reader): SourceRow | null {
  if (record.every((value) => value.trim() === '')) return null;
  if (reader.columns === null) {
    reader.columns = toHeaders(record, reader);
    reader.headerNumber = reader.record;
    return null;
  }
  const { columns } = reader;
  if (record.slice(columns.length).some((value) => value.trim() !== ''))
    throw broken(
      reader,
      `the row has ${record.length} values and the header has ${columns.length}; a value that holds a separator needs quotes`,
    );
  const cells = columns.map((header, index) => [header, (record[index] ?? '').trim()] as const);
  return { number: reader.record, cells: Object.fromEntries(cells.filter(([header]) => header !== '')) };
}

function toHeaders(record: readonly string[], reader: Reader): string[] {
  const headers = record.map((header) => header.trim());
  const repeated = findRepeatedHeader(headers);
  if (repeated !== null) throw broken(reader, `columns ${repeated[0]} and ${repeated[1]} have the same header`);
  return headers;
}

function broken(reader: Reader, problem: string): SpreadsheetError {
  return new SpreadsheetError({ path: reader.path, action: 'reading', problem, line: reader.line });
}
