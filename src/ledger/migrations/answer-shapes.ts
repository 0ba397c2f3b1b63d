import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Names and types of the fields of all answers of the service, with codes and versions. */
export async function createAnswerShapes<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('answerShapes')
    .addColumn('scope', key, (column) => column.notNull())
    .addColumn('operation', key, (column) => column.notNull())
    .addColumn('kind', key, (column) => column.notNull())
    .addColumn('path', key, (column) => column.notNull())
    .addColumn('detail', key, (column) => column.notNull())
    .addColumn('firstSeenAt', 'text', (column) => column.notNull())
    .addColumn('lastSeenAt', key, (column) => column.notNull())
    .addPrimaryKeyConstraint('answerShapesKey', ['scope', 'operation', 'kind', 'path', 'detail'])
    .execute();
}
