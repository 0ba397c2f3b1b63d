import type { Database, Tables } from './tables.ts';

export type OutputRow = Tables['outputs'];

/** Receipts of outputs of the service: one of each destination of an order, as it stood last. */
export function createOutputStore(db: Database) {
  return {
    async save({ orderId, destination, ...facts }: OutputRow): Promise<void> {
      await db
        .insertInto('outputs')
        .values({ orderId, destination, ...facts })
        .onConflict((conflict) => conflict.columns(['orderId', 'destination']).doUpdateSet(facts))
        .execute();
    },

    get(orderId: string, destination: string): Promise<OutputRow | undefined> {
      return db
        .selectFrom('outputs')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('destination', '=', destination)
        .executeTakeFirst();
    },

    list(orderId: string): Promise<OutputRow[]> {
      return db.selectFrom('outputs').selectAll().where('orderId', '=', orderId).orderBy('destination').execute();
    },
  };
}
