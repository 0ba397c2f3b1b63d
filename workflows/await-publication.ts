import { CancellationScope, condition, isCancellation, setHandler } from '@temporalio/workflow';
import type { OrderDelivery } from '../activities/checked-input.ts';
import type { PublishedOrder } from '../activities/order-activities.ts';
import { orderChangedSignal } from './order-changed-signal.ts';
import { pollingActivities } from './activity-options.ts';

/** Polls until the order is published. A signal triggers the next poll at once; only the answer of the service decides. */
export async function awaitPublication(order: OrderDelivery): Promise<PublishedOrder> {
  let changes = 0;
  setHandler(orderChangedSignal, () => void (changes += 1), { description: 'Poll the status of the order now' });
  for (;;) {
    const seen = changes;
    const polling = new CancellationScope();
    const polled = polling.run(() =>
      pollingActivities.awaitPublication.executeWithOptions(
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
