import { type SchemaModule, sql } from 'kysely';
import { type Differences, oneOf, required } from './columns.ts';
import { companyPlaces } from '../exclusion-rows.ts';

/** Collected slots, their reasons and digests, the index of their companies, and the texts of the websites of their companies. */
export async function createSlotTables(schema: SchemaModule, { key, compact }: Differences): Promise<void> {
  await schema
    .createTable('slots')
    .addColumn('orderId', key, required)
    .addColumn('position', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addColumn('status', key, required)
    .addColumn('reasonCodesJson', 'text', required)
    .addColumn('externalId', 'text')
    .addColumn('json', 'text', required) // last: SQLite reads a row only up to the column it needs
    .addPrimaryKeyConstraint('slotsKey', ['orderId', 'position'])
    .execute();
  await schema
    .createIndex('slotsByExternalId')
    .on('slots')
    .column('externalId')
    .where(sql.ref('externalId'), 'is not', null)
    .execute();
  await schema.createIndex('slotsByStatus').on('slots').columns(['orderId', 'status']).execute();
  await compact(schema.createTable('slotReasons'))
    .addColumn('orderId', key, required)
    .addColumn('code', key, required)
    .addColumn('position', 'bigint', required)
    .addPrimaryKeyConstraint('slotReasonsKey', ['orderId', 'code', 'position'])
    .execute();
  await schema
    .createTable('replacedSlots')
    .addColumn('orderId', key, required)
    .addColumn('position', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addColumn('json', 'text', required)
    .addColumn('replacedAt', 'text', required)
    .addPrimaryKeyConstraint('replacedSlotsKey', ['orderId', 'position', 'hash'])
    .execute();
  await compact(schema.createTable('slotDigests'))
    .addColumn('orderId', key, required)
    .addColumn('position', 'bigint', required)
    .addColumn('digest', 'text')
    .addColumn('rereadDigest', 'text')
    .addPrimaryKeyConstraint('slotDigestsKey', ['orderId', 'position'])
    .execute();
  await compact(schema.createTable('companyIndex'))
    .addColumn('place', key, (column) => oneOf('place', companyPlaces)(required(column)))
    .addColumn('ref', key, required)
    .addColumn('position', 'bigint', required)
    .addColumn('domain', key)
    .addColumn('name', key)
    .addPrimaryKeyConstraint('companyIndexKey', ['place', 'ref', 'position'])
    .execute();
  for (const column of ['domain', 'name'] as const)
    await schema
      .createIndex(column === 'domain' ? 'companyIndexByDomain' : 'companyIndexByName')
      .on('companyIndex')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute();
  await schema
    .createTable('websites')
    .addColumn('orderId', key, required)
    .addColumn('position', 'integer', required)
    .addColumn('markdownSha256', 'text')
    .addColumn('observedAt', 'text')
    .addColumn('urlsJson', 'text', required)
    .addColumn('fingerprint', 'text')
    .addColumn('fetchedAt', 'text', required)
    .addColumn('erasedAt', 'text')
    .addColumn('path', 'text')
    .addColumn('sha256', 'text')
    .addColumn('failures', 'integer', required)
    .addColumn('markdown', 'text') // last: SQLite reads a row only up to the column it needs
    .addPrimaryKeyConstraint('websitesKey', ['orderId', 'position'])
    .execute();
}
