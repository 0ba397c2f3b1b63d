/** Brings every delivery to its end on the clock. Its state is stored; what is planned here follows from that state. */
import type { Organization } from '../store/organization.ts';
import { createAgenda, createSenderEvents, type SenderEvents } from './delivery-queue.ts';
import { createAttempts, type AttemptParts } from './delivery-attempts.ts';
import type { StoredDelivery } from '../store/webhook-records.ts';

export interface Sender {
  /** Stores a delivery and, when that is certain, sees to what its state asks for. To be called inside a transaction. */
  readonly save: (organization: Organization, delivery: StoredDelivery) => void;
  /** Stores a delivery and resolves when its attempt has ended; null when everything was replaced meanwhile. */
  readonly sendNow: (organization: Organization, delivery: StoredDelivery) => Promise<StoredDelivery | null>;
  /** Tells of every delivery that was stored, when its transaction is over. */
  readonly listen: SenderEvents['listen'];
  /** Plans anew from what is stored, after everything was replaced; attempts on their way are given up. */
  readonly restart: () => void;
  readonly close: () => void;
}

export function createSender(parts: AttemptParts): Sender {
  const { clock, store } = parts;
  const { listen, tell } = createSenderEvents();
  const begin = (organization: Organization, id: string) => attempts.begin(organization, id);
  const agenda = createAgenda({ clock, store, tell, begin: (organization, id) => void begin(organization, id) });
  const attempts = createAttempts(parts, agenda);
  /** Grows when everything was replaced. */
  let restarts = 0;
  const end = () => {
    restarts += 1;
    attempts.abandon();
    agenda.clear();
  };

  return {
    save: agenda.save,
    async sendNow(organization, delivery) {
      const before = restarts;
      store.transaction(() => agenda.store(organization, delivery));
      await begin(organization, delivery.id);
      return restarts === before ? (organization.webhooks.deliveries.get(delivery.id) ?? null) : null;
    },
    listen,
    restart() {
      end();
      tell({ kind: 'replaced' });
      for (const { id } of store.organizations.values()) {
        const organization = store.organization(id);
        for (const open of organization.webhooks.openDeliveries.values()) agenda.enter(organization, open);
      }
    },
    close() {
      end();
      tell({ kind: 'closed' });
    },
  };
}
