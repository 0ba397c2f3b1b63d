import type { Database, Tables } from './tables.ts';

export type CertificateRow = Tables['certificates'];

/** What each reconciliation of an order found. `reconciled` of `total` slots are proven. */
export function createCertificateStore(db: Database) {
  return {
    async save({ orderId, at, reconciled, total, findingsJson }: CertificateRow): Promise<void> {
      const facts = { reconciled, total, findingsJson };
      await db
        .insertInto('certificates')
        .values({ orderId, at, ...facts })
        .onConflict((conflict) => conflict.columns(['orderId', 'at']).doUpdateSet(facts))
        .execute();
    },

    latest(orderId: string): Promise<CertificateRow | undefined> {
      return db
        .selectFrom('certificates')
        .selectAll()
        .where('orderId', '=', orderId)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
    },
  };
}
