import type { SchemaModule } from 'kysely';
import { type Differences, primary, required } from './columns.ts';

/** Blacklists of the service, the prospect searches that they are assigned to, scans for their entries, and removals that await approval. */
export async function createBlacklistTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('blacklists')
    .addColumn('name', key, primary)
    .addColumn('blacklistId', 'text', required)
    .execute();
  await schema
    .createTable('attachedBlacklists')
    .addColumn('exclusion', key, primary)
    .addColumn('reference', 'text', required)
    .addColumn('blacklistId', key, required)
    .execute();
  await schema
    .createTable('searchAssignments')
    .addColumn('prospectSearchId', key, required)
    .addColumn('blacklistId', key, required)
    .addPrimaryKeyConstraint('searchAssignmentsKey', ['prospectSearchId', 'blacklistId'])
    .execute();
  await schema
    .createTable('exclusionScans')
    .addColumn('name', key, primary)
    .addColumn('blacklistId', 'text', required)
    .addColumn('settingsDigest', 'text', required)
    .addColumn('lastFullAt', 'text', required)
    .addColumn('lastScanAt', 'text', required)
    .addColumn('countsJson', 'text', required)
    .execute();
  await schema
    .createTable('exclusionRemovals')
    .addColumn('digest', key, primary)
    .addColumn('exclusion', key, required)
    .addColumn('blacklistId', 'text', required)
    .addColumn('entries', 'integer', required)
    .addColumn('foundAt', 'text', required)
    .addColumn('approvedAt', 'text')
    .addColumn('removedAt', 'text')
    .execute();
}

/** One sync of a blacklist: the companies that a scan found, the entries that the blacklist should have, and those that it has. */
export async function createStagingTables(schema: SchemaModule, { key, compact }: Differences): Promise<void> {
  await schema
    .createTable('exclusionsFound')
    .addColumn('syncId', key, required)
    .addColumn('recordId', key, required)
    .addColumn('source', key, required)
    .addColumn('json', 'text')
    .addPrimaryKeyConstraint('exclusionsFoundKey', ['syncId', 'recordId', 'source'])
    .execute();
  await compact(schema.createTable('exclusionsWanted'))
    .addColumn('syncId', key, required)
    .addColumn('hash', key, required)
    .addColumn('matchKey', key, required)
    .addColumn('externalId', key, required)
    .addColumn('strength', 'integer', required)
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('exclusionsWantedKey', ['syncId', 'hash'])
    .execute();
  await schema
    .createIndex('exclusionsWantedByExternalId')
    .on('exclusionsWanted')
    .columns(['syncId', 'externalId'])
    .execute();
  await schema
    .createIndex('exclusionsWantedByMatchKey')
    .on('exclusionsWanted')
    .columns(['syncId', 'matchKey'])
    .execute();
  await compact(schema.createTable('exclusionsExisting'))
    .addColumn('syncId', key, required)
    .addColumn('entryId', key, required)
    .addColumn('hash', key, required)
    .addColumn('matchKey', key, required)
    .addColumn('externalId', key, required)
    .addColumn('strength', 'integer', required)
    .addPrimaryKeyConstraint('exclusionsExistingKey', ['syncId', 'entryId'])
    .execute();
  await schema
    .createIndex('exclusionsExistingByHash')
    .on('exclusionsExisting')
    .columns(['syncId', 'hash', 'entryId'])
    .execute();
}

/** Blacklists as they were when an order was placed, and delivered companies that they exclude. */
export async function createLeakTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('frozenBlacklists')
    .addColumn('digest', key, primary)
    .addColumn('entries', 'integer', required)
    .addColumn('frozenAt', 'text', required)
    .execute();
  await schema
    .createTable('frozenMembers')
    .addColumn('digest', key, required)
    .addColumn('part', 'integer', required)
    .addColumn('entryIds', 'text', required)
    .addPrimaryKeyConstraint('frozenMembersKey', ['digest', 'part'])
    .execute();
  await schema
    .createTable('frozenEntries')
    .addColumn('entryId', key, primary)
    .addColumn('blacklistId', key, required)
    .addColumn('lastSeenAt', 'text', required)
    .addColumn('json', 'text', required)
    .execute();
  await schema
    .createIndex('frozenEntriesByBlacklist')
    .on('frozenEntries')
    .columns(['blacklistId', 'entryId'])
    .execute();
  await schema
    .createTable('orderBlacklists')
    .addColumn('orderId', key, required)
    .addColumn('blacklistId', key, required)
    .addColumn('digest', 'text', required)
    .addColumn('matchedDigest', 'text')
    .addColumn('orderedAt', 'text', required)
    .addPrimaryKeyConstraint('orderBlacklistsKey', ['orderId', 'blacklistId'])
    .execute();
  await schema
    .createTable('leaks')
    .addColumn('orderId', key, required)
    .addColumn('position', 'bigint', required)
    .addColumn('verdict', 'text', required)
    .addColumn('tier', 'text', required)
    .addColumn('entryId', 'text', required)
    .addPrimaryKeyConstraint('leaksKey', ['orderId', 'position'])
    .execute();
}
