import { Kysely, sql } from 'kysely';
import { createPostgresDialect, describePlace } from './postgres.ts';
import type { Tables } from './tables.ts';

interface Names {
  readonly database: string;
  /** null: the search path names no schema that exists. */
  readonly schema: string | null;
}

/**
 * Returns when the PostgreSQL at that address lets us in; changes nothing there.
 * @returns host, database and schema, for a person
 * @throws {LedgerError}
 */
export async function describePostgres(location: { databaseUrl: string }): Promise<string> {
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(location) });
  try {
    const names = sql<Names>`select current_database() as database, current_schema() as schema`;
    const { rows } = await names.execute(db);
    const { database = null, schema = null } = rows[0] ?? {};
    return `PostgreSQL at ${describePlace(location.databaseUrl)}, database ${database ?? 'unknown'}, schema ${schema ?? 'none'}`;
  } finally {
    await db.destroy();
  }
}
