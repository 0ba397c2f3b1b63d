import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Remembers which records were added to which list of HubSpot. */
export async function createListMembers<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('listMembers')
    .addColumn('listId', key, (column) => column.notNull())
    .addColumn('recordId', key, (column) => column.notNull())
    .addPrimaryKeyConstraint('listMembersKey', ['listId', 'recordId'])
    .execute();
}

/** Remembers the notes and tasks that were created on companies. */
export async function createCompanyItems<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('companyItems')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('item', key, (column) => column.notNull())
    .addColumn('sentAt', 'text')
    .addColumn('id', 'text')
    .addPrimaryKeyConstraint('companyItemsKey', ['orderId', 'position', 'item'])
    .execute();
}

/** Texts of the websites of delivered companies. */
export async function createWebsites<T>({ schema }: Kysely<T>, kind: DatabaseKind): Promise<void> {
  const key = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('websites')
    .addColumn('orderId', key, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('markdown', 'text')
    .addColumn('observedAt', 'text')
    .addColumn('urlsJson', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text')
    .addColumn('fetchedAt', 'text', (column) => column.notNull())
    .addColumn('erasedAt', 'text')
    .addColumn('path', 'text')
    .addColumn('sha256', 'text')
    .addPrimaryKeyConstraint('websitesKey', ['orderId', 'position'])
    .execute();
}
