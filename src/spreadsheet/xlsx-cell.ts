import type { CellValue, Style } from 'exceljs';
import { toFileText } from './cell-text.ts';
import { fileLimits } from './file-limits.ts';
import type { Cell, Column } from './table.ts';
import { trimEndOf } from '../text/normalize-text.ts';

/** Excel counts UTF-16 units; a longer text makes it report the file as damaged. */
const longestText = fileLimits.xlsxCellCharacters;
const cutMark = ' … [cut: a cell holds 32,767 characters]';

export function toCellValue(cell: Cell | undefined): CellValue {
  if (cell === undefined || cell === null) return null;
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : cell;
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell === 'boolean') return cell;
  // Excel's own line break is a bare line feed.
  const text = toFileText(cell.includes('\r') ? cell.replaceAll(/\r\n?/g, '\n') : cell);
  if (text === '') return null;
  return text.length <= longestText ? text : withoutHalf(text.slice(0, longestText - cutMark.length)) + cutMark;
}

/** A cut between the halves of an emoji would leave one that no file may hold. */
function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

/** One object a kind, set on every cell: exceljs looks styles up by object and takes twice the time when they differ. */
export const cellStyles: Readonly<Record<Column['kind'] | 'header' | 'title', Partial<Style>>> = {
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

/** A date of the user's own keeps the form that `readXlsx` takes: with a time only where it has one. */
export function styleOf(kind: Column['kind'], cell: Cell | undefined): Partial<Style> {
  if (kind !== 'own' || !(cell instanceof Date)) return cellStyles[kind];
  return cell.getTime() % dayMilliseconds === 0 ? day : cellStyles.date;
}

const dayMilliseconds = 86_400_000;
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

export function widthOf({ kind, width, header }: Column): number {
  // Room for the filter's arrow.
  return width ?? Math.min(widest, Math.max(widths[kind], header.length + 4));
}

/** Excel refuses other names: 1 to 31 characters, none of []:*?/\ and no apostrophe at either end. */
export function toSheetName(name: string): string {
  const allowed = name
    .replaceAll(/[[\]:*?/\\]/g, ' ')
    .replace(/^'+/, '')
    .trim();
  return trimEndOf(allowed.slice(0, 31), " '") || 'Sheet';
}
