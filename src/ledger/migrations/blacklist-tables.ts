import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Existing blacklists that exclusions attach, assignments to prospect searches, and rows that were left out of orders. */
export async function createBlacklistTables<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('attachedBlacklists')
    .addColumn('exclusion', key, (column) => column.primaryKey())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('blacklistId', key, (column) => column.notNull())
    .execute();
  await schema
    .createTable('searchAssignments')
    .addColumn('prospectSearchId', key, (column) => column.notNull())
    .addColumn('blacklistId', key, (column) => column.notNull())
    .addPrimaryKeyConstraint('searchAssignmentsKey', ['prospectSearchId', 'blacklistId'])
    .execute();
  await schema
    .createTable('excludedRows')
    .addColumn('draftId', key, (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('sourceRow', 'integer')
    .addColumn('json', 'text', (column) => column.notNull())
    .addColumn('exclusion', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('entryId', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('excludedRowsKey', ['draftId', 'number'])
    .execute();
  await schema.alterTable('orderBlacklists').addColumn('matchedDigest', 'text').execute();
}
