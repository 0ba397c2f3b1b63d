/** Excel files as tables, row by row: a sheet of 100,000 rows never stands in memory whole. */
import { createReadStream, type ReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import ExcelJS from 'exceljs';
import type { Cell, CellValue, Row } from 'exceljs';
import { SpreadsheetError, toSpreadsheetError } from './error.ts';
import { interruptible } from './interruptible.ts';
import { findRepeatedHeader, toCellText, type SourceCell, type SourceRow, type SourceRows } from './table.ts';
import { readSheetNames, type SheetName } from './xlsx-sheets.ts';
import { isWholeZip } from './zip-check.ts';

export interface SheetSettings {
  /** Name of the sheet; the first visible one when left out. */
  readonly sheet?: string | undefined;
  /** Number of the row with the headers, from 1; the first row that is not blank when left out. */
  readonly headerRow?: number | undefined;
}

interface SheetRow {
  readonly number: number;
  readonly cells: readonly SourceCell[];
}

const rowsPerBatch = 500;

/**
 * The rows of one sheet, in batches. Formulas count by their result, texts are trimmed, blank rows and columns without a
 * header are skipped.
 * @throws SpreadsheetError with the row at fault; the signal's reason on abort
 */
export async function* readXlsx(
  path: string,
  signal?: AbortSignal,
  { sheet, headerRow }: SheetSettings = {},
): AsyncGenerator<SourceRows> {
  signal?.throwIfAborted();
  const refuse = (problem: string, line?: number) =>
    new SpreadsheetError({ path, action: 'reading', problem, ...(line === undefined ? {} : { line }) });
  let columns: readonly string[] | null = null;
  let headerNumber = 0;
  let batch: SourceRow[] = [];
  let yielded = false;
  const toBatch = (header: readonly string[]): SourceRows => ({
    headers: header.filter((each) => each !== ''),
    headerNumber,
    rows: batch,
  });
  for await (const { number, cells } of interruptible(rowsOfSheet(path, sheet, signal), signal)) {
    if (columns === null) {
      if (headerRow !== undefined && number < headerRow) continue;
      const isBlank = cells.every((cell) => cell === '');
      if (headerRow !== undefined && (number > headerRow || isBlank))
        throw refuse('the header row is blank', headerRow);
      if (isBlank) continue;
      columns = cells.map((cell) => toCellText(cell).trim());
      headerNumber = number;
      const repeated = findRepeatedHeader(columns);
      if (repeated !== null)
        throw refuse(`columns ${repeated[0]} and ${repeated[1]} have the same header`, headerNumber);
      continue;
    }
    if (cells.every((cell) => cell === '')) continue;
    const fields = columns.map((header, index) => [header, cells[index] ?? ''] as const);
    batch.push({ number, cells: Object.fromEntries(fields.filter(([header]) => header !== '')) });
    if (batch.length < rowsPerBatch) continue;
    yield toBatch(columns);
    yielded = true;
    batch = [];
  }
  if (columns === null)
    throw headerRow === undefined ? refuse('the sheet is empty') : refuse('the header row is blank', headerRow);
  if (batch.length > 0 || !yielded) yield toBatch(columns);
}

async function* rowsOfSheet(
  path: string,
  sheet: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<SheetRow> {
  // Words of the zip or XML reader may quote the file.
  const damaged = () =>
    new SpreadsheetError({ path, action: 'reading', problem: 'it is no Excel file (.xlsx), or a damaged one' });
  const isWhole = await isWholeZip(path, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw toSpreadsheetError(error, path, 'reading');
  });
  if (!isWhole) throw damaged();
  const wanted = selectSheet(path, sheet, await readSheetNames(path));
  const file = createReadStream(path);
  try {
    yield* interruptible(rowsOf(file, wanted), damageOf(file));
  } catch (error) {
    throw error === file.errored ? toSpreadsheetError(error, path, 'reading') : damaged();
  } finally {
    file.destroy();
  }
}

/** null where the file does not tell its sheets: the first one that it holds. */
function selectSheet(path: string, name: string | undefined, sheets: readonly SheetName[]): SheetName | null {
  if (name === undefined) return sheets.find(({ isHidden }) => !isHidden) ?? sheets[0] ?? null;
  const found = sheets.find((each) => each.name === name) ?? sheets.find((each) => isSameName(each.name, name));
  if (found !== undefined) return found;
  const known = sheets.map((each) => JSON.stringify(each.name)).join(', ');
  const problem = `it has no sheet ${JSON.stringify(name)}; its sheets are ${known || 'not known'}`;
  throw new SpreadsheetError({ path, action: 'reading', problem });
}

/** Excel lets no two sheets differ in case alone. */
function isSameName(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase();
}

async function* rowsOf(file: ReadStream, wanted: SheetName | null): AsyncGenerator<SheetRow> {
  // Styles tell a date from a number; shared strings are the texts themselves.
  const options = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore' } as const;
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, options)) {
    if (wanted !== null && !isSheet(sheet, wanted)) continue;
    for await (const row of sheet) yield { number: row.number, cells: toCells(row) };
    return;
  }
}

/** exceljs 4.4.0 gives a sheet its name, or where it cannot, the number in the name of its part of the zip file. */
function isSheet(sheet: object, { name, part }: SheetName): boolean {
  const known: unknown = Reflect.get(sheet, 'name');
  return known === undefined ? String(Reflect.get(sheet, 'id')) === part : known === name;
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

function toCells(row: Row): SourceCell[] {
  const cells: SourceCell[] = [];
  row.eachCell({ includeEmpty: true }, (cell, column) => {
    cells[column - 1] = toSourceCell(cell);
  });
  return Array.from(cells, (cell) => cell ?? '');
}

function toSourceCell(cell: Cell): SourceCell {
  const value = valueOf(cell.value);
  if (typeof value === 'string') return value.trim();
  // A customer number shown as 00042 by its number format is 00042 to a person.
  const isPadded = typeof value === 'number' && Number.isInteger(value) && /^0{2,}$/.test(cell.numFmt ?? '');
  return isPadded ? String(value).padStart(cell.numFmt.length, '0') : value;
}

function valueOf(value: CellValue | undefined): SourceCell {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value;
  if (typeof value !== 'object') return value;
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('text' in value) return valueOf(value.text);
  if ('result' in value) return valueOf(value.result);
  // An error such as #N/A says nothing about a company.
  return '';
}
