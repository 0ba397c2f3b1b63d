/** Orders by their days, and what a month brought. */
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import type { Database, Tables } from './tables.ts';

/** An order with its proof. `firstSeenAt`: ISO 8601. */
export type CalendarOrder = Pick<Tables['orders'], 'orderId' | 'runName' | 'status' | 'firstSeenAt'> & {
  /** Of the latest certificate, as are the findings; null without one. */
  readonly reconciled: number | null;
  readonly total: number | null;
  readonly findingsJson: string | null;
};

/** Times in ISO 8601, `to` exclusive. */
export interface TimeSpan {
  readonly from: string;
  readonly to: string;
}

/** Briefings, as the service calls companies with their people. */
export interface BriefingFigures {
  /** Of the orders that the ledger first saw in the time. */
  readonly ordered: number;
  /** Of the orders whose results were published in the time. */
  readonly delivered: number;
}

export function createOrderCalendar(db: Database) {
  return {
    /** The orders that the ledger first saw in the time, the newest first. */
    seenIn({ from, to }: TimeSpan, limit: number): Promise<CalendarOrder[]> {
      return db
        .selectFrom('orders')
        .leftJoin('certificates', (join) =>
          join.onRef('certificates.orderId', '=', 'orders.orderId').on((eb) =>
            eb(
              'certificates.at',
              '=',
              eb
                .selectFrom('certificates as every')
                .select(({ fn }) => fn.max('every.at').as('at'))
                .whereRef('every.orderId', '=', 'orders.orderId'),
            ),
          ),
        )
        .select(['orders.orderId', 'orders.runName', 'orders.status', 'orders.firstSeenAt'])
        .select(['certificates.reconciled', 'certificates.total', 'certificates.findingsJson'])
        .where('orders.firstSeenAt', '>=', from)
        .where('orders.firstSeenAt', '<', to)
        .orderBy('orders.firstSeenAt', 'desc')
        .orderBy('orders.orderId', 'desc')
        .limit(limit)
        .execute();
    },

    /** Briefings of orders that ended without success are not counted. */
    async briefings({ from, to }: TimeSpan): Promise<BriefingFigures> {
      const successful = db.selectFrom('orders').where('status', 'not in', [...unsuccessfulOrderStatuses]);
      const { ordered } = await successful
        .select(({ fn }) => fn.sum<number | null>('requestedCount').as('ordered'))
        .where('firstSeenAt', '>=', from)
        .where('firstSeenAt', '<', to)
        .executeTakeFirstOrThrow();
      const { delivered } = await successful
        .select(({ fn }) => fn.sum<number | null>('delivered').as('delivered'))
        .where('publishedAt', '>=', from)
        .where('publishedAt', '<', to)
        .executeTakeFirstOrThrow();
      return { ordered: ordered ?? 0, delivered: delivered ?? 0 };
    },
  };
}
