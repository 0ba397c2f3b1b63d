import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** One outcome for each pass, when an order was published, and which order added a record to a list. */
export async function addOutcomePasses<T>(db: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const { schema } = db;
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('passes')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('projectionId', key, (column) => column.notNull())
    .addPrimaryKeyConstraint('passesKey', ['orderId', 'number'])
    .addUniqueConstraint('passesByProjection', ['orderId', 'projectionId'])
    .execute();
  await sql`
    insert into passes (order_id, number, projection_id)
    select order_id, row_number() over (partition by order_id order by min(at), projection_id), projection_id
    from outcomes group by order_id, projection_id
  `.execute(db);
  await renewOutcomes(db, kind);
  await schema.alterTable('orders').addColumn('publishedAt', 'text').execute();
  await schema.alterTable('listMembers').addColumn('orderId', key).execute();
}

/** SQLite cannot change a primary key: the table is made anew. */
async function renewOutcomes<T>(db: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const { schema } = db;
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  const table = schema
    .createTable('outcomesByPass')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('sink', key, (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('item', key, (column) => column.notNull())
    .addColumn('pass', 'integer', (column) => column.notNull())
    .addColumn('projectionId', 'text', (column) => column.notNull())
    .addColumn('planned', 'text')
    .addColumn('outcome', 'text')
    .addColumn('rule', 'text')
    .addColumn('recordId', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('matchKey', key)
    .addColumn('matchedBy', 'text')
    .addColumn('candidatesJson', 'text')
    .addColumn('mappingVersion', 'text')
    .addPrimaryKeyConstraint('outcomesByPassKey', ['orderId', 'sink', 'position', 'item', 'pass']);
  await (kind === 'postgres' ? table : table.modifyEnd(sql`without rowid`)).execute();
  const kept = sql.raw(
    'planned, outcome, rule, record_id, at, match_key, matched_by, candidates_json, mapping_version',
  );
  await sql`
    insert into outcomes_by_pass (order_id, sink, position, item, pass, projection_id, ${kept})
    select order_id, sink, position, item, number, projection_id, ${kept}
    from outcomes join passes using (order_id, projection_id)
  `.execute(db);
  await schema.dropTable('outcomes').execute();
  await schema.alterTable('outcomesByPass').renameTo('outcomes').execute();
  for (const [name, column] of [
    ['outcomesByRecord', 'recordId'],
    ['outcomesByMatchKey', 'matchKey'],
  ] as const)
    await schema.createIndex(name).on('outcomes').column(column).where(sql.ref(column), 'is not', null).execute();
}
