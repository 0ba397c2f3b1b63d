/** What the databases give for a query. */
import { fileLimits, formatLimit } from '../../../base/spreadsheet/file-limits.ts';
import { overLimit, SpreadsheetError } from '../../../base/spreadsheet/spreadsheet-error.ts';
import { toNameList, type SourceCell } from '../../../base/spreadsheet/table.ts';
import { SqlError } from './sql-error.ts';

export type QueryCells = readonly (SourceCell | null)[];

/** The first page has the columns and no row: the database has not executed the query yet. */
export interface QueryPage {
  readonly columns: readonly string[];
  readonly rows: readonly QueryCells[];
}

export const rowsPerPage = 1_000;
/** A page of wide rows ends with the row that reaches them: it has at most these and the characters of one row. */
export const pageCharacters = 4_000_000;

/** A row over the limit. `cells`: sizes of its first cells, the largest of which is the reason. */
export interface LongRow {
  readonly row: number;
  readonly unit: 'characters' | 'bytes';
  readonly size: number;
  readonly cells: readonly number[];
}

/** Characters of the texts of a row. `long`: null within the limit. `row`: from 1. */
export function measureRow(cells: QueryCells, row: number): { characters: number; long: LongRow | null } {
  const sizes = cells.map((cell) => (typeof cell === 'string' ? cell.length : 0));
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const isLong = size > fileLimits.rowCharacters;
  return { characters: size, long: isLong ? { row, unit: 'characters', size, cells: sizes } : null };
}

export function rowTooLong(setting: string, columns: readonly string[], { row, unit, size, cells }: LongRow) {
  const largest = cells.reduce((max, each) => Math.max(max, each), 0);
  const column = toNameList([columns[cells.indexOf(largest)] ?? '']);
  const found = `row ${row} has ${formatLimit(size)} ${unit}, ${formatLimit(largest)} of them in column ${column}`;
  const remedy = 'Leave the column out, or shorten it in the query: substr(COLUMN, 1, 1000)';
  const limit = formatLimit(fileLimits.rowCharacters);
  return queryOverLimit(setting, `${found}, and at most ${limit} characters are read. ${remedy}`);
}

export function queryOverLimit(setting: string, problem: string): SpreadsheetError {
  return new SpreadsheetError({ path: `${setting}.query`, action: 'reading', problem, code: overLimit });
}

export function tooSlow(setting: string, statementTimeoutMs: number, code?: string): SqlError {
  const seconds = statementTimeoutMs / 1_000;
  const remedy = 'Select fewer rows, or add an index for its conditions and its order';
  return new SqlError(
    'refused',
    `${setting}.query: it took longer than ${seconds} s for one page of rows. ${remedy}`,
    code,
  );
}

export function holdsBytes(setting: string, column: string): SqlError {
  const remedy = 'Leave it out, or convert it to text';
  return new SqlError('refused', `${setting}.query: column ${JSON.stringify(column)} holds bytes. ${remedy}`);
}
