import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

import { LedgerError } from './ledger-error.ts';
import {
  createExclusionScans,
  addFileContent,
  addMatchEvidence,
  addOrderEvidence,
  addOrderNames,
  createOutputReceipts,
  addOrderAge,
  addOrderSources,
  createServiceShapes,
} from './migrations/later-tables.ts';
import { createAnswerShapes } from './migrations/answer-shapes.ts';
import { createBlacklistTables } from './migrations/blacklist-tables.ts';
import { createCertificateTables } from './migrations/certificate-tables.ts';
import { createCompanyItems, createListMembers, createWebsites } from './migrations/crm-extra-tables.ts';
import { createErasureTables } from './migrations/erasure-tables.ts';
import { createFirstTables } from './migrations/first-tables.ts';
import { addOutcomePasses } from './migrations/outcome-passes.ts';
import { createRejectedRowTables } from './migrations/rejected-rows.ts';
import { createReplyTables } from './migrations/reply-tables.ts';
import { createWrittenRecords } from './migrations/written-records.ts';
import type { DatabaseKind } from './tables.ts';

/** In the order of their names. Released migrations never change. */
function migrationsFor(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001-first-tables': { up: (db: Kysely<unknown>) => createFirstTables(db, kind) },
    '002-match-evidence': { up: (db: Kysely<unknown>) => addMatchEvidence(db, kind) },
    '003-exclusions': { up: (db: Kysely<unknown>) => createExclusionScans(db, kind) },
    '004-outputs': { up: (db: Kysely<unknown>) => createOutputReceipts(db, kind) },
    '005-order-age': { up: (db: Kysely<unknown>) => addOrderAge(db) },
    '006-service-shapes': { up: (db: Kysely<unknown>) => createServiceShapes(db, kind) },
    '007-order-sources': { up: (db: Kysely<unknown>) => addOrderSources(db) },
    '008-file-content': { up: (db: Kysely<unknown>) => addFileContent(db) },
    '009-order-evidence': { up: (db: Kysely<unknown>) => addOrderEvidence(db, kind) },
    '010-erasure': { up: (db: Kysely<unknown>) => createErasureTables(db, kind) },
    '011-certificates': { up: (db: Kysely<unknown>) => createCertificateTables(db, kind) },
    '012-written-records': { up: (db: Kysely<unknown>) => createWrittenRecords(db, kind) },
    '013-answer-shapes': { up: (db: Kysely<unknown>) => createAnswerShapes(db, kind) },
    '014-blacklists': { up: (db: Kysely<unknown>) => createBlacklistTables(db, kind) },
    '015-replies': { up: (db: Kysely<unknown>) => createReplyTables(db, kind) },
    '016-rejected-rows': { up: (db: Kysely<unknown>) => createRejectedRowTables(db, kind) },
    '017-list-members': { up: (db: Kysely<unknown>) => createListMembers(db, kind) },
    '018-company-items': { up: (db: Kysely<unknown>) => createCompanyItems(db, kind) },
    '019-websites': { up: (db: Kysely<unknown>) => createWebsites(db, kind) },
    '020-order-names': { up: (db: Kysely<unknown>) => addOrderNames(db) },
    '021-outcome-passes': { up: (db: Kysely<unknown>) => addOutcomePasses(db, kind) },
  };
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
