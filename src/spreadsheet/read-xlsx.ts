/** Excel files as tables of text, row by row: a sheet of 100,000 rows never stands in memory whole. */
import { createReadStream, type ReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import ExcelJS from 'exceljs';
import type { CellValue, Row } from 'exceljs';
import { interruptible } from './interruptible.ts';
import { toColumnNames } from './read-csv.ts';
import { SpreadsheetError, toSpreadsheetError } from './error.ts';
import { isWholeZip } from './zip-check.ts';

const rowsPerBatch = 500;

/**
 * The rows of the first sheet, in batches, keyed by header as `readCsv` has it. Formulas count by their result, dates are
 * `2027-03-31` (with a time only where one was given), blank rows and columns without a header are skipped.
 * @throws SpreadsheetError with the row at fault; the signal's reason on abort
 */
export async function* readXlsx(path: string, signal?: AbortSignal): AsyncGenerator<Record<string, string>[]> {
  signal?.throwIfAborted();
  let columns: string[] | null = null;
  let batch: Record<string, string>[] = [];
  for await (const values of interruptible(firstSheet(path, signal), signal)) {
    if (values.every((value) => value === '')) continue;
    if (columns === null) columns = toColumns(values, path);
    else batch.push(toRecord(values, columns));
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (columns === null) throw new SpreadsheetError({ path, action: 'reading', problem: 'the first sheet is empty' });
  if (batch.length > 0) yield batch;
}

async function* firstSheet(path: string, signal: AbortSignal | undefined): AsyncGenerator<string[]> {
  // Words of the zip or XML reader may quote the file.
  const damaged = () =>
    new SpreadsheetError({ path, action: 'reading', problem: 'it is no Excel file (.xlsx), or a damaged one' });
  const isWhole = await isWholeZip(path, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw toSpreadsheetError(error, path, 'reading');
  });
  if (!isWhole) throw damaged();
  const file = createReadStream(path);
  try {
    yield* interruptible(rowsOf(file), damageOf(file));
  } catch (error) {
    throw error === file.errored ? toSpreadsheetError(error, path, 'reading') : damaged();
  } finally {
    file.destroy();
  }
}

async function* rowsOf(file: ReadStream): AsyncGenerator<string[]> {
  // Styles tell a date from a number; shared strings are the texts themselves.
  const options = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore' } as const;
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, options)) {
    for await (const row of sheet) yield toTexts(row);
    return;
  }
}

/**
 * Aborted when the file cannot be read on. exceljs 4.4.0 waits for the end of the zip entry that it is at, and hears of an
 * error of the zip reader behind it only then: an entry that breaks off never ends. What follows an entry that came whole
 * is left to exceljs, for the first sheet may be all that is asked for.
 */
function damageOf(file: ReadStream): AbortSignal {
  const damage = new AbortController();
  const pipe = file.pipe.bind(file);
  let entry: unknown;
  file.on('error', (error) => damage.abort(error));
  file.pipe = (zip, options) => {
    zip.on('data', (next: unknown) => (entry = next));
    zip.on('error', (error) => {
      if (entry instanceof Writable && !entry.writableEnded) damage.abort(error);
    });
    return pipe(zip, options);
  };
  return damage.signal;
}

function toTexts(row: Row): string[] {
  const texts: string[] = [];
  row.eachCell({ includeEmpty: true }, (cell, column) => {
    texts[column - 1] = toText(cell.value).trim();
  });
  return Array.from(texts, (text) => text ?? '');
}

function toText(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return toDateText(value);
  if (typeof value !== 'object') return String(value);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('text' in value) return typeof value.text === 'string' ? value.text : toText(value.text);
  if ('result' in value) return toText(value.result);
  // An error such as #N/A says nothing about a company.
  return '';
}

function toDateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return '';
  const text = value.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

function toColumns(header: readonly string[], path: string): string[] {
  const { columns, repeated } = toColumnNames(header);
  if (repeated === null) return columns;
  const [first, second] = repeated;
  const problem = `columns ${first} and ${second} have the same header`;
  throw new SpreadsheetError({ path, action: 'reading', problem, line: 1 });
}

function toRecord(values: readonly string[], columns: readonly string[]): Record<string, string> {
  const fields = columns.map((column, index) => [column, values[index] ?? ''] as const);
  return Object.fromEntries(fields.filter(([column]) => column !== ''));
}
