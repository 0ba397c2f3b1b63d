/** `companies.sql` of an enrichment run: a query whose rows are the companies. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { findStatementProblem } from './statement-text.ts';
import { checkVariable, fromEnvironment, toSecret, type Secret } from './environment.ts';
import { databaseVariable } from './ledger-settings.ts';
import { childOf } from './partial-validation.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { filePath } from './setting-values.ts';

const databases = ['sqlite', 'postgres'];
const query = z.string().min(1).max(20_000);

export const sqlSchema = z.strictObject({
  sqlite: filePath.optional().describe('Path of a SQLite file, which is opened for reading only'),
  postgres: fromEnvironment
    .optional()
    .describe('Address of a PostgreSQL database, as {env: NAME}; it is read in a transaction that cannot write'),
  query: query.describe(
    'One SELECT statement, whose columns have the names of the columns of a CSV file. Add ORDER BY, so that the numbers of rows stay the same',
  ),
});

export interface SqlQuerySettings {
  readonly database: { readonly sqlite: string } | { readonly postgres: Secret };
  readonly query: string;
}

export function checkSql(path: readonly PropertyKey[], sql: unknown, env: Environment): PathProblem[] {
  if (typeof sql !== 'object' || sql === null) return [];
  const given = databases.filter((key) => childOf(sql, key) !== undefined);
  const text = query.safeParse(childOf(sql, 'query'));
  const problem = text.success ? findStatementProblem(text.data) : null;
  return [
    ...(given.length === 1 ? [] : [problemAt(path, 'needs exactly one database', 'Write sqlite or postgres', 'key')]),
    ...checkVariable([...path, 'postgres', 'env'], childOf(sql, 'postgres'), databaseVariable, env),
    ...(problem === null ? [] : [problemAt([...path, 'query'], problem, 'Write one SELECT statement')]),
  ];
}

/** @throws RangeError for what `checkSql` reports */
export function toSqlQuery(
  { sqlite, postgres, query }: z.infer<typeof sqlSchema>,
  { env, toPath }: { readonly env: Environment; readonly toPath: (path: string) => string },
): SqlQuerySettings {
  if (sqlite !== undefined) return { database: { sqlite: toPath(sqlite) }, query };
  if (postgres === undefined) throw new RangeError('a checked source has a database');
  return { database: { postgres: toSecret(postgres, env) }, query };
}

export const sqlTemplate = `      # sql:                              # rows of a query, with the same columns
      #   sqlite: crm.db                  # opened for reading only; or
      #   # postgres: {env: CRM_DATABASE_URL}
      #   query: SELECT name AS company_name, domain AS website_url FROM accounts ORDER BY id
`;
