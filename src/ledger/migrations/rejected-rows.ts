import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Rows that `bad_rows: reject` has left out, and the files that list them. */
export async function createRejectedRowTables<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('rejectedRows')
    .addColumn('draftId', key, (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('sourceRow', 'integer', (column) => column.notNull())
    .addColumn('reasons', 'text', (column) => column.notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('rejectedRowsKey', ['draftId', 'number'])
    .execute();
  await schema
    .createTable('rejectFiles')
    .addColumn('draftId', key, (column) => column.primaryKey())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('rows', 'integer', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('contentSha256', 'text', (column) => column.notNull())
    .addColumn('writtenAt', 'text', (column) => column.notNull())
    .execute();
}
