import type { Kysely } from 'kysely';
import type { DatabaseKind } from '../tables.ts';
import { differencesOf } from './columns.ts';
import { createOutcomeTables, createRecordTables } from './crm-tables.ts';
import { createErasureTables } from './erasure-tables.ts';
import { createBlacklistTables, createLeakTables, createStagingTables } from './exclusion-tables.ts';
import { createInboxTables } from './inbox-tables.ts';
import { createOrderTables, createRunTables, createShapeTables } from './order-tables.ts';
import { createSlotTables } from './slot-tables.ts';

/** All tables of release 1.0. Positions are bigint so that a range may end at any whole number. */
export async function createInitialSchema(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
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
    createInboxTables,
  ])
    await create(db.schema, differences);
  await createErasureTables(db, differences);
}
