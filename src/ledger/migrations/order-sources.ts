import type { Kysely } from 'kysely';

/** Where ordered companies come from, with the user's own cells, and how many companies an order must deliver. */
export async function addOrderSources<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('drafts').addColumn('sourceJson', 'text').execute();
  await schema.alterTable('draftRows').addColumn('sourceRow', 'integer').execute();
  await schema.alterTable('draftRows').addColumn('ownJson', 'text').execute();
  await schema.alterTable('orders').addColumn('delivered', 'integer').execute();
  await schema.alterTable('orders').addColumn('minDeliveredPercent', 'real').execute();
}
