import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Differences, primary, required } from './columns.ts';

/** The secret for digests of contact keys, tombstones of forgotten people and companies, and erased orders and files. */
export async function createErasureTables(db: Kysely<unknown>, { key }: Differences): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('ledgerSettings')
    .addColumn('name', key, primary)
    .addColumn('value', 'text', required)
    .execute();
  await schema
    .createTable('tombstones')
    .addColumn('digest', key, primary)
    .addColumn('kind', 'text', required)
    .addColumn('at', 'text', required)
    .execute();
  await schema
    .createTable('erasedOrders')
    .addColumn('orderId', key, primary)
    .addColumn('scope', 'text', required)
    .addColumn('at', 'text', required)
    .execute();
  await schema
    .createTable('erasedFiles')
    .addColumn('orderId', key, required)
    .addColumn('file', key, required)
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('erasedFilesKey', ['orderId', 'file'])
    .execute();
  await schema
    .createTable('retentionMarks')
    .addColumn('place', key, required)
    .addColumn('key', key, required)
    .addColumn('seenAt', 'text', required)
    .addPrimaryKeyConstraint('retentionMarksKey', ['place', 'key'])
    .execute();
  const secret = randomBytes(32).toString('base64url');
  await sql`insert into ledger_settings (name, value) values ('secret', ${secret}), ('forgotten', '0')`.execute(db);
}
