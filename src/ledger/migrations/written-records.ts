import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** One row a record with every value that we wrote. Replaces digests of single values, which are kept. */
export async function createWrittenRecords<T>(db: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  const table = db.schema
    .createTable('writtenRecords')
    .addColumn('object', key, (column) => column.notNull())
    .addColumn('recordId', key, (column) => column.notNull())
    .addColumn('orderId', key)
    .addColumn('writtenAt', 'text')
    .addColumn('valuesJson', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('writtenRecordsKey', ['object', 'recordId']);
  await (kind === 'postgres' ? table : table.modifyEnd(sql`without rowid`)).execute();
  const values =
    kind === 'postgres'
      ? sql`json_object_agg(property, json_build_array(null::text, digest, previous))::text`
      : sql`json_group_object(property, json_array(null, digest, previous))`;
  await sql`
    insert into written_records (object, record_id, values_json)
    select object, record_id, ${values} from written_values group by object, record_id
  `.execute(db);
  await db.schema.dropTable('writtenValues').execute();
}
