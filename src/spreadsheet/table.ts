import { normalizeText } from '../text/normalize-text.ts';

/** What a writer is told about a column; `kind` decides number formats, widths and what a CSV file has to guard. */
export interface Column {
  readonly key: string;
  readonly header: string;
  /** `own`: whatever the user's file had in the cell. */
  readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'phone' | 'own';
  /** In characters, XLSX only. */
  readonly width?: number;
}

/** Cells by column key; a key that is missing, null or undefined is an empty cell. */
export type Row = Readonly<Record<string, string | number | boolean | Date | null | undefined>>;
export type Cell = Row[string];

/** A row of a file that was read. */
export interface SourceRow {
  /** As a spreadsheet program numbers it, from 1; the header row and blank rows count. */
  readonly number: number;
  /** In the order of `headers`, '' where empty; the last ones are left out where they are empty. */
  readonly cells: readonly SourceCell[];
}
export type SourceCell = string | number | boolean | Date;

export interface SourceHeader {
  /** As they are written in the file, trimmed; columns without a header are skipped. */
  readonly headers: readonly string[];
  readonly headerNumber: number;
  /** Where the header is in an Excel file: `sheet "Leads", row 1`. */
  readonly place?: string | undefined;
}

/** Some rows of a file, without blank ones. A file whose header has no rows below it gives one batch without rows. */
export interface SourceRows extends SourceHeader {
  readonly rows: readonly SourceRow[];
}

/** Says which columns to keep, when the header row was read; asked once. */
export type SelectColumns = (header: SourceHeader) => readonly string[] | Promise<readonly string[]>;

/** Names from a file, for messages: `"Firma", "Ort"`; of many or long ones the beginning. */
export function toNameList(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => {
    const isLong = name.length > charactersShown;
    return JSON.stringify(isLong ? `${name.slice(0, charactersShown)}…` : name);
  });
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

const [namesShown, charactersShown] = [50, 60];

/** What a person would type into the cell; a date without a time is `2027-03-31`. */
export function toCellText(cell: SourceCell): string {
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return '';
  const text = cell.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** A header as it is compared: `Kunden-Nr.` and `kunden nr` are both `kunden_nr`. */
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

/** The first two columns of one header, counted from 1; null when all differ. */
export function findRepeatedHeader(headers: readonly string[]): readonly [number, number] | null {
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
