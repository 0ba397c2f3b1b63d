import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

import type { DatabaseKind } from '../tables.ts';

/** What differs between the databases: how keys are compared, and how tables of short rows are kept. */
type Differences = {
  key: ReturnType<typeof sql>;
  compact: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
};

/** Positions are bigint so that a range may end at any whole number. */
export async function createFirstTables<T>(db: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const differences: Differences =
    kind === 'postgres'
      ? { key: sql`text collate "C"`, compact: (table) => table } // bytes, as in SQLite; a locale's order is slow
      : { key: sql`text`, compact: (table) => table.modifyEnd(sql`without rowid`) }; // the key is the table: half the size
  await createRunTables(db, differences);
  await createOrderTables(db, differences);
  await createOutcomeTables(db, differences);
  await createProofTables(db, differences);
  await createExclusionTables(db, differences);
}

async function createRunTables<T>({ schema }: Kysely<T>, { key }: Differences): Promise<void> {
  await schema
    .createTable('profiles')
    .addColumn('contentHash', key, (column) => column.primaryKey().notNull())
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('creationId', 'text', (column) => column.notNull())
    .addColumn('profileId', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('blacklists')
    .addColumn('name', key, (column) => column.primaryKey().notNull())
    .addColumn('blacklistId', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('drafts')
    .addColumn('draftId', key, (column) => column.primaryKey().notNull())
    .addColumn('rowCount', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createTable('draftRows')
    .addColumn('draftId', key, (column) => column.notNull().references('drafts.draftId'))
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('draftRowsKey', ['draftId', 'position'])
    .execute();
}

async function createOrderTables<T>({ schema }: Kysely<T>, { key, compact }: Differences): Promise<void> {
  await schema
    .createTable('orders')
    .addColumn('orderId', key, (column) => column.primaryKey().notNull())
    .addColumn('runName', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('profileId', 'text')
    .addColumn('requestedCount', 'integer', (column) => column.notNull())
    .addColumn('externalIdsAreRecordIds', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer')
    .addColumn('summaryJson', 'text')
    .execute();
  await schema
    .createTable('slots')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('status', key, (column) => column.notNull())
    .addColumn('reasonCodesJson', 'text', (column) => column.notNull())
    .addColumn('externalId', 'text')
    .addColumn('json', 'text', (column) => column.notNull()) // last: SQLite reads a row only up to the column it needs
    .addPrimaryKeyConstraint('slotsKey', ['orderId', 'position'])
    .execute();
  await schema.createIndex('slotsByStatus').on('slots').columns(['orderId', 'status']).execute();
  await compact(schema.createTable('slotReasons'))
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('code', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('slotReasonsKey', ['orderId', 'code', 'position'])
    .execute();
}

async function createOutcomeTables<T>({ schema }: Kysely<T>, { key, compact }: Differences): Promise<void> {
  await compact(schema.createTable('outcomes'))
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('sink', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('item', key, (column) => column.notNull())
    .addColumn('projectionId', 'text', (column) => column.notNull())
    .addColumn('planned', 'text')
    .addColumn('outcome', 'text')
    .addColumn('rule', 'text')
    .addColumn('recordId', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('outcomesKey', ['orderId', 'sink', 'position', 'item'])
    .execute();
  await schema
    .createIndex('outcomesOpen')
    .on('outcomes')
    .columns(['orderId', 'sink'])
    .where(sql.ref('outcome'), 'is', null)
    .execute();
  await compact(schema.createTable('records'))
    .addColumn('object', key, (column) => column.notNull())
    .addColumn('key', key, (column) => column.notNull())
    .addColumn('recordId', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recordsKey', ['object', 'key'])
    .execute();
}

async function createProofTables<T>({ schema }: Kysely<T>, { key }: Differences): Promise<void> {
  await schema
    .createTable('files')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('kind', key, (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('rows', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('writtenAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('filesKey', ['orderId', 'kind'])
    .execute();
  await schema
    .createTable('certificates')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('at', key, (column) => column.notNull())
    .addColumn('reconciled', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('findingsJson', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('certificatesKey', ['orderId', 'at'])
    .execute();
}

async function createExclusionTables<T>({ schema }: Kysely<T>, { key, compact }: Differences): Promise<void> {
  await compact(schema.createTable('exclusionsWanted'))
    .addColumn('syncId', key, (column) => column.notNull())
    .addColumn('hash', key, (column) => column.notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('exclusionsWantedKey', ['syncId', 'hash'])
    .execute();
  await compact(schema.createTable('exclusionsPresent'))
    .addColumn('syncId', key, (column) => column.notNull())
    .addColumn('entryId', key, (column) => column.notNull())
    .addColumn('hash', key, (column) => column.notNull())
    .addPrimaryKeyConstraint('exclusionsPresentKey', ['syncId', 'entryId'])
    .execute();
  await schema
    .createIndex('exclusionsPresentByHash')
    .on('exclusionsPresent')
    .columns(['syncId', 'hash', 'entryId'])
    .execute();
}
