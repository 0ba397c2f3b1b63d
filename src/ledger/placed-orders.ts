/** The newest orders that did not end without success. */
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import type { Database } from './tables.ts';

/** `requestedCount`: ordered companies. `placedAt`: when the ledger stored the order first. `runName`: null for an order that no run placed. */
export interface PlacedOrder {
  readonly orderId: string;
  readonly runName: string | null;
  readonly profileId: string | null;
  readonly requestedCount: number;
  readonly placedAt: Date;
}

export function createPlacedOrders(db: Database) {
  const select = () =>
    db
      .selectFrom('orders')
      .select(['orderId', 'runName', 'profileId', 'requestedCount', 'firstSeenAt'])
      .where('status', 'not in', [...unsuccessfulOrderStatuses])
      .orderBy('firstSeenAt', 'desc');
  return {
    /** null when there is none. */
    async lastOfRun(runName: string): Promise<PlacedOrder | null> {
      const row = await select().where('runName', '=', runName).limit(1).executeTakeFirst();
      return row === undefined ? null : toPlacedOrder(row);
    },

    /** Ids of orders in whatever state, the newest first. */
    async newestIds(limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('orders')
        .select('orderId')
        .orderBy('firstSeenAt', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ orderId }) => orderId);
    },

    /** Of whatever run, the newest first. */
    async newest(kind: 'discovery' | 'enrichment', limit: number): Promise<PlacedOrder[]> {
      return (await select().where('kind', '=', kind).limit(limit).execute()).map(toPlacedOrder);
    },
  };
}

type Selected = Omit<PlacedOrder, 'placedAt'> & { readonly firstSeenAt: string };

function toPlacedOrder({ firstSeenAt, ...order }: Selected): PlacedOrder {
  return { ...order, placedAt: new Date(firstSeenAt) };
}
