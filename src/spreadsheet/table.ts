/** Tables of spreadsheet files: columns, rows and headers. */
import { normalizeText } from '../text/normalize-text.ts';
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
}
export type SourceCell = string | number | boolean | Date;

export interface SourceHeader {
  /** Headers of the file, trimmed; columns without a header are skipped. */
  readonly headers: readonly string[];
  readonly headerNumber: number;
  /** Where the header is in an Excel file: `sheet "Leads", row 1`. */
  readonly place?: string | undefined;
}

/** Some rows of a file, without blank ones. A file whose header has no rows below it gives one batch without rows. */
export interface SourceRows extends SourceHeader {
  readonly rows: readonly SourceRow[];
}

/** Selects the headers to read. Called once, after the header row was read. */
export type SelectColumns = (header: SourceHeader) => readonly string[] | Promise<readonly string[]>;

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

/** A header in comparable form: `Kunden-Nr.` and `kunden nr` are both `kunden_nr`. */
export function toHeaderKey(header: string): string {
  return normalizeText(header, 'NFKC')
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

/** The first two columns with the same header, counted from 1; null when all headers differ. */
function findRepeatedHeader(headers: readonly string[]): readonly [number, number] | null {
  const columns = new Map<string, number>();
  for (const [index, header] of headers.entries()) {
    const key = toHeaderKey(header) || header;
    const first = columns.get(key);
    if (key !== '' && first !== undefined) return [first, index + 1];
    columns.set(key, index + 1);
  }
  return null;
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
  readonly rows: readonly { readonly label: string; readonly count: number }[];
}

/** Creates the error for a row of the file, or for the whole file. */
export type Refuse = (problem: string, facts?: Pick<SpreadsheetFacts, 'line' | 'code'>) => SpreadsheetError;

export function createRefusal(path: string): Refuse {
  return (problem, facts) => new SpreadsheetError({ path, action: 'reading', problem, ...facts });
}

export interface KeptColumns {
  /** The header with the selected columns only. */
  readonly header: SourceHeader;
  /** Indexes of the selected columns in a row. */
  readonly indexes: readonly number[];
}

interface HeaderRow {
  /** '' for a column without a header. */
  readonly texts: readonly string[];
  readonly number: number;
  readonly place?: string | undefined;
}

/** `refuse`: creates the error of the source. */
export async function readHeader(
  row: HeaderRow,
  select: SelectColumns,
  refuse: (...problem: Parameters<Refuse>) => Error,
): Promise<KeptColumns> {
  const texts = withoutLastBlanks(row.texts.map((text) => text.trim()));
  assertWithinLimits(texts, (problem) => refuse(problem, { line: row.number, code: overLimit }));
  const repeated = findRepeatedHeader(texts);
  if (repeated !== null)
    throw refuse(`columns ${repeated[0]} and ${repeated[1]} have the same header`, { line: row.number });
  const { number: headerNumber, place } = row;
  const where = { headerNumber, ...(place === undefined ? {} : { place }) };
  const headers = await select({ headers: texts.filter((text) => text !== ''), ...where });
  return { header: { headers, ...where }, indexes: headers.map((header) => texts.indexOf(header)) };
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
