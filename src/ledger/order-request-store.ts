import type { Database, Tables } from './tables.ts';

export type OrderRequest = Tables['orderRequests'];

/**
 * Orders that were asked for: written before the request is sent, with its exact body, so that a repetition under the same
 * key never differs, and so that nobody orders anew while it is open whether an order was placed.
 */
export function createOrderRequestStore(db: Database) {
  return {
    /** Keeps the first one under a key. */
    async open(request: Omit<OrderRequest, 'state' | 'orderId'>): Promise<void> {
      await db
        .insertInto('orderRequests')
        .values({ ...request, state: 'open', orderId: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    get(idempotencyKey: string): Promise<OrderRequest | undefined> {
      return db.selectFrom('orderRequests').selectAll().where('idempotencyKey', '=', idempotencyKey).executeTakeFirst();
    },

    /** The oldest of a run whose outcome is not known. */
    unresolvedOf(runName: string): Promise<OrderRequest | undefined> {
      return db
        .selectFrom('orderRequests')
        .selectAll()
        .where('runName', '=', runName)
        .where('state', '=', 'open')
        .orderBy('at')
        .limit(1)
        .executeTakeFirst();
    },

    /** True when a request of that run key may have reached the service, or another one of that run whose outcome is not known. */
    async isRequested({ runName, runKey }: { runName: string; runKey: string }): Promise<boolean> {
      const found = await db
        .selectFrom('orderRequests')
        .select('state')
        .where((eb) =>
          eb.or([
            eb.and([eb('runName', '=', runName), eb('state', '=', 'open')]),
            eb.and([eb('runKey', '=', runKey), eb('state', '=', 'placed')]),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** The body is forgotten: nothing is sent under this key any more. */
    async settle(
      idempotencyKey: string,
      outcome: { state: 'placed'; orderId: string } | { state: 'refused' },
    ): Promise<void> {
      await db
        .updateTable('orderRequests')
        .set({ orderId: null, bodyJson: null, ...outcome })
        .where('idempotencyKey', '=', idempotencyKey)
        .execute();
    },

    /** A person names the order that came of the open requests of a run. */
    async settleRun(runName: string, orderId: string): Promise<void> {
      await db
        .updateTable('orderRequests')
        .set({ orderId, bodyJson: null, state: 'placed' })
        .where('runName', '=', runName)
        .where('state', '=', 'open')
        .execute();
    },
  };
}
