import { limits, operations } from '../../src/contract/index.ts';
import { findOrder } from './order-routes.ts';
import type { Publications } from '../published/publications.ts';
import { Refusal } from '../refusal.ts';
import { route, type Route } from './operation-route.ts';
import type { StoredOrder } from '../store/stored-records.ts';

export interface ResultSettings {
  /** Status of ORDER_RESULTS_NOT_READY (A04). */
  readonly results_not_ready_status: number;
}

export function createResultRoutes(
  { results_not_ready_status }: ResultSettings,
  { publishedSet }: Pick<Publications, 'publishedSet'>,
): readonly Route[] {
  return [
    route(operations.listResults, ({ organization, params, query }) => {
      const order = findOrder(organization, params.order_id);
      const published = publishedSet(organization, order);
      if (!published) throw refuseUnpublished(order, results_not_ready_status);
      const { limit = limits.resultsPage.default, offset = 0 } = query;
      const { total, summary } = published;
      const length = Math.max(0, Math.min(limit, total - offset));
      const slots = Array.from({ length }, (_, place) => published.slotAt(offset + place));
      const body = { summary, total, has_more: offset + length < total, items: slots };
      return { status: 200, body };
    }),
  ];
}

export function refuseUnpublished(order: StoredOrder, status: number): Refusal {
  const message = 'The result set of this order is not published.';
  return new Refusal(status, { code: 'ORDER_RESULTS_NOT_READY', message, order_id: order.id });
}
