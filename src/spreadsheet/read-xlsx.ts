/** Excel files as tables of text, row by row: a sheet of 100,000 rows never stands in memory whole. */
import { stat } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import type { CellValue, Row } from 'exceljs';
import { interruptible } from './interruptible.ts';
import { toColumnNames } from './read-csv.ts';
import { SpreadsheetError, toSpreadsheetError } from './error.ts';

const rowsPerBatch = 500;

/**
 * The rows of the first sheet, in batches, keyed by header as `readCsv` has it. Formulas count by their result, dates are
 * `2027-03-31` (with a time only where one was given), blank rows and columns without a header are skipped.
 * @throws SpreadsheetError with the row at fault; the signal's reason on abort
 */
export async function* readXlsx(path: string, signal?: AbortSignal): AsyncGenerator<Record<string, string>[]> {
  signal?.throwIfAborted();
  // exceljs never says that a file cannot be opened: its stream fails unheard.
  await stat(path).catch((error: unknown) => {
    throw toSpreadsheetError(error, path, 'reading');
  });
  let columns: string[] | null = null;
  let batch: Record<string, string>[] = [];
  for await (const row of interruptible(firstSheet(path), signal)) {
    const values = toTexts(row);
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

async function* firstSheet(path: string): AsyncGenerator<Row> {
  // Styles tell a date from a number; shared strings are the texts themselves.
  const options = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore' } as const;
  try {
    for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(path, options)) {
      for await (const row of sheet) yield row;
      return;
    }
  } catch {
    // Words of the zip or XML reader, which may quote the file.
    throw new SpreadsheetError({ path, action: 'reading', problem: 'it is no Excel file (.xlsx), or a damaged one' });
  }
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
