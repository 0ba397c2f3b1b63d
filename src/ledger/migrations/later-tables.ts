import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Adds to each outcome how its record was matched, and stores digests of the property values written last. */
export async function addMatchEvidence<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  for (const column of ['matchKey', 'matchedBy', 'candidatesJson', 'mappingVersion'] as const) {
    await schema
      .alterTable('outcomes')
      .addColumn(column, column === 'matchKey' ? key : 'text')
      .execute();
  }
  await createIndex(schema, 'outcomesByRecord', 'outcomes', 'recordId');
  await createIndex(schema, 'outcomesByMatchKey', 'outcomes', 'matchKey');
  await createIndex(schema, 'slotsByExternalId', 'slots', 'externalId');
  const table = schema
    .createTable('writtenValues')
    .addColumn('object', key, (column) => column.notNull())
    .addColumn('recordId', key, (column) => column.notNull())
    .addColumn('property', key, (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('previous', 'text')
    .addPrimaryKeyConstraint('writtenValuesKey', ['object', 'recordId', 'property']);
  await (kind === 'postgres' ? table : table.modifyEnd(sql`without rowid`)).execute();
}

/** A partial index: in most rows the column is null. */
async function createIndex(schema: SchemaModule, name: string, table: string, column: string): Promise<void> {
  await schema.createIndex(name).on(table).column(column).where(sql.ref(column), 'is not', null).execute();
}

/** Stores the companies that a scan found, removals that await approval, blacklists as they were when an order was placed, and leaks. */
export async function createExclusionScans<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  for (const table of ['exclusionsWanted', 'exclusionsPresent'] as const) {
    // `who` is the match key of an entry: entries of the same company have the same key.
    await schema
      .alterTable(table)
      .addColumn('who', key, (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable(table)
      .addColumn('externalId', key, (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await schema.createIndex('exclusionsWantedByWho').on('exclusionsWanted').columns(['syncId', 'who']).execute();
  await schema
    .createIndex('exclusionsWantedByExternalId')
    .on('exclusionsWanted')
    .columns(['syncId', 'externalId'])
    .execute();
  await schema
    .createTable('exclusionsFound')
    .addColumn('syncId', key, (column) => column.notNull())
    .addColumn('recordId', key, (column) => column.notNull())
    .addColumn('source', key, (column) => column.notNull())
    .addColumn('json', 'text')
    .addPrimaryKeyConstraint('exclusionsFoundKey', ['syncId', 'recordId', 'source'])
    .execute();
  await schema
    .createTable('exclusionScans')
    .addColumn('name', key, (column) => column.primaryKey().notNull())
    .addColumn('blacklistId', 'text', (column) => column.notNull())
    .addColumn('settingsDigest', 'text', (column) => column.notNull())
    .addColumn('lastFullAt', 'text', (column) => column.notNull())
    .addColumn('lastScanAt', 'text', (column) => column.notNull())
    .addColumn('countsJson', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('exclusionRemovals')
    .addColumn('digest', key, (column) => column.primaryKey().notNull())
    .addColumn('exclusion', key, (column) => column.notNull())
    .addColumn('blacklistId', 'text', (column) => column.notNull())
    .addColumn('entries', 'integer', (column) => column.notNull())
    .addColumn('foundAt', 'text', (column) => column.notNull())
    .addColumn('approvedAt', 'text')
    .addColumn('removedAt', 'text')
    .execute();
  await createLeakTables(schema, key);
}

async function createLeakTables(schema: Kysely<unknown>['schema'], key: ReturnType<typeof sql>): Promise<void> {
  await schema
    .createTable('frozenBlacklists')
    .addColumn('digest', key, (column) => column.primaryKey().notNull())
    .addColumn('entries', 'integer', (column) => column.notNull())
    .addColumn('frozenAt', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('frozenMembers')
    .addColumn('digest', key, (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('entryIds', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('frozenMembersKey', ['digest', 'part'])
    .execute();
  await schema
    .createTable('frozenEntries')
    .addColumn('entryId', key, (column) => column.primaryKey().notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('orderBlacklists')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('blacklistId', key, (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('orderedAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('orderBlacklistsKey', ['orderId', 'blacklistId'])
    .execute();
  await schema
    .createTable('leaks')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('entryId', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('leaksKey', ['orderId', 'position'])
    .execute();
}

/** Stores the service's outputs of an order, and the files that were downloaded. */
export async function createOutputReceipts<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('outputs')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('destination', key, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('outputId', 'text')
    .addColumn('exportJobId', 'text')
    .addColumn('status', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('resultCount', 'integer')
    .addColumn('resultSha256', 'text')
    .addColumn('location', 'text')
    .addColumn('path', 'text')
    .addColumn('rows', 'integer')
    .addColumn('bytes', 'bigint')
    .addColumn('sha256', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('outputsKey', ['orderId', 'destination'])
    .execute();
}

/** Adds when an order was first stored; null for orders of earlier releases. */
export async function addOrderAge<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('orders').addColumn('firstSeenAt', 'text').execute();
}

/** Stores the detected response shapes, requested orders that are not confirmed yet, and the features of an order. */
export async function createServiceShapes<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('shapes')
    .addColumn('scope', key, (column) => column.notNull())
    .addColumn('operation', key, (column) => column.notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .addColumn('learntAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('shapesKey', ['scope', 'operation'])
    .execute();
  await schema
    .createTable('orderRequests')
    .addColumn('idempotencyKey', key, (column) => column.primaryKey())
    .addColumn('runName', key, (column) => column.notNull())
    .addColumn('runKey', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('profileId', 'text', (column) => column.notNull())
    .addColumn('bodyJson', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('orderId', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await schema.alterTable('orders').addColumn('featuresJson', 'text').execute();
}

/** Adds the source of the ordered companies with all cells of their rows, and how many companies an order must deliver. */
export async function addOrderSources<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('drafts').addColumn('sourceJson', 'text').execute();
  await schema.alterTable('draftRows').addColumn('sourceRow', 'integer').execute();
  await schema.alterTable('draftRows').addColumn('ownJson', 'text').execute();
  await schema.alterTable('orders').addColumn('delivered', 'integer').execute();
  await schema.alterTable('orders').addColumn('minDeliveredPercent', 'real').execute();
}

/** Adds the digests by which a spreadsheet is compared with the ledger; null for files of earlier releases. */
export async function addFileContent<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('files').addColumn('contentJson', 'text').execute();
}

/** What was ordered and is to be delivered, independently of the service's answers; and slots that a changed version has replaced. */
export async function addOrderEvidence<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema.alterTable('orderRequests').addColumn('kind', 'text').execute();
  await schema.alterTable('orderRequests').addColumn('quantity', 'integer').execute();
  await schema.createIndex('orderRequestsByOrder').on('orderRequests').column('orderId').execute();
  await schema.alterTable('orders').addColumn('maxWithoutPeoplePercent', 'real').execute();
  await schema.alterTable('orders').addColumn('deliveryJson', 'text').execute();
  await schema
    .createTable('replacedSlots')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .addColumn('replacedAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('replacedSlotsKey', ['orderId', 'position', 'hash'])
    .execute();
}

/** Adds what names an order that another ledger placed: its title in the service, and the run with whose settings it was delivered. */
export async function addOrderNames<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('orders').addColumn('title', 'text').execute();
  await schema.alterTable('orders').addColumn('deliveringRun', 'text').execute();
}
