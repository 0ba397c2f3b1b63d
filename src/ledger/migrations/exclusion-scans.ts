import { type Kysely, sql } from 'kysely';

import type { DatabaseKind } from './database-kind.ts';

/** What scans found, which removals wait for a person, blacklists as they stood when an order was placed, and leaks. */
export async function createExclusionScans<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  for (const table of ['exclusionsWanted', 'exclusionsPresent'] as const) {
    // One company, whatever its entry says besides: what tells a replaced entry from one that lets a company through.
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
