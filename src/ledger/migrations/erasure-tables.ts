import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { createKeyring } from '../keyring.ts';
import type { DatabaseKind } from '../tables.ts';

/** Rows of one statement. */
const rowsAtOnce = 500;

/** Tombstones of forgotten people and companies, what was erased, and the secret under which contact keys are stored. */
export async function createErasureTables<T>(db: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  const { schema } = db;
  await schema
    .createTable('ledgerSettings')
    .addColumn('name', key, (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('tombstones')
    .addColumn('digest', key, (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('erasedOrders')
    .addColumn('orderId', key, (column) => column.primaryKey().notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('erasedFiles')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('file', key, (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('erasedFilesKey', ['orderId', 'file'])
    .execute();
  await schema
    .createTable('retentionMarks')
    .addColumn('place', key, (column) => column.notNull())
    .addColumn('key', key, (column) => column.notNull())
    .addColumn('seenAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('retentionMarksKey', ['place', 'key'])
    .execute();
  const secret = randomBytes(32).toString('base64url');
  await sql`insert into ledger_settings (name, value) values ('secret', ${secret}), ('forgotten', '0')`.execute(db);
  await keyContacts(db, secret);
}

/** Earlier releases stored the contact key as it is in HubSpot: a digest that anyone can compute from an address. */
async function keyContacts<T>(db: Kysely<T>, secret: string): Promise<void> {
  const { contactKey } = createKeyring(secret);
  const columns = [
    {
      table: 'outcomes',
      column: 'match_key',
      filter: sql`item like 'contact:%' and match_key is not null`,
      prefix: '',
    },
    { table: 'records', column: 'key', filter: sql`object = 'contacts'`, prefix: '' },
    {
      table: 'written_values',
      column: 'record_id',
      filter: sql`object = 'contacts' and record_id like 'key %'`,
      prefix: 'key ',
    },
  ];
  for (const { table, column, filter, prefix } of columns) {
    const [from, name] = [sql.table(table), sql.ref(column)];
    const pending = sql<{ value: string }>`
      select distinct ${name} as value from ${from}
      where ${filter} and ${name} not like ${`${prefix}hmac:%`} limit ${sql.lit(rowsAtOnce)}`;
    for (;;) {
      const { rows } = await pending.execute(db);
      for (const { value } of rows) {
        const keyed = `${prefix}${contactKey(value.slice(prefix.length))}`;
        await sql`update ${from} set ${name} = ${keyed} where ${filter} and ${name} = ${value}`.execute(db);
      }
      if (rows.length < rowsAtOnce) break;
    }
  }
}
