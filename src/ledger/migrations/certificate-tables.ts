import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Signed certificates with the key that signs them, and digests of both readings of each slot. */
export async function createCertificateTables<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema.alterTable('certificates').addColumn('documentJson', 'text').execute();
  await schema.alterTable('certificates').addColumn('path', 'text').execute();
  const digests = schema
    .createTable('slotDigests')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('digest', 'text')
    .addColumn('rereadDigest', 'text')
    .addPrimaryKeyConstraint('slotDigestsKey', ['orderId', 'position']);
  await (kind === 'postgres' ? digests : digests.modifyEnd(sql`without rowid`)).execute();
  await schema
    .createTable('signingKeys')
    .addColumn('purpose', key, (column) => column.primaryKey().notNull())
    .addColumn('privateKey', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute();
}
