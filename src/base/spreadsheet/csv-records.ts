/** The records of a CSV file, in batches. */
import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { findInvalidLine } from '../text/utf8-text.ts';
import { unescapeFormulas } from './cell-text.ts';
import { chooseSeparator, readSeparatorLine, separators } from './csv-separator.ts';
import { isExcelFile, isJsonFile } from './foreign-file.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import { overLimit, toSpreadsheetError } from './spreadsheet-error.ts';
import type { Refuse } from './table.ts';

/**
 * A record that is not blank. Apostrophes that `writeCsv` inserts before formulas are removed, and `="00042"`, by which programs keep Excel
 * from changing a text, is 00042.
 */
export interface CsvRecord {
  /** As spreadsheet programs show it, from 1; blank records and a line `sep=` count. */
  readonly number: number;
  /** Line at which it begins: line breaks in values make it differ from the number. */
  readonly line: number;
  readonly values: readonly string[];
  /** Indexes of the values that are formulas, not marked as texts by an apostrophe; absent when there are none. */
  readonly formulas?: readonly number[];
  /** The file ends with this record, and without a line end; absent otherwise. */
  readonly isUnended?: true;
}

interface CsvReading {
  readonly refuse: Refuse;
  /** What to do when the file is not CSV but an Excel file: what the user can set differs. */
  readonly excelRemedy: string;
  /** The row at which the table begins. */
  readonly headerRow?: number | undefined;
  /** Of a file whose separator is known; it has no line `sep=`. */
  readonly separator?: string | undefined;
}

interface Position {
  separator: string | null;
  isBegun: boolean;
  /** Of the next record. */
  record: number;
  line: number;
}

/**
 * UTF-8 with or without byte order mark; comma, semicolon, tab or bar, found by the first rows unless it is known; any line ends, `\n` inside values.
 * @throws SpreadsheetError with the line of the faulty row
 */
export async function* readCsvRecords(
  path: string,
  { refuse, excelRemedy, headerRow = 1, separator }: CsvReading,
): AsyncGenerator<readonly CsvRecord[]> {
  const position: Position = { separator: separator ?? null, isBegun: separator !== undefined, record: 1, line: 1 };
  let text = '';
  for await (const chunk of readText(path, { refuse, excelRemedy })) {
    text = skipSeparatorLine(text + chunk, position, refuse);
    position.separator ??= chooseSeparator(text, headerRow, 'more follows');
    if (position.separator !== null) {
      const { records, rest } = takeRecords(text, position, { refuse, follows: 'more follows' });
      if (records.length > 0) yield records;
      text = rest;
    }
    // A quoted value that is never closed would otherwise swallow the rest of the file, however large.
    if (text.length > fileLimits.rowCharacters) throw refuse(longRow, { line: position.line, code: overLimit });
  }
  position.separator ??= chooseSeparator(text, headerRow, 'the end');
  const { records } = takeRecords(text, position, { refuse, follows: 'the end' });
  if (records.length > 0) yield records;
}

const longRow = `a quoted value is never closed, or a row is over ${formatLimit(fileLimits.rowCharacters)} characters`;

function skipSeparatorLine(text: string, position: Position, refuse: Refuse): string {
  if (position.isBegun || text === '') return text;
  position.isBegun = true;
  const found = readSeparatorLine(text);
  if (found === null) return text;
  if (!separators.some((separator) => separator === found.separator))
    throw refuse('its line "sep=" names a separator that is not read; use comma, semicolon, tab or bar', { line: 1 });
  position.separator = found.separator;
  position.record += 1;
  position.line += 1;
  return text.slice(found.length);
}

/** Decoded text with `\n` as the only line end, also for a character or a CRLF that is split between two chunks. */
async function* readText(path: string, { refuse, excelRemedy }: CsvReading): AsyncGenerator<string> {
  const decode = createDecoder(refuse);
  let held = '';
  let isStart = true;
  for await (const bytes of readBytes(path)) {
    if (isStart && isExcelFile(bytes))
      throw refuse(`it is an Excel file or another binary file, not CSV; ${excelRemedy}`);
    if (isStart && isJsonFile(bytes)) throw refuse('it is a JSON file under another name; export it as CSV');
    isStart = false;
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
  let lines = 0;
  let lastCharacter: Uint8Array = new Uint8Array();
  return (bytes: Uint8Array, follows: 'more follows' | 'the end') => {
    try {
      const text = decoder.decode(bytes, { stream: follows === 'more follows' });
      // The decoder keeps the beginning of a character that is split between two chunks.
      const tail = bytes.slice(-3);
      const lead = tail.findLastIndex((byte) => byte >= 0xc0);
      lastCharacter = lead === -1 ? new Uint8Array() : tail.slice(lead);
      lines += text.split('\n').length - 1;
      return text;
    } catch {
      const line = lines + findInvalidLine(Buffer.concat([lastCharacter, bytes]));
      throw refuse(notUtf8, { line });
    }
  };
}

const notUtf8 = 'it has bytes that are not UTF-8; save the file as "CSV UTF-8"';

interface TakeOptions {
  readonly refuse: Refuse;
  readonly follows: 'more follows' | 'the end';
}

function takeRecords(text: string, position: Position, { refuse, follows }: TakeOptions) {
  const records: CsvRecord[] = [];
  const parser = new Papa.Parser({ delimiter: position.separator ?? separators[0], newline: '\n' });
  const result: Papa.ParseResult<string[]> = parser.parse(text, 0, follows === 'more follows');
  for (const [index, record] of result.data.entries()) {
    const { line } = position;
    // Errors of an incomplete record have no index here, and the next chunk may complete it.
    const fault = result.errors.find(({ row }) => row === index);
    if (fault?.code === 'MissingQuotes') throw refuse('a quoted value is never closed', { line });
    if (fault) throw refuse('a quote stands inside a quoted value; write it twice ("")', { line });
    if (record.some((value) => value.trim() !== '')) {
      const limit = fileLimits.csvCellCharacters;
      if (record.some((value) => value.length > limit))
        throw refuse(`a value has more than ${formatLimit(limit)} characters`, { line, code: overLimit });
      const isUnended = follows === 'the end' && index === result.data.length - 1 && !text.endsWith('\n');
      records.push({ number: position.record, line, ...toValues(record), ...(isUnended ? { isUnended } : {}) });
    }
    position.record += 1;
    position.line += record.join('').split('\n').length;
  }
  return { records, rest: text.slice(result.meta.cursor) };
}

/** `="00042"`: a formula of one text. */
const textFormula = /^\s*="((?:[^"]|"")*)"\s*$/;

function toValues(record: readonly string[]): Pick<CsvRecord, 'values' | 'formulas'> {
  if (!record.some((value) => value.includes('='))) return { values: record.map(unescapeFormulas) };
  const texts = record.map((value) => textFormula.exec(value)?.[1]?.replaceAll('""', '"') ?? null);
  const values = record.map((value, index) => texts[index] ?? unescapeFormulas(value));
  const formulas = [...record.keys()].filter((index) => texts[index] === null && /^\s*=/.test(record[index] ?? ''));
  return { values, ...(formulas.length === 0 ? {} : { formulas }) };
}

/** A file that ends inside its last row was cut off: a complete one ends with a line end, or with all values. */
export function assertNotCutOff(
  { values, line, isUnended }: CsvRecord,
  { width, refuse }: { readonly width: number; readonly refuse: Refuse },
): void {
  if (isUnended !== true || values.length >= width) return;
  throw refuse(
    `the file ends inside this row: it has ${values.length} of ${width} values and no line end. Export the file again, or end the row with a line break if it is complete`,
    { line },
  );
}
