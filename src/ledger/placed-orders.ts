/** What this ledger has bought, or is buying: its order requests, and orders of the service that no request of it placed. */
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import type { OrderRequest, Submission } from './order-request-store.ts';
import type { Database } from './tables.ts';

/** An order that did not end without success, or an order that is being placed. */
export interface PlacedOrder {
  /** null while it is being placed. */
  readonly orderId: string | null;
  /** The run that placed the order, or the one that delivers an order of another ledger; null for neither. */
  readonly runName: string | null;
  readonly profileId: string | null;
  /** Ordered companies. */
  readonly requestedCount: number;
  /** When the ledger stored the order or its request first. */
  readonly placedAt: Date;
  /** The rows that an enrichment submitted; null where the ledger has none. */
  readonly draftId: string | null;
}

interface Filter {
  readonly column: 'kind' | 'runName';
  readonly value: string;
  readonly limit: number;
  /** Of order requests. */
  readonly states: readonly OrderRequest['state'][];
}

export function createPlacedOrders(db: Database) {
  const unsuccessful = [...unsuccessfulOrderStatuses];

  /** The newest first. An order is there once for each request that led to it. */
  async function newest({ column, value, states, limit }: Filter): Promise<PlacedOrder[]> {
    const requested = await db
      .selectFrom('orderRequests as request')
      .leftJoin('orders', 'orders.orderId', 'request.orderId')
      .select(['request.orderId', 'request.runName', 'request.profileId', 'request.runKey as draftId'])
      .select(['request.quantity as requestedCount', 'request.at as placedAt'])
      .where('request.state', 'in', [...states])
      .where((eb) => eb.or([eb('orders.status', 'is', null), eb('orders.status', 'not in', unsuccessful)]))
      .where((eb) => eb(eb.ref(`request.${column}`), '=', eb.val(value)))
      .orderBy('request.at', 'desc')
      .limit(limit)
      .execute();
    const others = await db
      .selectFrom('orders')
      .select(['orderId', 'profileId', 'requestedCount', 'firstSeenAt as placedAt'])
      .select(({ fn }) => fn.coalesce('runName', 'deliveringRun').as('runName'))
      .where('status', 'not in', unsuccessful)
      .where('orderId', 'not in', (eb) =>
        eb
          .selectFrom('orderRequests')
          .select('orderId')
          .where('orderId', 'is not', null)
          .$castTo<{ orderId: string }>(),
      )
      .where(({ eb, fn }) =>
        eb(column === 'kind' ? eb.ref('kind') : fn.coalesce('runName', 'deliveringRun'), '=', value),
      )
      .orderBy('firstSeenAt', 'desc')
      .limit(limit)
      .execute();
    return [...requested, ...others.map((order) => ({ ...order, draftId: null }))]
      .map((order) => ({ ...order, placedAt: new Date(order.placedAt) }))
      .toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime())
      .slice(0, limit);
  }

  return {
    /** null when there is none; one that is being placed does not count. */
    async lastOfRun(runName: string): Promise<PlacedOrder | null> {
      return (await newest({ column: 'runName', value: runName, states: ['placed'], limit: 1 }))[0] ?? null;
    },

    /** Of whatever run, the newest first, with those that are being placed. */
    newest: (kind: Submission['kind'], limit: number): Promise<PlacedOrder[]> =>
      newest({ column: 'kind', value: kind, states: ['open', 'placed'], limit }),

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
  };
}
