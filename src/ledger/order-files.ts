/** The files of an order: spreadsheets that prospect-sync writes, and outputs that the service makes. */
import type { Database, Tables } from './tables.ts';

export type OrderFileRow = Tables['files'];

/** The spreadsheets of an order, one of each kind. */
export function createFileStore(db: Database) {
  return {
    async save({ orderId, kind, path, rows, bytes, sha256, writtenAt, contentJson }: OrderFileRow): Promise<void> {
      const facts = { path, rows, bytes, sha256, writtenAt, contentJson };
      await db
        .insertInto('files')
        .values({ orderId, kind, ...facts })
        .onConflict((conflict) => conflict.columns(['orderId', 'kind']).doUpdateSet(facts))
        .execute();
      await db.deleteFrom('erasedFiles').where('orderId', '=', orderId).where('file', '=', kind).execute();
    },

    list(orderId: string): Promise<OrderFileRow[]> {
      return db.selectFrom('files').selectAll().where('orderId', '=', orderId).orderBy('kind').execute();
    },
  };
}

export type OutputRow = Tables['outputs'];

/** The latest state of each output that the service makes for an order, by destination. */
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
