import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { LedgerError } from './ledger-error.ts';
import type { DatabaseKind } from './tables.ts';
import { differencesOf } from './migrations/columns.ts';
import { createOutcomeTables, createRecordTables } from './migrations/crm-tables.ts';
import { createErasureTables } from './migrations/erasure-tables.ts';
import { createConsoleTables } from './migrations/console-tables.ts';
import { createBlacklistTables, createLeakTables, createStagingTables } from './migrations/exclusion-tables.ts';
import { createInboxTables } from './migrations/inbox-tables.ts';
import { createOrderTables, createRunTables, createShapeTables } from './migrations/order-tables.ts';
import { createSlotTables } from './migrations/slot-tables.ts';

/** Migrations in the order of their names. Released migrations never change. */
function migrationsFor(kind: DatabaseKind): Record<string, Migration> {
  return { '001-initial-schema': { up: (db: Kysely<unknown>) => createInitialSchema(db, kind) } };
}

/** Migrates the tables. Processes that start at the same time wait for each other. */
export async function migrate<T>(db: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrationsFor(kind)) },
    migrationTableName: 'ledger_migrations',
    migrationLockTableName: 'ledger_migration_lock',
    // Otherwise Kysely would find the migrations of a ledger in another schema.
    ...(kind === 'postgres' ? { migrationTableSchema: await currentSchema(db) } : {}),
  });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
    throw new LedgerError('newer', 'the ledger was created by a newer version of prospect-sync. Use that version');
  }
  if (error !== undefined) throw error;
}

async function currentSchema<T>(db: Kysely<T>): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  const name = rows[0]?.name;
  if (typeof name === 'string') return name;
  throw new LedgerError(
    'refused',
    'PostgreSQL has no schema of the search path. Create the schema, or correct the search_path in the address',
  );
}

/** All tables of release 1.0. Positions are bigint so that a range may end at any whole number. */
async function createInitialSchema(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const differences = differencesOf(kind);
  for (const create of [
    createRunTables,
    createOrderTables,
    createShapeTables,
    createSlotTables,
    createOutcomeTables,
    createRecordTables,
    createBlacklistTables,
    createStagingTables,
    createLeakTables,
    createConsoleTables,
    createInboxTables,
  ])
    await create(db.schema, differences);
  await createErasureTables(db, differences);
}
