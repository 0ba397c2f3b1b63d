import { type Kysely, type SchemaModule, sql } from 'kysely';

import type { DatabaseKind } from './database-kind.ts';

/** How each record was found, under which key, with which mapping; and digests of the values that we wrote last. */
export async function addMatchEvidence<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  for (const column of ['matchKey', 'matchedBy', 'candidatesJson', 'mappingVersion'] as const) {
    await schema
      .alterTable('outcomes')
      .addColumn(column, column === 'matchKey' ? key : 'text')
      .execute();
  }
  await createIndex(schema, 'outcomesByRecord', 'outcomes', 'recordId');
  await createIndex(schema, 'outcomesByMatchKey', 'outcomes', 'matchKey');
  await createIndex(schema, 'slotsByExternalId', 'slots', 'externalId');
  const table = schema
    .createTable('writtenValues')
    .addColumn('object', key, (column) => column.notNull())
    .addColumn('recordId', key, (column) => column.notNull())
    .addColumn('property', key, (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('previous', 'text')
    .addPrimaryKeyConstraint('writtenValuesKey', ['object', 'recordId', 'property']);
  await (kind === 'postgres' ? table : table.modifyEnd(sql`without rowid`)).execute();
}

/** Most rows have neither an external id nor, before they are written, a record. */
async function createIndex(schema: SchemaModule, name: string, table: string, column: string): Promise<void> {
  await schema.createIndex(name).on(table).column(column).where(sql.ref(column), 'is not', null).execute();
}
