/** Excel files as tables, row by row: a sheet of 100,000 rows never stands in memory whole. */
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { types } from 'node:util';
import ExcelJS from 'exceljs';
import type { Cell, CellValue, Row } from 'exceljs';
import { SpreadsheetError, toSpreadsheetError } from './error.ts';
import { interruptible } from './interruptible.ts';
import { findRepeatedHeader, toCellText, type SourceCell, type SourceRow, type SourceRows } from './table.ts';
import { readSheetNames, type SheetName } from './xlsx-sheets.ts';
import { isWholeZip, readZipEntry } from './zip-check.ts';
import { findZipEntry, readZipDirectory } from './zip-directory.ts';

export interface SheetSettings {
  /** Name of the sheet; the first visible one when left out. */
  readonly sheet?: string | undefined;
  /** Number of the row with the headers, from 1; the first row that is not blank when left out. */
  readonly headerRow?: number | undefined;
}

interface SheetRow {
  /** null where the file does not list its sheets. */
  readonly sheetName: string | null;
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
  let sheetName: string | null = null;
  let batch: SourceRow[] = [];
  let yielded = false;
  const toBatch = (header: readonly string[]): SourceRows => ({
    headers: header.filter((each) => each !== ''),
    headerNumber,
    place: `${sheetName === null ? '' : `sheet ${JSON.stringify(sheetName)}, `}row ${headerNumber}`,
    rows: batch,
  });
  for await (const row of interruptible(rowsOfSheet(path, sheet, signal), signal)) {
    const { number, cells } = row;
    if (columns === null) {
      if (headerRow !== undefined && number < headerRow) continue;
      const isBlank = cells.every((cell) => cell === '');
      if (headerRow !== undefined && (number > headerRow || isBlank))
        throw refuse('the header row is blank', headerRow);
      if (isBlank) continue;
      columns = cells.map((cell) => toCellText(cell).trim());
      headerNumber = number;
      sheetName = row.sheetName;
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
  const refused = (error: unknown) => {
    signal?.throwIfAborted();
    return toSpreadsheetError(error, path, 'reading');
  };
  const isWhole = await isWholeZip(path, signal).catch((error: unknown) => {
    throw refused(error);
  });
  if (!isWhole) throw damaged();
  await using handle = await open(path).catch((error: unknown) => {
    throw refused(error);
  });
  const entries = await readZipDirectory(handle);
  if (entries === 'broken') throw damaged();
  const wanted = selectSheet(path, sheet, await readSheetNames(handle, entries));
  const readPart = async (name: string) => {
    const entry = findZipEntry(entries, name);
    return entry === undefined ? null : readZipEntry(handle, entry);
  };
  try {
    const rows = rowsOf(readPart, wanted?.part ?? 'xl/worksheets/sheet1.xml');
    for await (const row of rows) yield { ...row, sheetName: wanted?.name ?? null };
  } catch (error) {
    throw isSystemError(error) ? refused(error) : damaged();
  }
}

/** null where the file does not list its sheets. */
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

/**
 * exceljs 4.4.0 reads a workbook in the order of its zip file, which puts a sheet before its texts into a temporary file and may
 * lose the workbook's own part at the end. So it gets the parts one after the other, in the order in which they build on each other.
 */
async function* rowsOf(readPart: ReadPart, sheetPart: string): AsyncGenerator<Omit<SheetRow, 'sheetName'>> {
  // Styles tell a date from a number; shared strings are the texts themselves.
  const options = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore' } as const;
  const reader: unknown = new ExcelJS.stream.xlsx.WorkbookReader(Readable.from([]), options);
  if (!isPartReader(reader)) throw new TypeError('exceljs has another inside than 4.4.0: no workbook can be read');
  const workbook = await readPart('xl/workbook.xml');
  const sheet = await readPart(sheetPart);
  if (workbook === null || sheet === null) throw new TypeError('the workbook has no such sheet');
  await reader._parseWorkbook(workbook);
  const styles = await readPart('xl/styles.xml');
  if (styles !== null) await reader._parseStyles(styles);
  const strings = await readPart('xl/sharedStrings.xml');
  if (strings !== null) for await (const _ of reader._parseSharedStrings(strings));
  for (const { value } of reader._parseWorksheet(sheet, '1')) {
    for await (const row of value) yield { number: row.number, cells: toCells(row) };
  }
}

type ReadPart = (name: string) => Promise<Readable | null>;

interface PartReader {
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
  _parseSharedStrings(part: Readable): AsyncIterable<unknown>;
  _parseWorksheet(part: Readable, number: string): Iterable<{ readonly value: AsyncIterable<Row> }>;
}

function isPartReader(reader: unknown): reader is PartReader {
  const parts = ['_parseWorkbook', '_parseStyles', '_parseSharedStrings', '_parseWorksheet'];
  return parts.every((part) => typeof Reflect.get(Object(reader), part) === 'function');
}

function isSystemError(error: unknown): boolean {
  return types.isNativeError(error) && 'syscall' in error;
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
