/** XLSX files by exceljs 4.4.0, whose stream writer has neither backpressure nor errors. No other file uses exceljs. */
import { Writable } from 'node:stream';
import ExcelJS from 'exceljs';
import type { Style, Worksheet } from 'exceljs';
import { interruptible, orAbort } from './interruptible.ts';
import type { Column, Row, SummarySection, WrittenFile } from './table.ts';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { type GrowingFile, type OpenFile, writeWholeFile } from './whole-file.ts';
import { cellStyles, styleOf, toCellValue, toSheetName, widthOf } from './xlsx-cell.ts';
import type { FileHandle } from 'node:fs/promises';
import { readZipDirectory } from './zip-reader.ts';

interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly Row[]>;
}

interface XlsxOptions {
  readonly path: string;
  readonly sheet: Sheet;
  /** Asked once all rows are written. */
  readonly summary: () => readonly SummarySection[];
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of rows so far. */
  readonly onRows?: (count: number) => void;
  readonly openFile?: OpenFile;
}

/** Excel's 1,048,576 less the header. */
const mostRows = 1_048_575;
/** So many rows are in memory at most before the disk has to catch up. */
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
      const inTime = <T>(work: Promise<T>) => orAbort(Promise.race([work, failed]), signal);
      rows = await fillWorkbook(target, options, inTime);
    } finally {
      target.destroy();
    }
    await normalizeZipTimestamps(growing.handle);
  });
  return { path, rows, ...file };
}

async function fillWorkbook(
  stream: Writable,
  { path, sheet, summary, signal, onRows }: XlsxOptions,
  inTime: <T>(work: Promise<T>) => Promise<T>,
): Promise<number> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  workbook.creator = workbook.lastModifiedBy = 'prospect-sync';
  // A real date would make every file differ; the zip entries carry the same one.
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
      if (count % rowsBetweenPauses === 0) await inTime(waitForDrain(worksheet));
    }
    onRows?.(count);
  }
  const columns = Math.max(sheet.columns.length, 1);
  worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: count + 1, column: columns } };
  worksheet.commit();
  addSummary(workbook.addWorksheet('Summary'), summary());
  await inTime(workbook.commit());
  return count;
}

function addSheet(workbook: ExcelJS.stream.xlsx.WorkbookWriter, { name, columns }: Sheet): Worksheet {
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

/** Where the date stands in a record of the directory, and in an entry's own header. */
const [dateInDirectory, dateInHeader] = [12, 10];
/** 1980-01-01 00:00, where the zip format's calendar begins: time 0, then day 1, month 1, year 0. */
const zipEpoch = Buffer.from([0, 0, 0x21, 0]);

/**
 * Gives every entry of a finished zip file the same date, so that equal content makes equal bytes and an equal SHA-256.
 * exceljs has no setting for it. Layout: APPNOTE.TXT 4.3.7 and 4.3.12.
 */
async function normalizeZipTimestamps(handle: FileHandle): Promise<void> {
  const entries = await readZipDirectory(handle);
  // Above 4 GiB, where equal bytes are not worth another form of the directory.
  if (entries === 'zip64') return;
  if (entries === 'broken') throw new Error('the zip directory is not as written');
  for (const { at, local } of entries) {
    for (const position of [at + dateInDirectory, local + dateInHeader]) {
      await handle.write(zipEpoch, 0, zipEpoch.length, position);
    }
  }
}
