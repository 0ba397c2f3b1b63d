/** The rows of a worksheet's XML. ECMA-376-1, 18.3.1.4, 18.3.1.73 and 18.18.11. */
import { columnOfCell, parseRange, type CellRange } from './cell-range.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import type { SourceCell } from './table.ts';
import { isShownAsStored } from './number-format.ts';
import { createTextCollector, plainStyle, type CellStyle } from './xlsx-workbook.ts';
import { scanXml, type XmlAttributes, XmlError } from './xlsx-xml.ts';
import { dayMs } from '../day-milliseconds.ts';

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  /** By column, with holes for blank cells. */
  readonly cells: readonly (SourceCell | undefined)[];
  /** Columns, from 0, with a formula that has no stored result. */
  readonly unresolved: readonly number[];
  readonly isHidden: boolean;
  /** The numbers of cells that their format shows differently, by column from 0. */
  readonly formatted: ReadonlyMap<number, number>;
  /** Columns, from 0, of cells whose text is struck through. */
  readonly struck: ReadonlySet<number>;
}

/** Some rows, with blank ones. */
export interface SheetPart {
  readonly rows: readonly SheetRow[];
  /** Merged cells, which a file lists below its rows. */
  readonly merged: readonly CellRange[];
  /** Columns, from 0, that the spreadsheet program hides; a file lists them above its rows. */
  readonly hiddenColumns: ReadonlySet<number>;
}

export interface WorksheetContext {
  /** null: shared texts were not read, and a cell with one counts as not blank. */
  readonly texts: readonly string[] | null;
  readonly styles: readonly CellStyle[];
  readonly isFrom1904: boolean;
  /** The error for a row that is over a limit. */
  readonly refuse: (problem: string, row: number) => Error;
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
}

/** Rows in batches. @throws XmlError; the error of `refuse` */
export async function* readSheetRows(
  pieces: AsyncIterable<string>,
  context: WorksheetContext,
): AsyncGenerator<SheetPart> {
  const { refuse } = context;
  const hiddenColumns = new Set<number>();
  let merged: CellRange[] = [];
  const text = createTextCollector(() => refuse(longCell, number));
  let rows: SheetRow[] = [];
  let count = 0;
  let isInData = false;
  let number = 0;
  let cells: SourceCell[] = [];
  let unresolved: number[] = [];
  let isHidden = false;
  let formatted = none;
  let struck = noColumns;
  let isFormula = false;
  let column = 0;
  let characters = 0;
  let cell: OpenCell | null = null;

  const addCell = (open: OpenCell) => {
    const value = toSourceCell(text.value(), open, context);
    // The result of a formula may be an empty text, but no empty number.
    if (isFormula && text.value() === '' && open.type !== 'str') unresolved.push(open.column - 1);
    if (value === '') return;
    if (open.type === 'n') addFormatted(open, value);
    if (open.column > fileLimits.columns) throw refuse(wideRow, number);
    if (typeof value === 'string') {
      characters += value.length;
      if (characters > fileLimits.rowCharacters) throw refuse(longRow, number);
    }
    cells[open.column - 1] = value;
    if (!toStyle(context, open.style).isStruck) return;
    if (struck === noColumns) struck = new Set();
    struck.add(open.column - 1);
  };

  const addFormatted = ({ column: at, style }: OpenCell, value: SourceCell) => {
    const stored = Number.parseFloat(text.value());
    const isKept =
      typeof value === 'number' ? isShownAsStored(stored, toStyle(context, style).format) : value === String(stored);
    if (isKept || value instanceof Date) return;
    if (formatted === none) formatted = new Map();
    formatted.set(at - 1, stored);
  };

  const scanning = scanXml(pieces, {
    open: (name, attributes) => {
      if (name === 'sheetData') isInData = true;
      else if (name === 'col') addHiddenColumns(hiddenColumns, attributes);
      else if (name === 'mergeCell') merged.push(...toRanges(attributes));
      if (!isInData) return;
      if (name === 'row') {
        count += 1;
        if (count > fileLimits.xlsxRows) throw refuse(manyRows, number);
        [number, cells, unresolved, column, characters] = [toRowNumber(attributes, number), [], [], 0, 0];
        [formatted, struck] = [none, noColumns];
        isHidden = isMarkedHidden(attributes);
      } else if (name === 'c') {
        cell = toOpenCell(attributes, column);
        ({ column } = cell);
        isFormula = false;
        text.clear();
      } else if (name === 'f') isFormula = true;
      else text.open(name);
    },
    close: (name) => {
      if (name === 'sheetData') isInData = false;
      else if (name === 'c' && cell !== null) {
        addCell(cell);
        cell = null;
      } else if (name === 'row' && isInData) rows.push({ number, cells, unresolved, isHidden, formatted, struck });
      else text.close(name);
    },
    text: text.add,
  });
  for await (const _ of scanning) {
    if (rows.length === 0 && merged.length === 0) continue;
    yield { rows, merged, hiddenColumns };
    [rows, merged] = [[], []];
  }
}

/** Shared by the rows without such a cell, which are nearly all. */
const none: Map<number, number> = new Map();
const noColumns: Set<number> = new Set();

const longCell = `a cell has more than ${formatLimit(fileLimits.xlsxCellCharacters)} characters`;
const longRow = `the row has more than ${formatLimit(fileLimits.rowCharacters)} characters`;
const wideRow = `the row has a value beyond column ${formatLimit(fileLimits.columns)}; take out columns that are not needed`;
const manyRows = `the sheet has more than ${formatLimit(fileLimits.xlsxRows)} rows`;

function isMarkedHidden({ hidden = '' }: XmlAttributes): boolean {
  return ['1', 'true'].includes(hidden);
}

function addHiddenColumns(hidden: Set<number>, attributes: XmlAttributes): void {
  if (!isMarkedHidden(attributes)) return;
  const end = Math.min(Number(attributes['max']), fileLimits.columns);
  for (let column = Number(attributes['min']) - 1; column < end; column += 1) hidden.add(column);
}

function toRanges({ ref = '' }: XmlAttributes): CellRange[] {
  const range = parseRange(ref);
  return range === null ? [] : [range];
}

function toRowNumber(attributes: XmlAttributes, last: number): number {
  const given = attributes['r'];
  const number = given === undefined ? last + 1 : Number(given);
  if (!Number.isInteger(number) || number < 1 || number > fileLimits.xlsxRows) throw new XmlError('malformed');
  return number;
}

function toOpenCell(attributes: XmlAttributes, last: number): OpenCell {
  const reference = attributes['r'];
  const column = reference === undefined ? last + 1 : columnOfCell(reference);
  if (column < 1 || column > mostColumns) throw new XmlError('malformed');
  return { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0) };
}

/** XFD. */
const mostColumns = 16_384;

function toSourceCell(text: string, { type, style }: OpenCell, context: WorksheetContext): SourceCell {
  const { texts, isFrom1904 } = context;
  if (text === '') return '';
  switch (type) {
    case 's':
      return texts === null ? 'text' : sharedText(texts, text).trim();
    case 'str':
    case 'inlineStr':
    case 'e':
      return text.trim();
    case 'b':
      return Number(text) !== 0;
    case 'd':
      // A time without a zone is read as UTC, like all times of cells.
      return toDate(Date.parse(hasTimeWithoutZone(text) ? `${text}Z` : text));
    default: {
      const number = Number.parseFloat(text);
      const { isDate, digits, prefix } = toStyle(context, style).format;
      if (!Number.isFinite(number)) return '';
      if (isDate) return toDate((number - epochDay + (isFrom1904 ? days1904 : 0)) * dayMs);
      // A customer number that its number format shows as 00042 or KD-00042 is read like that.
      return digits > 0 && Number.isSafeInteger(number) ? toShownNumber(number, digits, prefix) : number;
    }
  }
}

function toStyle({ styles }: WorksheetContext, style: number): CellStyle {
  return styles[style] ?? plainStyle;
}

function toShownNumber(number: number, digits: number, prefix: string): string {
  const sign = number < 0 && prefix !== '' ? '-' : '';
  return sign + prefix + String(sign === '' ? number : -number).padStart(digits, '0');
}

function sharedText(texts: readonly string[], index: string): string {
  const text = texts[Number(index)];
  if (text === undefined) throw new XmlError('malformed');
  return text;
}

/** 1970-01-01 as Excel counts days, and how many of them lie before its other beginning. */
const [epochDay, days1904] = [25_569, 1_462];

function toDate(milliseconds: number): SourceCell {
  const date = new Date(Math.round(milliseconds));
  return Number.isNaN(date.getTime()) ? '' : date;
}

function hasTimeWithoutZone(text: string): boolean {
  const time = text.lastIndexOf('T');
  return time >= 0 && !/[Z+-]/.test(text.slice(time));
}
