/** Cells of an XLSX file: values within Excel's limits, styles, widths and links. */
import type { CellValue, Style } from 'exceljs';
import type { Cell, Column } from './table.ts';
import { fileLimits } from './file-limits.ts';
import { toFileText } from './cell-text.ts';
import { dayMs } from '../day-milliseconds.ts';

export interface StyledCell {
  readonly value: CellValue;
  readonly style: Partial<Style>;
}

export function toStyledCell(cell: Cell, { kind }: Column): StyledCell {
  return { value: toCellValue(cell), style: styleOf(kind, cell) };
}

/** Excel refuses a sheet with more links, and longer addresses. */
const [mostLinks, longestAddress] = [65_530, 2_079];

/** Of the part with the addresses, apart from each of them. */
const bytesAroundAddress = 200;

/**
 * Turns the cells of one sheet into links where their columns have some. Cells beyond Excel's limit stay texts, and so do those whose
 * addresses would make the file longer than our reader accepts.
 */
export function createLinker() {
  let links = 0;
  let room: number = fileLimits.smallPartBytes;
  return (cell: StyledCell, { link }: Column): StyledCell => {
    if (link === undefined || typeof cell.value !== 'string' || links >= mostLinks) return cell;
    const address = link(cell.value);
    if (address === null || address.length > longestAddress) return cell;
    const bytes = bytesAroundAddress + address.replaceAll(/[&'"<>]/g, '&quot;').length;
    if (bytes > room) return cell;
    room -= bytes;
    links += 1;
    return { value: { text: cell.value, hyperlink: address }, style: cellStyles.link };
  };
}

/** Excel counts UTF-16 units; a longer text makes it report the file as damaged. */
const longestText = fileLimits.xlsxCellCharacters;
const cutMark = ' … [cut: a cell holds 32,767 characters]';

/** null: nothing is written. */
export function toCellValue(cell: Cell | undefined): string | number | boolean | Date | null {
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

// exceljs writes the names of the dates by the ids 22 and 14, whose form Excel takes from the language of the user.

/** One object for each kind: exceljs looks styles up by object, and needs twice the time for different objects. */
export const cellStyles: Readonly<Record<Column['kind'] | 'header' | 'title' | 'link', Partial<Style>>> = {
  text: {},
  phone: {},
  boolean: {},
  number: {},
  own: {},
  date: { numFmt: 'm/d/yy "h":mm' },
  link: { font: { color: { argb: 'FF0563C1' }, underline: true } },
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

const day: Partial<Style> = { numFmt: 'mm-dd-yy' };

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
