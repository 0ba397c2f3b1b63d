/** Writes XLSX files with exceljs 4.4.0, whose stream writer has neither backpressure nor errors. No other file uses exceljs. */
import { Writable } from 'node:stream';
import type { CellValue, stream, Style, Worksheet } from 'exceljs';
import { rejectOnAbort } from '../host/reject-on-abort.ts';
import { interruptible, type GrowingFile, type OpenFile, writeWholeFile } from './whole-file.ts';
import type { Column, Row, SummarySection, WrittenFile, Cell } from './table.ts';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { fileLimits } from './file-limits.ts';
import { toFileText } from './cell-text.ts';
import { trimEndOf } from '../text/normalize-text.ts';
import { dayMs } from '../day-milliseconds.ts';

interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly Row[]>;
}

interface XlsxOptions {
  readonly path: string;
  readonly sheet: Sheet;
  /** Called after all rows are written. */
  readonly summary: () => readonly SummarySection[];
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of rows so far. */
  readonly onRows?: (count: number) => void;
  readonly openFile?: OpenFile;
}

/** Excel's 1,048,576 less the header. */
const mostRows = 1_048_575;
/** Rows in memory before the writer waits for the disk. */
const rowsBetweenPauses = 500;

/** One sheet of rows and one named Summary. Equal rows make an equal file, byte for byte. */
export async function writeXlsx(options: XlsxOptions): Promise<WrittenFile> {
  const { path, signal, openFile } = options;
  let rows = 0;
  const file = await writeWholeFile({ path, signal, openFile }, async (growing) => {
    const target = toWritable(growing);
    // exceljs's commit() never settles when its stream fails, so every wait is a race against the stream's error.
    const failed = new Promise<never>((_, reject) => target.once('error', reject));
    failed.catch(() => undefined);
    try {
      const untilFailure = <T>(work: Promise<T>) => rejectOnAbort(Promise.race([work, failed]), signal);
      rows = await fillWorkbook(target, options, untilFailure);
    } finally {
      target.destroy();
    }
  });
  return { path, rows, ...file };
}

async function fillWorkbook(
  target: Writable,
  { path, sheet, summary, signal, onRows }: XlsxOptions,
  untilFailure: <T>(work: Promise<T>) => Promise<T>,
): Promise<number> {
  // Loaded here, because it takes a fifth of a second, and most processes write no XLSX file.
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: target, useStyles: true });
  workbook.creator = workbook.lastModifiedBy = 'prospect-sync';
  // A fixed date, as in the zip entries, so that equal rows make equal files.
  workbook.created = workbook.modified = new Date(Date.UTC(1980, 0, 1));
  const worksheet = addSheet(workbook, sheet);
  let count = 0;
  for await (const batch of interruptible(sheet.rows, signal)) {
    if (count + batch.length > mostRows)
      throw new SpreadsheetError({ path, action: 'writing', problem: 'a sheet holds 1,048,575 rows; use CSV' });
    for (const row of batch) {
      addRow(
        worksheet,
        sheet.columns.map(({ key, kind }) => [row[key], styleOf(kind, row[key])]),
      );
      count += 1;
      if (count % rowsBetweenPauses === 0) await untilFailure(waitForDrain(worksheet));
    }
    onRows?.(count);
  }
  const columns = Math.max(sheet.columns.length, 1);
  worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: count + 1, column: columns } };
  worksheet.commit();
  addSummary(workbook.addWorksheet('Summary'), summary());
  await untilFailure(workbook.commit());
  return count;
}

function addSheet(workbook: stream.xlsx.WorkbookWriter, { name, columns }: Sheet): Worksheet {
  const worksheet = workbook.addWorksheet(toSheetName(name), { views: [{ state: 'frozen', ySplit: 1 }] });
  worksheet.columns = columns.map((column) => ({ width: widthOf(column) }));
  addRow(
    worksheet,
    columns.map(({ header }) => [header, cellStyles.header]),
  );
  return worksheet;
}

function addSummary(worksheet: Worksheet, sections: readonly SummarySection[]): void {
  worksheet.columns = [{ width: 44 }, { width: 12 }];
  for (const { title, rows } of sections) {
    addRow(worksheet, [[title, cellStyles.title]]);
    for (const { label, count } of rows)
      addRow(worksheet, [
        [label, cellStyles.text],
        [count, cellStyles.number],
      ]);
    addRow(worksheet, []);
  }
  worksheet.commit();
}

function addRow(worksheet: Worksheet, cells: readonly (readonly [Row[string] | undefined, Partial<Style>])[]): void {
  const row = worksheet.addRow([]);
  for (const [index, [cell, style]] of cells.entries()) {
    const value = toCellValue(cell);
    if (value === null) continue;
    const target = row.getCell(index + 1);
    target.value = value;
    target.style = style;
  }
  row.commit();
}

function toWritable(growing: GrowingFile): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _, done) => {
      growing.append(chunk).then(() => done(), done);
    },
  });
}

/**
 * exceljs offers no backpressure (exceljs/exceljs#734, #464): 300,000 rows took 594 MB. The stream behind a sheet accepts an empty
 * chunk and calls back once everything before it has been written.
 */
function waitForDrain(worksheet: Worksheet): Promise<void> {
  const pipes: unknown = Reflect.get(Object(Reflect.get(worksheet, 'stream')), 'pipes');
  const pipe: unknown = Array.isArray(pipes) ? pipes[0] : undefined;
  if (!isPipe(pipe)) throw new TypeError('exceljs differs from version 4.4.0: its stream cannot be paused');
  return new Promise((resolve) => pipe.write(Buffer.alloc(0), () => resolve()));
}

function isPipe(value: unknown): value is Pick<Writable, 'write'> {
  return typeof value === 'object' && value !== null && 'write' in value && typeof value.write === 'function';
}

/** Excel counts UTF-16 units; a longer text makes it report the file as damaged. */
const longestText = fileLimits.xlsxCellCharacters;
const cutMark = ' … [cut: a cell holds 32,767 characters]';

function toCellValue(cell: Cell | undefined): CellValue {
  if (cell === undefined || cell === null) return null;
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : cell;
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell === 'boolean') return cell;
  // Excel's own line break is a bare line feed.
  const text = toFileText(cell.includes('\r') ? cell.replaceAll(/\r\n?/g, '\n') : cell);
  if (text === '') return null;
  return text.length <= longestText ? text : withoutHalf(text.slice(0, longestText - cutMark.length)) + cutMark;
}

/** A cut inside an emoji would leave half a surrogate pair, which no file may contain. */
function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

/** One object for each kind: exceljs looks styles up by object, and needs twice the time for different objects. */
const cellStyles: Readonly<Record<Column['kind'] | 'header' | 'title', Partial<Style>>> = {
  text: {},
  phone: {},
  boolean: {},
  number: {},
  own: {},
  date: { numFmt: 'yyyy-mm-dd hh:mm' },
  header: {
    font: { bold: true },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFE7EDF3' } },
    border: { bottom: { style: 'thin' } },
    alignment: { vertical: 'middle' },
  },
  title: { font: { bold: true, size: 13 } },
};

/** A date of the user's file has a time only when it had one there. */
function styleOf(kind: Column['kind'], cell: Cell | undefined): Partial<Style> {
  if (kind !== 'own' || !(cell instanceof Date)) return cellStyles[kind];
  return cell.getTime() % dayMs === 0 ? day : cellStyles.date;
}

const day: Partial<Style> = { numFmt: 'yyyy-mm-dd' };

const widths: Readonly<Record<Column['kind'], number>> = {
  text: 24,
  phone: 18,
  boolean: 10,
  number: 10,
  date: 17,
  own: 20,
};

/** Excel refuses more than 255. */
const widest = 100;

function widthOf({ kind, width, header }: Column): number {
  // Room for the filter's arrow.
  return width ?? Math.min(widest, Math.max(widths[kind], header.length + 4));
}

/** Excel refuses other names: 1 to 31 characters, none of []:*?/\ and no apostrophe at either end. */
function toSheetName(name: string): string {
  const allowed = name
    .replaceAll(/[[\]:*?/\\]/g, ' ')
    .replace(/^'+/, '')
    .trim();
  return trimEndOf(allowed.slice(0, 31), " '") || 'Sheet';
}
