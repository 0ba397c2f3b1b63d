/** Brings every delivery to its end on the clock. Its state is stored; what is planned here follows from that state. */
import type { Organization } from '../service/store/organization.ts';
import type { Store } from '../service/store/store.ts';
import { drawConsequences } from './consequences.ts';
import { afterAttempt, toEnded } from './delivery-state.ts';
import { exchange, routeOf, takeFault, type ExchangeParts } from './exchange.ts';
import { createHeldBack } from './held-back.ts';
import type { StoredDelivery } from './records.ts';

export interface Sender {
  /** Stores a delivery and sees to what its state asks for. To be called inside a transaction. */
  readonly save: (organization: Organization, delivery: StoredDelivery) => void;
  /** Stores a delivery and resolves when its attempt has ended; null when everything was replaced meanwhile. */
  readonly sendNow: (organization: Organization, delivery: StoredDelivery) => Promise<StoredDelivery | null>;
  /** Plans anew from what is stored, after everything was replaced; attempts on their way are given up. */
  readonly restart: () => void;
  readonly close: () => void;
}

interface SenderParts extends ExchangeParts {
  readonly store: Store;
}

/** A request that was held back has borne its fault. */
type Turn = 'first' | 'after hold';

export function createSender(parts: SenderParts): Sender {
  const { clock, store } = parts;
  /** Delivery id -> calls off what is planned for it. */
  const planned = new Map<string, () => void>();
  const heldBack = createHeldBack(clock);
  let ending = new AbortController();

  const plan = (id: string, at: number, job: () => void) => {
    callOff(id);
    if (at > clock.now()) planned.set(id, clock.schedule(at, job));
    else clock.track(soon(job, ending.signal));
  };
  const callOff = (id: string) => {
    planned.get(id)?.();
    planned.delete(id);
  };
  const watch = (organization: Organization, { id, state, nextAttemptAt, keptUntil }: StoredDelivery) => {
    callOff(id);
    if (state === 'pending') plan(id, nextAttemptAt ?? clock.now(), () => void begin(organization, id));
    if (state === 'kept') plan(id, keptUntil ?? clock.now(), () => expire(organization, id));
  };
  const save = (organization: Organization, delivery: StoredDelivery) => {
    storeDelivery(organization, delivery);
    watch(organization, delivery);
  };
  const expire = (organization: Organization, id: string) => {
    const delivery = organization.webhooks.deliveries.get(id);
    if (delivery?.state === 'kept') save(organization, toEnded(delivery, 'expired', delivery.reason));
  };

  const begin = (organization: Organization, id: string, turn: Turn = 'first'): Promise<void> => {
    const work = attempt(organization, id, turn);
    clock.track(work);
    return work;
  };
  const attempt = async (organization: Organization, id: string, turn: Turn): Promise<void> => {
    const { signal } = ending;
    const delivery = organization.webhooks.deliveries.get(id);
    const route = delivery && routeOf(organization, delivery, parts);
    if (delivery?.state !== 'pending' || !route) return;
    const fault = turn === 'first' ? takeFault(organization, delivery, route, parts.faults) : null;
    if (fault === 'reorder') return heldBack.hold(route.url, () => void begin(organization, id, 'after hold'));
    const exchanged = await exchange(parts, delivery, { route, fault, signal });
    if (!exchanged) return;
    store.transaction(() => {
      const before = organization.webhooks.deliveries.get(id);
      if (!before) return;
      const after = afterAttempt(before, exchanged);
      save(organization, after);
      for (const kept of drawConsequences(organization, { before, after, now: exchanged.now }))
        save(organization, kept);
    });
    heldBack.release(route.url);
  };
  const end = () => {
    ending.abort();
    for (const id of planned.keys()) callOff(id);
    heldBack.clear();
  };

  return {
    save,
    async sendNow(organization, delivery) {
      const { signal } = ending;
      store.transaction(() => storeDelivery(organization, delivery));
      await begin(organization, delivery.id);
      return signal.aborted ? null : (organization.webhooks.deliveries.get(delivery.id) ?? null);
    },
    restart() {
      end();
      ending = new AbortController();
      for (const { id } of store.organizations.values()) {
        const organization = store.organization(id);
        for (const open of organization.webhooks.openDeliveries.values()) {
          const delivery = organization.webhooks.deliveries.get(open);
          if (delivery) watch(organization, delivery);
        }
      }
    },
    close: end,
  };
}

/** What is due does not run inside the transaction that made it due. */
async function soon(job: () => void, signal: AbortSignal): Promise<void> {
  await Promise.resolve();
  if (!signal.aborted) job();
}

function storeDelivery(organization: Organization, delivery: StoredDelivery): void {
  const { id, state } = delivery;
  organization.webhooks.deliveries.set(id, delivery);
  if (state === 'pending' || state === 'kept') organization.webhooks.openDeliveries.set(id, id);
  else organization.webhooks.openDeliveries.delete(id);
}
