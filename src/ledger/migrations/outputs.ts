import { type Kysely, sql } from 'kysely';

import type { DatabaseKind } from './database-kind.ts';

/** Receipts of what the service itself made of an order's results. */
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
