/** Writes XLSX files with exceljs 4.4.0, whose stream writer has neither backpressure nor errors. No other file loads exceljs. */
import { Writable } from 'node:stream';
import type { PageSetup, stream, Worksheet } from 'exceljs';
import { rejectOnAbort } from '../host/reject-on-abort.ts';
import { interruptible, type GrowingFile, type OpenFile, writeWholeFile } from './whole-file.ts';
import type { Column, Row, SummarySection, WrittenFile } from './table.ts';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { cellStyles, createLinker, toCellValue, toStyledCell, widthOf, type StyledCell } from './xlsx-cells.ts';
import { trimEndOf } from '../text/normalize-text.ts';

interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly Row[]>;
}

interface XlsxOptions {
  readonly path: string;
  readonly sheet: Sheet;
  /** A second sheet of rows; null: none. Its rows are not counted. */
  readonly secondSheet?: Sheet | null;
  readonly summaryName?: string;
  /** Called after all rows are written. */
  readonly summary: () => readonly SummarySection[];
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of rows so far. */
  readonly onRows?: (count: number) => void;
  readonly openFile?: OpenFile;
}

/** Excel's 1,048,576 less the header. */
const mostRows = 1_048_575;
/** Landscape, all columns on one page, as many pages as the rows need, each with the header. */
const printedPage: Partial<PageSetup> = {
  orientation: 'landscape',
  fitToWidth: 1,
  fitToHeight: 0,
  printTitlesRow: '1:1',
};
/** Rows in memory before the writer waits for the disk. */
const rowsBetweenPauses = 500;

/** One or two sheets of rows and a summary. Equal rows make an equal file, byte for byte. */
export async function writeXlsx(options: XlsxOptions): Promise<WrittenFile> {
  const { path, signal, openFile } = options;
  let rows = 0;
  const file = await writeWholeFile({ path, signal, openFile }, async (growing) => {
    const target = toWritable(growing);
    // exceljs's commit() never settles when its stream fails, so every wait is a race against the stream's error.
    const failed = new Promise<never>((_, reject) => target.once('error', reject));
    failed.catch(() => undefined);
    try {
      const untilFailure: UntilFailure = (work) => rejectOnAbort(Promise.race([work, failed]), signal);
      rows = await fillWorkbook(target, options, untilFailure);
    } finally {
      target.destroy();
    }
  });
  return { path, rows, ...file };
}

interface SheetContext {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly onRows?: ((count: number) => void) | undefined;
}

type UntilFailure = <T>(work: Promise<T>) => Promise<T>;

async function fillWorkbook(
  target: Writable,
  { path, sheet, secondSheet = null, summaryName = 'Summary', summary, signal, onRows }: XlsxOptions,
  untilFailure: UntilFailure,
): Promise<number> {
  // Loaded here, because it takes a fifth of a second, and most processes write no XLSX file.
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: target, useStyles: true });
  workbook.creator = workbook.lastModifiedBy = 'prospect-sync';
  // A fixed date, as in the zip entries, so that equal rows make equal files.
  workbook.created = workbook.modified = new Date(Date.UTC(1980, 0, 1));
  const count = await fillSheet(workbook, sheet, { path, signal, onRows }, untilFailure);
  if (secondSheet !== null) await fillSheet(workbook, secondSheet, { path, signal }, untilFailure);
  addSummary(workbook.addWorksheet(summaryName), summary());
  await untilFailure(workbook.commit());
  return count;
}

async function fillSheet(
  workbook: stream.xlsx.WorkbookWriter,
  sheet: Sheet,
  { path, signal, onRows }: SheetContext,
  untilFailure: UntilFailure,
): Promise<number> {
  const worksheet = addSheet(workbook, sheet);
  const toLinked = createLinker();
  let count = 0;
  for await (const batch of interruptible(sheet.rows, signal)) {
    if (count + batch.length > mostRows)
      throw new SpreadsheetError({ path, action: 'writing', problem: 'a sheet holds 1,048,575 rows; use CSV' });
    for (const row of batch) {
      addRow(
        worksheet,
        sheet.columns.map((column) => toLinked(toStyledCell(row[column.key], column), column)),
      );
      count += 1;
      if (count % rowsBetweenPauses === 0) await untilFailure(waitForDrain(worksheet));
    }
    onRows?.(count);
  }
  const columns = Math.max(sheet.columns.length, 1);
  worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: count + 1, column: columns } };
  worksheet.commit();
  return count;
}

function addSheet(workbook: stream.xlsx.WorkbookWriter, { name, columns }: Sheet): Worksheet {
  const worksheet = workbook.addWorksheet(toSheetName(name), {
    views: [{ state: 'frozen', ySplit: 1 }],
    pageSetup: printedPage,
  });
  worksheet.columns = columns.map((column) => ({ width: widthOf(column) }));
  addRow(
    worksheet,
    columns.map(({ header }) => toTextCell(header, cellStyles.header)),
  );
  return worksheet;
}

function addSummary(worksheet: Worksheet, sections: readonly SummarySection[]): void {
  worksheet.columns = [{ width: 32 }, { width: 40 }, { width: 80 }];
  for (const { title, rows } of sections) {
    addRow(worksheet, [toTextCell(title, cellStyles.title)]);
    for (const { label, value, note = '' } of rows)
      addRow(worksheet, [
        toTextCell(label, cellStyles.text),
        typeof value === 'number' ? { value, style: cellStyles.number } : toTextCell(value, cellStyles.text),
        toTextCell(note, cellStyles.text),
      ]);
    addRow(worksheet, []);
  }
  worksheet.commit();
}

function toTextCell(text: string, style: StyledCell['style']): StyledCell {
  return { value: toCellValue(text), style };
}

function addRow(worksheet: Worksheet, cells: readonly StyledCell[]): void {
  const row = worksheet.addRow([]);
  for (const [index, { value, style }] of cells.entries()) {
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

/** Excel refuses other names: 1 to 31 characters, none of []:*?/\. exceljs names the printed header without escaping apostrophes. */
function toSheetName(name: string): string {
  const allowed = name.replaceAll(/[[\]:*?/\\']/g, ' ').trim();
  return trimEndOf(allowed.slice(0, 31), ' ') || 'Sheet';
}
