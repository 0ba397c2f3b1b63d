/** What the databases give for a query. */
import type { SourceCell } from '../../../base/spreadsheet/table.ts';
import { SqlError } from './sql-error.ts';

/** The first page has the columns and no row: the database has not executed the query yet. */
export interface QueryPage {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (SourceCell | null)[])[];
}

export const rowsPerPage = 1_000;

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
