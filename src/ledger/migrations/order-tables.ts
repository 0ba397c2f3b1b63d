import type { SchemaModule } from 'kysely';
import { outputOrigins, outputStates } from '../tables.ts';
import { type Differences, oneOf, primary, required } from './columns.ts';

/** Profiles, schedules, the rows of orders, and the requests that place orders. */
export async function createRunTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('profiles')
    .addColumn('contentHash', key, primary)
    .addColumn('searchHash', key, required)
    .addColumn('generation', 'integer', required)
    .addColumn('creationId', 'text', required)
    .addColumn('profileId', 'text')
    .addColumn('status', 'text', required)
    .execute();
  await schema
    .createTable('appliedSchedules')
    .addColumn('namespace', key, required)
    .addColumn('queue', key, required)
    .addColumn('runName', key, required)
    .addColumn('pauseNote', 'text')
    .addPrimaryKeyConstraint('appliedSchedulesKey', ['namespace', 'queue', 'runName'])
    .execute();
  await schema
    .createTable('drafts')
    .addColumn('draftId', key, primary)
    .addColumn('rowCount', 'integer', required)
    .addColumn('sourceJson', 'text', required)
    .execute();
  await schema
    .createTable('draftRows')
    .addColumn('draftId', key, (column) => required(column).references('drafts.draftId'))
    .addColumn('position', 'bigint', required)
    .addColumn('sourceRow', 'integer')
    .addColumn('json', 'text', required)
    .addColumn('ownJson', 'text')
    .addPrimaryKeyConstraint('draftRowsKey', ['draftId', 'position'])
    .execute();
  await schema
    .createTable('excludedRows')
    .addColumn('draftId', key, required)
    .addColumn('number', 'integer', required)
    .addColumn('sourceRow', 'integer')
    .addColumn('json', 'text', required)
    .addColumn('exclusion', 'text', required)
    .addColumn('tier', 'text', required)
    .addColumn('entryId', 'text', required)
    .addColumn('reason', 'text')
    .addPrimaryKeyConstraint('excludedRowsKey', ['draftId', 'number'])
    .execute();
  await schema
    .createTable('rejectedRows')
    .addColumn('draftId', key, required)
    .addColumn('number', 'integer', required)
    .addColumn('sourceRow', 'integer', required)
    .addColumn('reasons', 'text', required)
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('rejectedRowsKey', ['draftId', 'number'])
    .execute();
  await schema
    .createTable('rejectFiles')
    .addColumn('draftId', key, primary)
    .addColumn('path', 'text', required)
    .addColumn('rows', 'integer', required)
    .addColumn('sha256', 'text', required)
    .addColumn('contentSha256', 'text', required)
    .addColumn('writtenAt', 'text', required)
    .execute();
  await schema
    .createTable('orderRequests')
    .addColumn('idempotencyKey', key, primary)
    .addColumn('runName', key, required)
    .addColumn('runKey', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('profileId', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('quantity', 'integer', required)
    .addColumn('bodyJson', 'text')
    .addColumn('state', 'text', (column) => required(oneOf('state', ['open', 'placed', 'refused'])(column)))
    .addColumn('orderId', 'text')
    .addColumn('at', 'text', required)
    .execute();
  await schema.createIndex('orderRequestsByOrder').on('orderRequests').column('orderId').execute();
}

/** Orders, their files, and the certificates of their reconciliations with the key that signs them. */
export async function createOrderTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('orders')
    .addColumn('orderId', key, primary)
    .addColumn('runName', 'text')
    .addColumn('deliveringRun', 'text')
    .addColumn('kind', 'text', required)
    .addColumn('title', 'text')
    .addColumn('status', 'text', required)
    .addColumn('profileId', 'text')
    .addColumn('requestedCount', 'integer', required)
    .addColumn('featuresJson', 'text')
    .addColumn('externalIdsAreRecordIds', 'integer', required)
    .addColumn('minDeliveredPercent', 'real')
    .addColumn('maxWithoutPeoplePercent', 'real')
    .addColumn('firstSeenAt', 'text', required)
    .addColumn('publishedAt', 'text')
    .addColumn('total', 'integer')
    .addColumn('summaryJson', 'text')
    .addColumn('delivered', 'integer')
    .addColumn('deliveryJson', 'text')
    .addColumn('deliveryAt', 'text')
    .execute();
  await schema.createIndex('ordersByFirstSight').on('orders').columns(['firstSeenAt', 'orderId']).execute();
  await schema.createIndex('ordersByPublication').on('orders').column('publishedAt').execute();
  await schema
    .createTable('outputs')
    .addColumn('orderId', key, required)
    .addColumn('destination', key, required)
    .addColumn('type', 'text', required)
    .addColumn('language', 'text', required)
    .addColumn('attempt', 'integer', required)
    .addColumn('outputId', 'text')
    .addColumn('exportJobId', 'text')
    .addColumn('status', 'text')
    .addColumn('state', 'text', (column) => required(oneOf('state', outputStates)(column)))
    .addColumn('problem', 'text')
    .addColumn('problemDetail', 'text')
    .addColumn('origin', 'text', (column) => required(oneOf('origin', outputOrigins)(column)))
    .addColumn('resultCount', 'integer')
    .addColumn('resultSha256', 'text')
    .addColumn('location', 'text')
    .addColumn('path', 'text')
    .addColumn('rows', 'integer')
    .addColumn('bytes', 'bigint')
    .addColumn('sha256', 'text')
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('outputsKey', ['orderId', 'destination'])
    .execute();
  await schema
    .createTable('files')
    .addColumn('orderId', key, required)
    .addColumn('kind', key, required)
    .addColumn('path', 'text', required)
    .addColumn('rows', 'integer', required)
    .addColumn('bytes', 'bigint', required)
    .addColumn('sha256', 'text', required)
    .addColumn('contentJson', 'text')
    .addColumn('writtenAt', 'text', required)
    .addPrimaryKeyConstraint('filesKey', ['orderId', 'kind'])
    .execute();
  await schema
    .createTable('formerFiles')
    .addColumn('orderId', key, required)
    .addColumn('path', key, required)
    .addColumn('sha256', 'text', required)
    .addPrimaryKeyConstraint('formerFilesKey', ['orderId', 'path'])
    .execute();
  await schema
    .createTable('certificates')
    .addColumn('orderId', key, required)
    .addColumn('at', key, required)
    .addColumn('reconciled', 'integer', required)
    .addColumn('total', 'integer', required)
    .addColumn('findingsJson', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('documentJson', 'text', required)
    .addPrimaryKeyConstraint('certificatesKey', ['orderId', 'at'])
    .execute();
  await schema
    .createTable('signingKeys')
    .addColumn('purpose', key, primary)
    .addColumn('privateKey', 'text', required)
    .addColumn('createdAt', 'text', required)
    .execute();
}

/** Field paths in answers of the service, and observations in answers. */
export async function createShapeTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('shapes')
    .addColumn('scope', key, required)
    .addColumn('operation', key, required)
    .addColumn('json', 'text', required)
    .addColumn('learntAt', 'text', required)
    .addPrimaryKeyConstraint('shapesKey', ['scope', 'operation'])
    .execute();
  await schema
    .createTable('answerShapes')
    .addColumn('scope', key, required)
    .addColumn('operation', key, required)
    .addColumn('kind', key, required)
    .addColumn('path', key, required)
    .addColumn('detail', key, required)
    .addColumn('firstSeenAt', 'text', required)
    .addColumn('lastSeenAt', key, required)
    .addPrimaryKeyConstraint('answerShapesKey', ['scope', 'operation', 'kind', 'path', 'detail'])
    .execute();
}
