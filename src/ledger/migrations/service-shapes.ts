import { type Kysely, sql } from 'kysely';

import type { DatabaseKind } from './database-kind.ts';

/** What was learnt of a service's answers, orders whose placing is not confirmed, and what an order asked for. */
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
