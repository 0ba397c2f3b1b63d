import { Kysely, sql } from 'kysely';
import { createPostgresDialect, describeAddress } from './postgres.ts';
import type { Tables } from './tables.ts';

interface Names {
  readonly database: string;
  /** null: the search path names no schema that exists. */
  readonly schema: string | null;
}

/**
 * Connects without changing anything.
 * @returns host, database and schema, to be shown
 * @throws {LedgerError}
 */
export async function describePostgres(location: { databaseUrl: string }): Promise<string> {
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(location) });
  try {
    const names = sql<Names>`select current_database() as database, current_schema() as schema`;
    const { rows } = await names.execute(db);
    const { database = null, schema = null } = rows[0] ?? {};
    return `PostgreSQL at ${describeAddress(location.databaseUrl)}, database ${database ?? 'unknown'}, schema ${schema ?? 'none'}`;
  } finally {
    await db.destroy();
  }
}
