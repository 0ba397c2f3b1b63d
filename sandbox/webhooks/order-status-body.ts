import { webhookApiVersion } from '../../src/contract/assumed-webhooks.ts';
import { toTimestamp } from '../timestamp.ts';

export const orderStatusType = 'order.status_changed';

interface OrderStatusFacts {
  /** The delivery's. */
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  /** When the order reached it. */
  readonly at: number;
  readonly resultsPublished: boolean;
}

/** The specification names the address only; the envelope is that of a reply without `test` (A60). */
export function composeOrderStatusBody({ id, orderId, status, at, resultsPublished }: OrderStatusFacts): string {
  return JSON.stringify({
    id,
    type: orderStatusType,
    timestamp: toTimestamp(at),
    api_version: webhookApiVersion,
    data: { order_id: orderId, status, results_published: resultsPublished },
  });
}
