/** Reads the result of a query page by page, as the rows of a file are read. Nothing is written to the database. */
import { fileLimits, formatLimit } from '../../../base/spreadsheet/file-limits.ts';
import {
  allColumns,
  readHeader,
  withoutLastBlanks,
  type SelectColumns,
  type SourceCell,
  type SourceRows,
} from '../../../base/spreadsheet/table.ts';
import { queryOverLimit, type QueryPage } from './query-page.ts';
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
  const overLimits = (problem: string) => queryOverLimit(query.setting, problem);
  let count = 0;
  let kept: Awaited<ReturnType<typeof readHeader>> | null = null;
  for await (const { columns, rows } of readPages(query, options)) {
    kept ??= await readHeader({ texts: columns, number: 0 }, select, overLimits);
    const { header, indexes } = kept;
    const first = count + 1;
    count += rows.length;
    if (count > fileLimits.csvRows) throw overLimits(`it returns more than ${formatLimit(fileLimits.csvRows)} rows`);
    const numbered = rows.map((row, index) => {
      const cells = indexes.map((column) => row[column] ?? '');
      return { number: first + index, cells: withoutLastBlanks(cells) };
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

function isFilled(cell: SourceCell): boolean {
  return typeof cell !== 'string' || cell.trim() !== '';
}
