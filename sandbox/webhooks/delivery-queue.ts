/** What every open delivery waits for on the clock: its next attempt, or its end. All of it follows from what is stored. */
import type { Clock } from '../clock.ts';
import type { Organization } from '../store/organization.ts';
import type { Store } from '../store/sandbox-store.ts';
import { toEnded } from './delivery-state.ts';
import { createPlans } from './task-queue.ts';
import type { DeliveryState, StoredDelivery } from '../store/webhook-records.ts';

export interface Agenda {
  /** Stores a delivery and, once its transaction is over, sees to what its state asks for. */
  readonly save: (organization: Organization, delivery: StoredDelivery) => void;
  /** Stores it without seeing to it. */
  readonly store: (organization: Organization, delivery: StoredDelivery) => void;
  /** Sees to what the stored state asks for; not to be called inside a transaction. */
  readonly enter: (organization: Organization, id: string) => void;
  /** Ends a delivery whose attempt could not be made or written down. */
  readonly giveUp: (organization: Organization, id: string) => void;
  readonly clear: () => void;
}

interface AgendaParts {
  readonly clock: Clock;
  readonly store: Store;
  readonly tell: SenderEvents['tell'];
  readonly begin: (organization: Organization, id: string) => void;
}

export function createAgenda({ clock, store, tell, begin }: AgendaParts): Agenda {
  const plans = createPlans(clock);
  /** Another one after everything was cleared. */
  let era = {};

  const enter = (organization: Organization, id: string) =>
    plans.surely(id, () => {
      plans.callOff(id);
      const delivery = organization.webhooks.deliveries.get(id);
      if (!delivery) return;
      const { state, nextAttemptAt, keptUntil } = delivery;
      if (state === 'pending') plans.set(id, nextAttemptAt ?? 0, () => begin(organization, id));
      if (state === 'kept') {
        plans.set(id, keptUntil ?? 0, () =>
          end(organization, id, state, (kept) => toEnded(kept, 'expired', kept.reason)),
        );
      }
      tell({ kind: 'stored', organizationId: organization.id, delivery });
    });
  const later = async (organization: Organization, saved: StoredDelivery) => {
    const then = era;
    await Promise.resolve();
    if (era !== then) return;
    plans.surely(saved.id, () => {
      // Otherwise the transaction was undone, and what was planned before still holds; or it was saved once more.
      const stored = organization.webhooks.deliveries.get(saved.id);
      if (JSON.stringify(stored) === JSON.stringify(saved)) enter(organization, saved.id);
    });
  };
  const save = (organization: Organization, delivery: StoredDelivery) => {
    storeDelivery(organization, delivery);
    clock.track(later(organization, delivery));
  };
  const end = (
    organization: Organization,
    id: string,
    from: DeliveryState,
    toEnd: (delivery: StoredDelivery) => StoredDelivery,
  ) =>
    plans.surely(id, () =>
      store.transaction(() => {
        const delivery = organization.webhooks.deliveries.get(id);
        if (delivery?.state === from) save(organization, toEnd(delivery));
      }),
    );

  return {
    save,
    store: storeDelivery,
    enter,
    giveUp: (organization, id) =>
      end(organization, id, 'pending', (pending) => toEnded(pending, 'failed', 'sender_failed')),
    clear() {
      era = {};
      plans.clear();
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
  /** All that was known is void: a reset, or a snapshot that was restored. */
  | { readonly kind: 'replaced' }
  /** Nothing can be read any more. */
  | { readonly kind: 'closed' };

type Listener = (event: SenderEvent) => void;

export interface SenderEvents {
  /** The returned function ends it. */
  readonly listen: (listener: Listener) => () => void;
  readonly tell: Listener;
}

export function createSenderEvents(): SenderEvents {
  const listeners = new Set<Listener>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(event) {
      for (const listener of listeners) listener(event);
    },
  };
}
