/** Schedules the next step of every open delivery, an attempt or its expiry, from the stored state. */
import type { Clock } from '../clock.ts';
import type { Organization } from '../state/organization.ts';
import type { Store } from '../state/sandbox-store.ts';
import type { DeliveryState, StoredDelivery } from '../state/webhook-records.ts';
import { toEnded } from './delivery-state.ts';
import { createTaskQueue } from './task-queue.ts';

export interface DeliveryQueue {
  /** Stores a delivery and schedules its next step after the transaction. */
  readonly save: (organization: Organization, delivery: StoredDelivery) => void;
  /** Stores a delivery without scheduling anything. */
  readonly store: (organization: Organization, delivery: StoredDelivery) => void;
  /** Schedules the next step of a stored delivery. Do not call it inside a transaction. */
  readonly schedule: (organization: Organization, id: string) => void;
  /** Ends a delivery whose attempt could not be sent or recorded. */
  readonly fail: (organization: Organization, id: string) => void;
  readonly clear: () => void;
}

interface QueueDependencies {
  readonly clock: Clock;
  readonly store: Store;
  readonly publish: SenderEvents['publish'];
  readonly startAttempt: (organization: Organization, id: string) => void;
}

export function createDeliveryQueue({ clock, store, publish, startAttempt }: QueueDependencies): DeliveryQueue {
  const tasks = createTaskQueue(clock);
  let generation = 0;

  const schedule = (organization: Organization, id: string) =>
    tasks.runWithRetry(id, () => {
      tasks.cancel(id);
      const delivery = organization.webhooks.deliveries.get(id);
      if (!delivery) return;
      const { state, nextAttemptAt, keptUntil } = delivery;
      if (state === 'pending') tasks.schedule(id, nextAttemptAt ?? 0, () => startAttempt(organization, id));
      if (state === 'kept') {
        const expire = () => end(organization, id, state, (kept) => toEnded(kept, 'expired', kept.reason));
        tasks.schedule(id, keptUntil ?? 0, expire);
      }
      publish({ kind: 'stored', organizationId: organization.id, delivery });
    });
  const scheduleAfterTransaction = async (organization: Organization, saved: StoredDelivery) => {
    const savedIn = generation;
    await Promise.resolve();
    if (generation !== savedIn) return;
    tasks.runWithRetry(saved.id, () => {
      // A difference means that the transaction was rolled back, or that the delivery was saved again since.
      const stored = organization.webhooks.deliveries.get(saved.id);
      if (JSON.stringify(stored) === JSON.stringify(saved)) schedule(organization, saved.id);
    });
  };
  const save = (organization: Organization, delivery: StoredDelivery) => {
    storeDelivery(organization, delivery);
    clock.track(scheduleAfterTransaction(organization, delivery));
  };
  const end = (
    organization: Organization,
    id: string,
    expectedState: DeliveryState,
    toEnd: (delivery: StoredDelivery) => StoredDelivery,
  ) =>
    tasks.runWithRetry(id, () =>
      store.transaction(() => {
        const delivery = organization.webhooks.deliveries.get(id);
        if (delivery?.state === expectedState) save(organization, toEnd(delivery));
      }),
    );

  return {
    save,
    store: storeDelivery,
    schedule,
    fail: (organization, id) =>
      end(organization, id, 'pending', (pending) => toEnded(pending, 'failed', 'sender_failed')),
    clear() {
      generation += 1;
      tasks.clear();
    },
  };
}

function storeDelivery(organization: Organization, delivery: StoredDelivery): void {
  const { id, state } = delivery;
  organization.webhooks.deliveries.set(id, delivery);
  if (state === 'pending' || state === 'kept') organization.webhooks.openDeliveries.set(id, id);
  else organization.webhooks.openDeliveries.delete(id);
}

export type SenderEvent =
  | { readonly kind: 'stored'; readonly organizationId: string; readonly delivery: StoredDelivery }
  /** A reset or a restored snapshot replaced every delivery. */
  | { readonly kind: 'replaced' }
  /** The store is closed: nothing can be read any more. */
  | { readonly kind: 'closed' };

type Listener = (event: SenderEvent) => void;

export interface SenderEvents {
  /** Returns a function that removes the listener. */
  readonly listen: (listener: Listener) => () => void;
  readonly publish: Listener;
}

export function createSenderEvents(): SenderEvents {
  const listeners = new Set<Listener>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish(event) {
      for (const listener of listeners) listener(event);
    },
  };
}
