/** Sends and retries deliveries on the sandbox clock, and stores their results. Schedules are derived from the stored state. */
import type { Organization } from '../state/organization.ts';
import type { StoredDelivery } from '../state/webhook-records.ts';
import { createDeliveryAttempts, type AttemptDependencies } from './delivery-attempts.ts';
import { createDeliveryQueue, createSenderEvents, type SenderEvents } from './delivery-queue.ts';

export interface Sender {
  /** Stores a delivery and sends it after the transaction. Call it inside a transaction. */
  readonly save: (organization: Organization, delivery: StoredDelivery) => void;
  /** Stores a delivery and resolves when its attempt has ended; null if a reset replaced it in the meantime. */
  readonly sendNow: (organization: Organization, delivery: StoredDelivery) => Promise<StoredDelivery | null>;
  /** Reports every stored delivery after its transaction. */
  readonly listen: SenderEvents['listen'];
  /** Aborts running attempts and schedules the stored deliveries. Call it after a reset or a restored snapshot. */
  readonly restart: () => void;
  readonly close: () => void;
}

export function createSender(dependencies: AttemptDependencies): Sender {
  const { clock, store } = dependencies;
  const { listen, publish } = createSenderEvents();
  const startAttempt = (organization: Organization, id: string) => void attempts.start(organization, id);
  const queue = createDeliveryQueue({ clock, store, publish, startAttempt });
  const attempts = createDeliveryAttempts(dependencies, queue);
  let generation = 0;
  const stop = () => {
    generation += 1;
    attempts.abort();
    queue.clear();
  };

  return {
    save: queue.save,
    async sendNow(organization, delivery) {
      const sentIn = generation;
      store.transaction(() => queue.store(organization, delivery));
      await attempts.start(organization, delivery.id);
      return generation === sentIn ? (organization.webhooks.deliveries.get(delivery.id) ?? null) : null;
    },
    listen,
    restart() {
      stop();
      publish({ kind: 'replaced' });
      for (const { id } of store.organizations.values()) {
        const organization = store.organization(id);
        for (const open of organization.webhooks.openDeliveries.values()) queue.schedule(organization, open);
      }
    },
    close() {
      stop();
      publish({ kind: 'closed' });
    },
  };
}
