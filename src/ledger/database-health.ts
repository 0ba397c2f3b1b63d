import { sql } from 'kysely';
import type { DatabaseKind } from './migrations/database-kind.ts';
import type { Database } from './tables.ts';

export function createDatabaseHealth(db: Database, kind: DatabaseKind) {
  return {
    /** Resolves when the database answers. @throws {LedgerError} */
    async ask(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    /** Size of PostgreSQL's database or of SQLite's file. */
    async bytes(): Promise<number> {
      const size =
        kind === 'postgres'
          ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
          : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
      const { rows } = await size.execute(db);
      return rows[0]?.bytes ?? 0;
    },
  };
}
