import { type SchemaModule, sql } from 'kysely';
import { outcomeNames } from '../crm-outcomes.ts';
import { type Differences, oneOf, primary, required } from './columns.ts';

/** One outcome for each pass over an item, their number by order, and the numbers of the passes. */
export async function createOutcomeTables(schema: SchemaModule, { key, compact }: Differences): Promise<void> {
  await schema
    .createTable('passes')
    .addColumn('orderId', key, required)
    .addColumn('number', 'integer', required)
    .addColumn('projectionId', key, required)
    .addPrimaryKeyConstraint('passesKey', ['orderId', 'number'])
    .addUniqueConstraint('passesByProjection', ['orderId', 'projectionId'])
    .execute();
  await compact(schema.createTable('outcomes'))
    .addColumn('orderId', key, required)
    .addColumn('sink', key, required)
    .addColumn('position', 'bigint', required)
    .addColumn('item', key, required)
    .addColumn('pass', 'integer', required)
    .addColumn('projectionId', 'text', required)
    .addColumn('planned', 'text')
    .addColumn('outcome', 'text', oneOf('outcome', outcomeNames))
    .addColumn('rule', 'text')
    .addColumn('recordId', 'text')
    .addColumn('matchKey', key)
    .addColumn('matchedBy', 'text')
    .addColumn('candidatesJson', 'text')
    .addColumn('mappingVersion', 'text')
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('outcomesKey', ['orderId', 'sink', 'position', 'item', 'pass'])
    .execute();
  await schema
    .createTable('outcomeTallies')
    .addColumn('orderId', key, primary)
    .addColumn('changes', 'integer', required)
    .addColumn('tallyJson', 'text')
    .execute();
  await schema
    .createIndex('outcomesByMatchKey')
    .on('outcomes')
    .column('matchKey')
    .where(sql.ref('matchKey'), 'is not', null)
    .execute();
  await schema
    .createIndex('outcomesByRecord')
    .on('outcomes')
    .column('recordId')
    .where(sql.ref('recordId'), 'is not', null)
    .execute();
  await schema
    .createIndex('outcomesByPass')
    .on('outcomes')
    .columns(['orderId', 'sink', 'pass', 'item', 'outcome'])
    .execute();
}

/** Records of HubSpot, the values that were written to them, the lists that they were added to, and their notes and tasks. */
export async function createRecordTables(schema: SchemaModule, { key, compact }: Differences): Promise<void> {
  await compact(schema.createTable('records'))
    .addColumn('object', key, required)
    .addColumn('key', key, required)
    .addColumn('recordId', 'text', required)
    .addPrimaryKeyConstraint('recordsKey', ['object', 'key'])
    .execute();
  await compact(schema.createTable('writtenRecords'))
    .addColumn('object', key, required)
    .addColumn('recordId', key, required)
    .addColumn('orderId', key, required)
    .addColumn('writtenAt', 'text', required)
    .addColumn('valuesJson', 'text', required)
    .addColumn('seal', 'text', required)
    .addPrimaryKeyConstraint('writtenRecordsKey', ['object', 'recordId'])
    .execute();
  await compact(schema.createTable('valueChanges'))
    .addColumn('orderId', key, required)
    .addColumn('object', key, required)
    .addColumn('recordId', key, required)
    .addColumn('at', 'text', required)
    .addColumn('changesJson', 'text', required)
    .addPrimaryKeyConstraint('valueChangesKey', ['orderId', 'object', 'recordId'])
    .execute();
  await schema.createIndex('valueChangesByRecord').on('valueChanges').columns(['object', 'recordId']).execute();
  await schema
    .createTable('listMembers')
    .addColumn('listId', key, required)
    .addColumn('recordId', key, required)
    .addColumn('orderId', key, required)
    .addPrimaryKeyConstraint('listMembersKey', ['listId', 'recordId'])
    .execute();
  await schema
    .createTable('companyItems')
    .addColumn('orderId', key, required)
    .addColumn('position', 'integer', required)
    .addColumn('item', key, required)
    .addColumn('sentAt', 'text')
    .addColumn('id', 'text')
    .addPrimaryKeyConstraint('companyItemsKey', ['orderId', 'position', 'item'])
    .execute();
}
