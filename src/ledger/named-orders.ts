/** Orders as people find them: in a list, or by a name. */
import type { Database, Tables } from './tables.ts';

/** An order by which a person recognises it. `firstSeenAt`: ISO 8601. */
export type NamedOrder = Pick<Tables['orders'], 'orderId' | 'runName' | 'firstSeenAt'>;

/** An order in a list. */
export type SeenOrder = Pick<
  Tables['orders'],
  'orderId' | 'runName' | 'kind' | 'status' | 'requestedCount' | 'delivered' | 'firstSeenAt'
>;

export interface RecentQuery {
  readonly limit: number;
  /** The last order shown; with an empty `orderId`, all orders before the time. null: the newest orders. */
  readonly before: Pick<SeenOrder, 'firstSeenAt' | 'orderId'> | null;
}

/** Fewer characters of an id are more likely a mistake. */
export const shortestIdPart = 4;

export function createNamedOrders(db: Database) {
  const select = () => db.selectFrom('orders').select(['orderId', 'runName', 'firstSeenAt']);

  /** The newest order of a run, or of all; an order in progress counts from its purchase. undefined: there is none. */
  const newestNamed = (runName: string | null): Promise<NamedOrder | undefined> =>
    select()
      .$if(runName !== null, (query) => query.where('runName', '=', runName))
      .orderBy(({ fn }) => fn.coalesce('publishedAt', 'firstSeenAt'), 'desc')
      .orderBy('orderId')
      .limit(1)
      .executeTakeFirst();

  return {
    newestNamed,

    /** The newest order of the run with this name, else the orders whose ids begin with the text. */
    async named(text: string): Promise<NamedOrder[]> {
      const newest = await newestNamed(text);
      if (newest !== undefined) return [newest];
      if (text.length < shortestIdPart || !/^[0-9a-f-]+$/i.test(text)) return [];
      return select().where('orderId', 'like', `${text.toLowerCase()}%`).orderBy('orderId').execute();
    },

    /** How many orders a run has, or all of them. */
    async count(runName: string | null): Promise<number> {
      const { count } = await db
        .selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$if(runName !== null, (query) => query.where('runName', '=', runName))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** All orders, and when the ledger first saw them. */
    listSeen(): Promise<{ orderId: string; firstSeenAt: string }[]> {
      return db.selectFrom('orders').select(['orderId', 'firstSeenAt']).orderBy('orderId').execute();
    },

    /** The newest orders, and those before the last one shown: two orders may have been stored in one millisecond. */
    async recent({ limit, before }: RecentQuery): Promise<SeenOrder[]> {
      return db
        .selectFrom('orders')
        .select(['orderId', 'runName', 'kind', 'status', 'requestedCount', 'delivered', 'firstSeenAt'])
        .$if(before !== null, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('firstSeenAt', 'orderId'), '<', eb.tuple(before?.firstSeenAt ?? '', before?.orderId ?? '')),
          ),
        )
        .orderBy('firstSeenAt', 'desc')
        .orderBy('orderId', 'desc')
        .limit(limit)
        .execute();
    },
  };
}
