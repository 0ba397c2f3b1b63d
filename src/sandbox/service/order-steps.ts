/** Orders moved by hand: from the moment of a step the order's own pace no longer counts. */
import { orderStatuses, type OrderStatus } from '../../contract/index.ts';
import { isActive } from './publication.ts';
import { Refusal } from './refusal.ts';
import { stageAt, stepTo } from './stages.ts';
import type { OrderRecord } from './store.ts';

export interface OrderStep {
  readonly status: OrderStatus;
  /** Whether COMPLETED publishes the result set; the order's own title decides when absent. */
  readonly publish?: boolean | undefined;
}

/** Steps lead forward; a step to the present status holds the order there. */
export function stepOrder(order: OrderRecord, { status, publish }: OrderStep, now: number): void {
  const present = stageAt(order.stages, now).status;
  const place = (word: string) => orderStatuses.findIndex((known) => known === word);
  if (!isActive(present) || place(status) < place(present)) {
    throw new Refusal(409, { code: 'ORDER_STEP_REFUSED', message: `No step leads from ${present} to ${status}.` });
  }
  order.stages = stepTo(order.stages, status, now);
  if (publish !== undefined) order.publishes = publish;
}
