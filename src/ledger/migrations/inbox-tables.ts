import type { SchemaModule } from 'kysely';
import { type Differences, primary, required } from './columns.ts';

/** Replies that were received, the use of the webhook secrets, and the people and companies that are suppressed. */
export async function createInboxTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('replies')
    .addColumn('webhookId', key, primary)
    .addColumn('receivedAt', key, required)
    .addColumn('state', key, required)
    .addColumn('reason', 'text')
    .addColumn('classification', 'text')
    .addColumn('replyAt', 'text')
    .addColumn('campaignId', 'text')
    .addColumn('body', 'text')
    .addColumn('deliveries', 'integer', required)
    .addColumn('contactId', key)
    .addColumn('noteId', 'text')
    .addColumn('noteSentAt', 'text')
    .addColumn('taskId', 'text')
    .addColumn('taskSentAt', 'text')
    .addColumn('leadStatusAt', 'text')
    .addColumn('suppressedAt', 'text')
    .addColumn('finishedAt', 'text')
    .addColumn('dueAt', key, required)
    .execute();
  await schema.createIndex('repliesByContact').on('replies').column('contactId').execute();
  await schema.createIndex('repliesByState').on('replies').columns(['state', 'receivedAt']).execute();
  await schema.createIndex('repliesByDueTime').on('replies').columns(['state', 'dueAt']).execute();
  await schema
    .createTable('webhookSecretUses')
    .addColumn('endpoint', key, required)
    .addColumn('fingerprint', key, required)
    .addColumn('deliveries', 'integer', required)
    .addColumn('lastAt', 'text', required)
    .addPrimaryKeyConstraint('webhookSecretUsesKey', ['endpoint', 'fingerprint'])
    .execute();
  await schema
    .createTable('suppressions')
    .addColumn('kind', key, required)
    .addColumn('key', key, required)
    .addColumn('value', 'text')
    .addColumn('addedAt', 'text', required)
    .addColumn('addedBy', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('removedAt', 'text')
    .addColumn('removedBy', 'text')
    .addColumn('removedReason', 'text')
    .addPrimaryKeyConstraint('suppressionsKey', ['kind', 'key'])
    .execute();
  await schema
    .createTable('suppressedNames')
    .addColumn('hash', key, primary)
    .addColumn('domain', key, required)
    .addColumn('name', 'text', required)
    .addColumn('city', 'text')
    .execute();
  await schema.createIndex('suppressedNamesByDomain').on('suppressedNames').column('domain').execute();
}
