import { CancellationScope, condition, defineSignal, isCancellation, setHandler } from '@temporalio/workflow';
import type { OrderDelivery } from '../activities/checked-input.ts';
import type { PublishedOrder } from '../activities/order-activities.ts';
import type { ActivityTimeouts } from '../src/config/run-plan.ts';
import { pollingActivities } from './activity-options.ts';

/** Sent when the service has notified a change of the order's status. */
export const orderChangedSignal = defineSignal('orderChanged');

/** Polls until the order is published. A signal triggers the next poll at once; only the answer of the service decides. */
export async function awaitPublication(order: OrderDelivery, timeouts: ActivityTimeouts): Promise<PublishedOrder> {
  let changes = 0;
  setHandler(orderChangedSignal, () => void (changes += 1), { description: 'Poll the status of the order now' });
  for (;;) {
    const seen = changes;
    const polling = new CancellationScope();
    const polled = polling.run(() =>
      pollingActivities(timeouts).awaitPublication.executeWithOptions(
        { summary: `order ${order.orderId}, until it is published` },
        [order],
      ),
    );
    const published = await Promise.race([polled, condition(() => changes > seen).then(() => null)]);
    if (published !== null) return published;
    polling.cancel();
    try {
      return await polled;
    } catch (error) {
      if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    }
  }
}
