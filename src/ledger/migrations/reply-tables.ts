import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Replies that were received, the people and companies that are suppressed, and the use of the webhook secrets. */
export async function createReplyTables<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('replies')
    .addColumn('webhookId', key, (column) => column.primaryKey())
    .addColumn('receivedAt', key, (column) => column.notNull())
    .addColumn('state', key, (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('classification', 'text')
    .addColumn('replyAt', 'text')
    .addColumn('campaignId', 'text')
    .addColumn('body', 'text')
    .addColumn('deliveries', 'integer', (column) => column.notNull())
    .addColumn('contactId', key)
    .addColumn('noteId', 'text')
    .addColumn('noteSentAt', 'text')
    .addColumn('taskId', 'text')
    .addColumn('taskSentAt', 'text')
    .addColumn('suppressedAt', 'text')
    .addColumn('finishedAt', 'text')
    .execute();
  await schema.createIndex('repliesByState').on('replies').columns(['state', 'receivedAt']).execute();
  await schema.createIndex('repliesByContact').on('replies').column('contactId').execute();
  await schema
    .createTable('suppressions')
    .addColumn('kind', key, (column) => column.notNull())
    .addColumn('key', key, (column) => column.notNull())
    .addColumn('value', 'text')
    .addColumn('addedAt', 'text', (column) => column.notNull())
    .addColumn('addedBy', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('removedAt', 'text')
    .addColumn('removedBy', 'text')
    .addColumn('removedReason', 'text')
    .addPrimaryKeyConstraint('suppressionsKey', ['kind', 'key'])
    .execute();
  await schema
    .createTable('webhookSecretUses')
    .addColumn('endpoint', key, (column) => column.notNull())
    .addColumn('fingerprint', key, (column) => column.notNull())
    .addColumn('deliveries', 'integer', (column) => column.notNull())
    .addColumn('lastAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhookSecretUsesKey', ['endpoint', 'fingerprint'])
    .execute();
}
