/** Orders moved by hand: from the moment of a step the order's own pace no longer counts. */
import { orderStatuses, type OrderStatus } from '../../contract/index.ts';
import { stageAt, stepTo } from './life.ts';
import { isActive } from './publication.ts';
import { Refusal } from './refusal.ts';
import type { StoredOrder } from './store/records.ts';

export interface OrderStep {
  readonly status: OrderStatus;
  /** Whether COMPLETED publishes the result set; the order's own title decides when absent. */
  readonly publish?: boolean | undefined;
}

/** Steps lead forward; a step to the present status holds the order there. */
export function stepOrder(order: StoredOrder, { status, publish }: OrderStep, now: number): StoredOrder {
  const present = stageAt(order.life, now).status;
  const place = (word: string) => orderStatuses.findIndex((known) => known === word);
  if (!isActive(present) || place(status) < place(present)) {
    throw new Refusal(409, { code: 'ORDER_STEP_REFUSED', message: `No step leads from ${present} to ${status}.` });
  }
  return { ...order, life: stepTo(order.life, status, now), publishes: publish ?? order.publishes };
}
