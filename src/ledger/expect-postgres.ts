import { Kysely } from 'kysely';
import { createCondition } from './condition.ts';
import { createPostgresDialect } from './postgres.ts';
import type { Tables } from './tables.ts';

/**
 * Returns when the PostgreSQL at that address lets us in; changes nothing there.
 * @throws {LedgerError}
 */
export async function expectPostgres(location: { databaseUrl: string }): Promise<void> {
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(location) });
  try {
    await createCondition(db, 'postgres').ask();
  } finally {
    await db.destroy();
  }
}
