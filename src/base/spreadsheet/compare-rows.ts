/** Compares the rows of a written file, read again, with the rows that it should have. */
import { toCellText, type Cell, type Column, type Row, type SourceCell, type SourceRows } from './table.ts';

/** White space, control characters and the apostrophes before formulas differ between formats. */
const ignored = /[\s\p{Cc}\p{Cf}\uFFFD']+/gu;
/** Excel cuts cells at 32,767 characters. */
const comparedCharacters = 32_000;

/** Columns of texts and numbers, which every format keeps. Dates, phones and booleans are written in several ways. */
export function toComparedColumns(columns: readonly Column[]): ReadonlyMap<string, string> {
  const compared = columns.filter(({ kind }) => kind === 'text' || kind === 'number' || kind === 'own');
  return new Map(compared.map(({ header, key }) => [header, key]));
}

/** @param compared the key of each compared column, by its header @returns the number of rows that differ, are missing or are too many */
export async function countDifferingRows(
  file: AsyncIterable<SourceRows>,
  expected: AsyncIterable<readonly Row[]>,
  compared: ReadonlyMap<string, string>,
): Promise<number> {
  const rows = singly(expected);
  let differing = 0;
  for await (const { headers, rows: found } of file) {
    const keys = headers.map((header) => compared.get(header));
    for (const { cells } of found) {
      const { value: row, done } = await rows.next();
      const isSame =
        done !== true && keys.every((key, index) => key === undefined || isSameCell(cells[index] ?? '', row[key]));
      if (!isSame) differing += 1;
    }
  }
  for await (const _ of rows) differing += 1;
  return differing;
}

async function* singly(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}

function isSameCell(found: SourceCell, expected: Cell): boolean {
  if (typeof expected === 'boolean' || expected instanceof Date) return true;
  if (typeof expected === 'number') return found === expected || Number(found) === expected;
  const text = toCellText(found);
  return text === (expected ?? '') || toComparable(text) === toComparable(expected ?? '');
}

function toComparable(text: string): string {
  return text
    .slice(0, comparedCharacters)
    .replaceAll(ignored, '')
    .slice(0, comparedCharacters / 2);
}
