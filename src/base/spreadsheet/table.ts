/** Tables of spreadsheet files: columns, rows and headers. */
import type { TallRange } from './cell-range.ts';
import { cleanText } from '../text/clean-text.ts';
import { overLimit, SpreadsheetError, type SpreadsheetFacts } from './spreadsheet-error.ts';
import { fileLimits, formatLimit } from './file-limits.ts';

/** A column of a file to write. `kind` decides number formats, widths, and whether a CSV file escapes formulas. */
export interface Column {
  readonly key: string;
  readonly header: string;
  /** `own`: a column of the user's file, with any kind of value. */
  readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'phone' | 'own';
  /** In characters, XLSX only. */
  readonly width?: number;
  /** Address that the text of a cell links to, XLSX only. null: none. */
  readonly link?: (text: string) => string | null;
}

/** Cells by column key; a key that is missing, null or undefined is an empty cell. */
export type Row = Readonly<Record<string, string | number | boolean | Date | null | undefined>>;
export type Cell = Row[string];

/** A row of a file that was read. */
export interface SourceRow {
  /** Row number as spreadsheet programs show it, from 1; the header row and blank rows count. */
  readonly number: number;
  /** In the order of `headers`. '' for an empty cell; empty cells at the end of a row are left out. */
  readonly cells: readonly SourceCell[];
  /** The spreadsheet program hides the row, for example by a filter; absent otherwise. */
  readonly isHidden?: true;
  /** A row of a CSV file with fewer values than headers: the last cells are read as empty; absent otherwise. */
  readonly isShort?: true;
  /** Columns, from 0, with a value and without a header: they are not read; absent when there are none. */
  readonly unnamed?: readonly number[];
  /**
   * The numbers of cells that a number format shows differently, by index in `cells`; absent when there are none. The cell has the shown
   * text where it is known (00042, KD-00042), otherwise the same number (0.5, shown as 50 %).
   */
  readonly formatted?: Readonly<Record<number, number>>;
  /** Indexes in `cells` of values that are struck through; absent when there are none. */
  readonly struck?: readonly number[];
  /** The beginning of the comments on its cells; absent when there are none. */
  readonly comment?: string;
}
export type SourceCell = string | number | boolean | Date;

export interface SheetSettings {
  /** Name of the sheet of an Excel file; the first visible one when left out. */
  readonly sheet?: string | undefined;
  /** Number of the row with the headers, from 1; the first row that is not blank when left out. */
  readonly headerRow?: number | undefined;
  /** The sign between the values of a CSV file; found by its first rows when left out. */
  readonly separator?: string | undefined;
}

export interface SourceHeader {
  /** Headers of the file, cleaned, some of them possibly equal; columns without a header are skipped. */
  readonly headers: readonly string[];
  /** Of each header: its index in the texts of `rowsBelow`. */
  readonly indexes?: readonly number[] | undefined;
  readonly headerNumber: number;
  /** Where the header is in a file: `row 1`, `sheet "Leads", row 1`. */
  readonly place?: string | undefined;
  /** Of an Excel file with several sheets, when no setting names one. */
  readonly sheets?: Sheets | undefined;
  /** Headers of columns that the spreadsheet program hides; absent when there are none. */
  readonly hiddenHeaders?: readonly string[] | undefined;
  /** Some rows below it: one of them may be the header of a file that begins with a title. */
  readonly rowsBelow?: readonly RowTexts[] | undefined;
}

/** The sheet that is read, and the others of the file. */
export interface Sheets {
  readonly read: string;
  readonly others: readonly string[];
}

export interface RowTexts {
  readonly number: number;
  readonly texts: readonly string[];
}

/** Merged cells, of which only the first one has a value: how many, and the names of the first five. */
export interface MergedCells {
  readonly ranges: number;
  readonly first: readonly string[];
}

/** Some rows of a file, without blank ones. A file whose header has no rows below it gives one batch without rows. */
export interface SourceRows extends SourceHeader {
  readonly rows: readonly SourceRow[];
  /** Those of the header and of the columns that are read, with the last batch; absent when there are none. */
  readonly merged?: MergedCells | undefined;
  /** The first 1,000 of them that cover several rows, with the last batch. */
  readonly tallRanges?: readonly TallRange[] | undefined;
}

/** Selects the columns to read, by their indexes in `headers`. Called once, after the header row was read. */
export type SelectColumns = (header: SourceHeader) => readonly number[] | Promise<readonly number[]>;

export const allColumns: SelectColumns = ({ headers }) => [...headers.keys()];

/** The first rows that are short enough for a header. */
export function rowsBelowHeader(rows: readonly RowTexts[]): RowTexts[] {
  return rows
    .slice(0, rowsCompared)
    .filter(({ texts }) => texts.length <= fileLimits.columns)
    .map(({ number, texts }) => ({ number, texts: texts.map((text) => toHeaderText(text.slice(0, longestHeader))) }));
}

const [rowsCompared, longestHeader] = [20, 500];

/** Names from a file, for messages: `"Firma", "Ort"`. Long names and long lists are cut. */
export function toNameList(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => {
    const isLong = name.length > charactersShown;
    return JSON.stringify(isLong ? `${name.slice(0, charactersShown)}…` : name);
  });
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

const [namesShown, charactersShown] = [50, 60];

/** The text that a user would type into the cell; a date without a time is `2027-03-31`. */
export function toCellText(cell: SourceCell): string {
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return '';
  const text = cell.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** A header on one line. */
function toHeaderText(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ');
}

/** A finished file; `rows` without the header, `sha256` in hex over the bytes on disk. */
export interface WrittenFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface SummarySection {
  readonly title: string;
  /** `note`: what the label means, in words. */
  readonly rows: readonly { readonly label: string; readonly value: number | string; readonly note?: string }[];
}

/** Creates the error for a row of the file, or for the whole file. */
export type Refuse = (problem: string, facts?: Pick<SpreadsheetFacts, 'line' | 'code'>) => SpreadsheetError;

export function createRefusal(path: string): Refuse {
  return (problem, facts) => new SpreadsheetError({ path, action: 'reading', problem, ...facts });
}

/** `found`: the rows that there are. */
export function headerBeyondEnd(refuse: Refuse, headerRow: number, found: string): Error {
  return refuse(`header_row is ${headerRow}, and ${found} rows. Correct header_row`);
}

export interface KeptColumns {
  /** The header with the selected columns only. */
  readonly header: SourceHeader;
  /** Indexes of the selected columns in a row. */
  readonly indexes: readonly number[];
  /** Indexes of the columns without a header, up to the last one that has one. */
  readonly gaps: readonly number[];
  /** Columns up to the last one with a header. */
  readonly width: number;
}

interface HeaderRow {
  /** '' for a column without a header. */
  readonly texts: readonly string[];
  readonly number: number;
  readonly place?: string | undefined;
  readonly sheets?: Sheets | undefined;
  readonly hiddenColumns?: ReadonlySet<number> | undefined;
  readonly rowsBelow?: readonly RowTexts[] | undefined;
}

/** `refuse`: creates the error of the source. */
export async function readHeader(
  row: HeaderRow,
  select: SelectColumns,
  refuse: (...problem: Parameters<Refuse>) => Error,
): Promise<KeptColumns> {
  const texts = withoutLastBlanks(row.texts.map(toHeaderText));
  assertWithinLimits(texts, (problem) => refuse(problem, { line: row.number, code: overLimit }));
  const { number: headerNumber, place, sheets, hiddenColumns, rowsBelow } = row;
  const named = [...texts.entries()].filter(([, text]) => text !== '');
  const headers = named.map(([, text]) => text);
  const indexes = named.map(([index]) => index);
  const hiddenHeaders = named.filter(([index]) => hiddenColumns?.has(index)).map(([, text]) => text);
  const where = {
    headerNumber,
    ...(place === undefined ? {} : { place }),
    ...(sheets && { sheets }),
    ...(hiddenHeaders.length === 0 ? {} : { hiddenHeaders }),
  };
  const selected = await select({ headers, ...where, ...(rowsBelow && { indexes, rowsBelow }) });
  const columns = selected.map((index) => named[index]).filter((column) => column !== undefined);
  return {
    header: { headers: columns.map(([, text]) => text), ...where },
    indexes: columns.map(([index]) => index),
    gaps: [...texts.keys()].filter((index) => texts[index] === ''),
    width: texts.length,
  };
}

/** Values without a header, as a header that is merged over several columns leaves them. */
export function toUnnamed(
  cells: readonly (SourceCell | undefined)[],
  { gaps, width }: KeptColumns,
): Pick<SourceRow, 'unnamed'> {
  const beyond = Array.from({ length: Math.max(0, cells.length - width) }, (_, index) => width + index);
  const unnamed = [...gaps, ...beyond].filter((index) => (cells[index] ?? '') !== '');
  return unnamed.length === 0 ? {} : { unnamed };
}

function assertWithinLimits(headers: readonly string[], refuse: (problem: string) => Error): void {
  const [columns, characters] = [headers.length, headers.join('').length];
  if (columns > fileLimits.columns)
    throw refuse(
      `it has ${formatLimit(columns)} columns, and at most ${formatLimit(fileLimits.columns)} are read; take out columns that are not needed`,
    );
  if (characters > fileLimits.headerCharacters)
    throw refuse(
      `the headers have ${formatLimit(characters)} characters together, and at most ${formatLimit(fileLimits.headerCharacters)} are read; shorten them`,
    );
}

/** The cells up to the last one that is not blank. */
export function withoutLastBlanks<T extends SourceCell>(cells: readonly T[]): readonly T[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}
