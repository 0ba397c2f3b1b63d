import type { Kysely } from 'kysely';

/** When an order was first stored; null of those that were stored before. */
export async function addOrderAge<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('orders').addColumn('firstSeenAt', 'text').execute();
}
