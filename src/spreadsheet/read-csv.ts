import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { unescapeFormulas } from './cell-text.ts';
import { overLimit, toSpreadsheetError } from './spreadsheet-error.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import {
  createRefusal,
  readHeader,
  withoutLastBlanks,
  type KeptColumns,
  type Refuse,
  type SelectColumns,
  type SourceRow,
  type SourceRows,
} from './table.ts';

interface Reader {
  readonly refuse: Refuse;
  readonly select: SelectColumns;
  delimiter: string;
  /** null until the header was read. */
  columns: KeptColumns | null;
  /** Number of columns of the header row. */
  width: number;
  /** Number of the next record, as spreadsheet programs show it. */
  record: number;
  /** Line at which the next record begins. */
  line: number;
  rows: number;
}

/**
 * The rows of a CSV file, in batches. UTF-8 with or without byte order mark; comma, semicolon, tab or bar, whichever the
 * header line has most; any line ends, `\n` inside values. The first line that is not blank is the header; columns without
 * a header and blank lines are skipped; values are trimmed. Apostrophes that `writeCsv` inserts before formulas are removed.
 * @throws SpreadsheetError with the line of the faulty row
 */
export async function* readCsv(
  path: string,
  select: SelectColumns = ({ headers }) => headers,
): AsyncGenerator<SourceRows> {
  const refuse = createRefusal(path);
  const reader: Reader = { refuse, select, delimiter: ',', columns: null, width: 0, record: 1, line: 1, rows: 0 };
  let yielded = false;
  let text = '';
  for await (const chunk of readText(path, refuse)) {
    text += chunk;
    const { rows, rest } = await takeRecords(text, reader, 'more follows');
    text = rest;
    // A quoted value that is never closed would otherwise swallow the rest of the file, however large.
    if (text.length > fileLimits.rowCharacters) throw exceeded(reader, longRow);
    if (rows.length === 0 || reader.columns === null) continue;
    yielded = true;
    yield { ...reader.columns.header, rows };
  }
  const { rows } = await takeRecords(text, reader, 'the end');
  if (reader.columns === null) throw refuse('the file is empty');
  if (rows.length > 0 || !yielded) yield { ...reader.columns.header, rows };
}

const longRow = `a quoted value is never closed, or a row is over ${formatLimit(fileLimits.rowCharacters)} characters`;

/** Decoded text with `\n` as the only line end, also for a character or a CRLF that is split between two chunks. */
async function* readText(path: string, refuse: Refuse): AsyncGenerator<string> {
  const decode = createDecoder(refuse);
  let held = '';
  for await (const bytes of readBytes(path)) {
    const text = held + decode(bytes, 'more follows');
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, '\n');
  }
  yield (held + decode(new Uint8Array(), 'the end')).replaceAll('\r', '\n');
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of createReadStream(path)) yield bytes;
  } catch (error) {
    throw toSpreadsheetError(error, path, 'reading');
  }
}

function createDecoder(refuse: Refuse) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes: Uint8Array, follows: 'more follows' | 'the end') => {
    try {
      return decoder.decode(bytes, { stream: follows === 'more follows' });
    } catch {
      throw refuse('the file is not UTF-8; save it as "CSV UTF-8"');
    }
  };
}

async function takeRecords(text: string, reader: Reader, follows: 'more follows' | 'the end') {
  const rows: SourceRow[] = [];
  if (reader.columns === null) reader.delimiter = delimiterOf(text);
  const parser = new Papa.Parser({ delimiter: reader.delimiter, newline: '\n' });
  const result: Papa.ParseResult<string[]> = parser.parse(text, 0, follows === 'more follows');
  for (const [index, record] of result.data.entries()) {
    // Errors of an incomplete record have no index here, and the next chunk may complete it.
    const fault = result.errors.find(({ row }) => row === index);
    if (fault?.code === 'MissingQuotes') throw broken(reader, 'a quoted value is never closed');
    if (fault) throw broken(reader, 'a quote stands inside a quoted value; write it twice ("")');
    if (record.some((value) => value.trim() !== '')) {
      assertShortCells(record, reader);
      if (reader.columns === null) await takeHeader(record, reader);
      else rows.push(toRow(record, reader.columns, reader));
    }
    reader.record += 1;
    reader.line += record.join('').split('\n').length;
  }
  return { rows, rest: text.slice(result.meta.cursor) };
}

function assertShortCells(record: readonly string[], reader: Reader): void {
  const limit = fileLimits.csvCellCharacters;
  if (record.some((value) => value.length > limit))
    throw exceeded(reader, `a value has more than ${formatLimit(limit)} characters`);
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

async function takeHeader(record: readonly string[], reader: Reader): Promise<void> {
  const texts = record.map(unescapeFormulas);
  reader.width = record.length;
  // The number of the row, and the line for errors: blank lines and line breaks in values make them differ.
  const refuse: Refuse = (problem, facts) => reader.refuse(problem, { ...facts, line: reader.line });
  reader.columns = await readHeader({ texts, number: reader.record }, reader.select, refuse);
}

function toRow(record: readonly string[], { indexes }: KeptColumns, reader: Reader): SourceRow {
  if (record.length > reader.width && record.slice(reader.width).some((value) => value.trim() !== ''))
    throw broken(
      reader,
      `the row has ${record.length} values and the header has ${reader.width}; a value that holds a separator needs quotes`,
    );
  reader.rows += 1;
  if (reader.rows > fileLimits.csvRows)
    throw exceeded(reader, `it has more than ${formatLimit(fileLimits.csvRows)} rows; split the file`);
  const cells = indexes.map((index) => unescapeFormulas(record[index] ?? '').trim());
  return { number: reader.record, cells: withoutLastBlanks(cells) };
}

function broken({ refuse, line }: Reader, problem: string): Error {
  return refuse(problem, { line });
}

function exceeded({ refuse, line }: Reader, problem: string): Error {
  return refuse(problem, { line, code: overLimit });
}
