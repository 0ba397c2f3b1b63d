/** Reads Excel files row by row, so that a large sheet is never in memory as a whole. */
import type { CellRange, TallRange } from './cell-range.ts';
import { readSheet } from './open-sheet.ts';
import {
  allColumns,
  createRefusal,
  headerBeyondEnd,
  readHeader,
  rowsBelowHeader,
  withoutLastBlanks,
  type KeptColumns,
  type Refuse,
  type RowTexts,
  toCellText,
  toNameList,
  toUnnamed,
  type MergedCells,
  type SelectColumns,
  type SheetSettings,
  type SourceRow,
  type SourceRows,
} from './table.ts';
import type { SheetRow } from './xlsx-worksheet.ts';

/** Limits of a batch: rows, cells or characters. */
const fullBatch = { rows: 500, cells: 50_000, characters: 1_000_000 };

/**
 * The rows of one sheet, in batches. A formula has the value of its result, texts are trimmed, blank rows and columns without a header
 * are skipped.
 * @throws SpreadsheetError with the number of the faulty row
 */
export async function* readXlsx(
  path: string,
  { sheet, headerRow }: SheetSettings = {},
  select: SelectColumns = allColumns,
): AsyncGenerator<SourceRows> {
  const refuse = createRefusal(path);
  let columns: KeptColumns | null = null;
  let batch = createBatch();
  let yielded = false;
  let lastRow = 0;
  const merged = createMergedCells();
  for await (const { name, others, rows, merged: ranges, ...more } of readSheet(path, sheet, 'with texts')) {
    const { hiddenColumns, comments } = more;
    for (const [index, row] of rows.entries()) {
      const isBlank = row.cells.length === 0 && row.unresolved.length === 0;
      if (!isBlank) lastRow = row.number;
      if (columns !== null) {
        assertResolved(row, columns, refuse);
        if (isBlank) continue;
        const kept = columns.indexes.map((column) => row.cells[column] ?? '');
        batch.add({
          number: row.number,
          cells: withoutLastBlanks(kept),
          ...toRowFacts(row, columns, comments.get(row.number)),
        });
        if (!batch.isFull()) continue;
        yield { ...columns.header, rows: batch.rows };
        yielded = true;
        batch = createBatch();
      } else if (headerRow === undefined ? !isBlank : row.number >= headerRow) {
        if (isBlank || row.number !== (headerRow ?? row.number))
          throw refuse('the header row is blank', { line: headerRow ?? row.number });
        if (row.unresolved.length > 0) throw refuse(`the header has ${unresolved}`, { line: row.number });
        const rowsBelow = rowsBelowHeader(
          rows
            .slice(index + 1, index + 100)
            .map(toRowTexts)
            .filter(isFilled),
        );
        const { texts } = toRowTexts(row);
        const place = `sheet ${toNameList([name])}, row ${row.number}`;
        const header = { texts, number: row.number, place, hiddenColumns, rowsBelow };
        const sheets = sheet === undefined && others.length > 0 ? { sheets: { read: name, others } } : {};
        columns = await readHeader({ ...header, ...sheets }, select, refuse);
      }
    }
    if (columns !== null) merged.add(ranges, columns, lastRow);
  }
  if (columns === null)
    throw headerRow === undefined || lastRow === 0
      ? refuse('the sheet is empty')
      : headerBeyondEnd(refuse, headerRow, `the sheet has ${lastRow}`);
  if (batch.rows.length > 0 || !yielded || merged.found() !== undefined)
    yield { ...columns.header, rows: batch.rows, merged: merged.found(), tallRanges: merged.tall() };
}

const unresolved =
  'formulas without a stored result; open the file in Excel or LibreOffice, save it there, and use the saved file';

function assertResolved(row: SheetRow, { header, indexes }: KeptColumns, refuse: Refuse): void {
  const column = row.unresolved.map((each) => indexes.indexOf(each)).find((index) => index !== -1);
  if (column === undefined) return;
  const name = toNameList(header.headers.slice(column, column + 1));
  throw refuse(`the column ${name} has ${unresolved}`, { line: row.number });
}

function toRowFacts({ cells, isHidden, formatted, struck }: SheetRow, columns: KeptColumns, comment?: string) {
  const numbers = formatted.size === 0 ? null : toFormatted(formatted, columns);
  const marked =
    struck.size === 0 ? [] : [...columns.indexes.keys()].filter((at) => struck.has(columns.indexes[at] ?? -1));
  return {
    ...(isHidden ? { isHidden: true as const } : {}),
    ...toUnnamed(cells, columns),
    ...(numbers === null ? {} : { formatted: numbers }),
    ...(marked.length === 0 ? {} : { struck: marked }),
    ...(comment === undefined ? {} : { comment }),
  };
}

/** The numbers of kept columns, by their indexes; null if there are none. Sheets of amounts have them in most cells. */
function toFormatted(
  formatted: SheetRow['formatted'],
  { indexes }: KeptColumns,
): NonNullable<SourceRow['formatted']> | null {
  const numbers: Record<number, number> = {};
  let isEmpty = true;
  for (let index = 0; index < indexes.length; index += 1) {
    const number = formatted.get(indexes[index] ?? -1);
    if (number === undefined) continue;
    numbers[index] = number;
    isEmpty = false;
  }
  return isEmpty ? null : numbers;
}

const [rangesNamed, tallRangesKept] = [5, 1_000];

/** Those of the header and below it that cover a column that is read; a title above the header and a footer may be merged. */
function createMergedCells() {
  let ranges = 0;
  const first: string[] = [];
  const tall: TallRange[] = [];
  return {
    add(found: readonly CellRange[], { header, indexes }: KeptColumns, lastRow: number): void {
      for (const { name, top, bottom, left, right } of found) {
        if (bottom < header.headerNumber || top > lastRow) continue;
        const covered = [...indexes.keys()].filter((at) => isWithin((indexes[at] ?? 0) + 1, left, right));
        if (covered.length === 0) continue;
        ranges += 1;
        if (bottom > top && tall.length < tallRangesKept) tall.push({ name, top, bottom, indexes: covered });
        if (first.length < rangesNamed) first.push(name);
      }
    },
    found: (): MergedCells | undefined => (ranges === 0 ? undefined : { ranges, first }),
    tall: (): readonly TallRange[] | undefined => (tall.length === 0 ? undefined : tall),
  };
}

function isWithin(column: number, left: number, right: number): boolean {
  return left <= column && column <= right;
}

function toRowTexts({ number, cells }: SheetRow): RowTexts {
  return { number, texts: Array.from(cells, (cell) => toCellText(cell ?? '')) };
}

function isFilled({ texts }: RowTexts): boolean {
  return texts.length > 0;
}

function createBatch() {
  const rows: SourceRow[] = [];
  let [cells, characters] = [0, 0];
  return {
    rows,
    add: (row: SourceRow) => {
      rows.push(row);
      cells += row.cells.length;
      for (const cell of row.cells) if (typeof cell === 'string') characters += cell.length;
    },
    isFull: () => rows.length >= fullBatch.rows || cells >= fullBatch.cells || characters >= fullBatch.characters,
  };
}

/** Counts the rows of the first visible sheet so far, without the header and blank rows. Shared texts are not read. */
export async function* countXlsxRows(path: string): AsyncGenerator<number> {
  let count = -1;
  for await (const { rows } of readSheet(path, undefined, 'without texts')) {
    count += rows.filter(({ cells }) => cells.length > 0).length;
    if (count >= 0) yield count;
  }
  if (count < 0) throw createRefusal(path)('the sheet is empty');
}
