/** Reads the result of a query page by page, as the rows of a file are read. Nothing is written to the database. */
import { fileLimits, formatLimit } from '../../../base/spreadsheet/file-limits.ts';
import { overLimit, SpreadsheetError } from '../../../base/spreadsheet/spreadsheet-error.ts';
import {
  allColumns,
  readHeader,
  withoutLastBlanks,
  type SelectColumns,
  type SourceCell,
  type SourceRows,
} from '../../../base/spreadsheet/table.ts';
import type { QueryPage } from './query-page.ts';
import { readPostgres } from './read-postgres.ts';
import { readSqlite } from './read-sqlite.ts';
import { SqlError } from './sql-error.ts';
import { findStatementProblem } from '../../../config/statement-text.ts';

/** `sqlite`: path of the file. `postgres`: the address, which is revealed only to connect. */
export type SqlDatabase = { readonly sqlite: string } | { readonly postgres: { reveal(): string } };

export interface SqlQuery {
  readonly database: SqlDatabase;
  /** One statement. */
  readonly query: string;
}

/** `setting`: path of the source in the configuration, for messages. */
export interface NamedQuery extends SqlQuery {
  readonly setting: string;
}

export interface QueryOptions {
  readonly signal: AbortSignal;
  /** Longest time of one page. A test uses a shorter one. */
  readonly statementTimeoutMs?: number;
}

/** The first page may wait until the database has sorted all rows. */
const defaultStatementTimeoutMs = 300_000;

/**
 * The rows of a query, numbered from 1 in the order of the result. Rows without a value are left out, as blank rows of a file are.
 * @throws SqlError; SpreadsheetError above a limit of files; what `select` throws; the signal's reason on abort
 */
export async function* readQuery(
  query: NamedQuery,
  { select = allColumns, ...options }: QueryOptions & { readonly select?: SelectColumns },
): AsyncGenerator<SourceRows> {
  const place = `${query.setting}.query`;
  const overLimits = (problem: string) =>
    new SpreadsheetError({ path: place, action: 'reading', problem, code: overLimit });
  let count = 0;
  let kept: Awaited<ReturnType<typeof readHeader>> | null = null;
  for await (const { columns, rows } of readPages(query, options)) {
    kept ??= await readHeader({ texts: columns, number: 0 }, select, overLimits);
    const { header, indexes } = kept;
    const first = count + 1;
    count += rows.length;
    if (count > fileLimits.csvRows) throw overLimits(`it returns more than ${formatLimit(fileLimits.csvRows)} rows`);
    const numbered = rows.map((row, index) => {
      assertWithinLimit(row, (limit) => overLimits(`row ${first + index} has more than ${limit} characters`));
      return { number: first + index, cells: withoutLastBlanks(indexes.map((column) => row[column] ?? '')) };
    });
    yield { ...header, rows: numbered.filter(({ cells }) => cells.some(isFilled)) };
  }
}

/** The columns of a query, which is checked by the database but not executed. @throws as readQuery */
export async function readQueryColumns(query: NamedQuery, options: QueryOptions): Promise<readonly string[]> {
  for await (const { headers } of readQuery(query, options)) return headers;
  return [];
}

function readPages(source: NamedQuery, { signal, statementTimeoutMs }: QueryOptions): AsyncGenerator<QueryPage> {
  const { database, query, setting } = source;
  const problem = findStatementProblem(query);
  if (problem !== null) throw new SqlError('refused', `${setting}.query ${problem}. Write one SELECT statement`);
  const settings = { query, setting, signal, statementTimeoutMs: statementTimeoutMs ?? defaultStatementTimeoutMs };
  return 'sqlite' in database
    ? readSqlite({ ...settings, path: database.sqlite })
    : readPostgres({ ...settings, databaseUrl: database.postgres.reveal() });
}

function assertWithinLimit(row: QueryPage['rows'][number], toError: (limit: string) => Error): void {
  const characters = row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
  if (characters > fileLimits.rowCharacters) throw toError(formatLimit(fileLimits.rowCharacters));
}

function isFilled(cell: SourceCell): boolean {
  return typeof cell !== 'string' || cell.trim() !== '';
}
