/** Sends the attempts of deliveries and records the result of each. */
import type { Clock } from '../clock.ts';
import type { Organization } from '../state/organization.ts';
import type { Store } from '../state/sandbox-store.ts';
import { applyDeliveryOutcome } from './delivery-consequences.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { afterAttempt } from './delivery-state.ts';
import { findRoute, sendAttempt, takeFault, type SendingDependencies } from './send-attempt.ts';

export interface DeliveryAttempts {
  /** Resolves when the attempt has ended. */
  readonly start: (organization: Organization, id: string) => Promise<void>;
  /** Aborts every running attempt; none of them is recorded. */
  readonly abort: () => void;
}

export interface AttemptDependencies extends SendingDependencies {
  readonly store: Store;
}

type Queue = Pick<DeliveryQueue, 'save' | 'fail'>;

export function createDeliveryAttempts(dependencies: AttemptDependencies, { save, fail }: Queue): DeliveryAttempts {
  const { clock, store } = dependencies;
  const reordered = createReorderedRequests(clock);
  let aborting = new AbortController();

  const attempt = async (organization: Organization, id: string, wasHeld: boolean): Promise<void> => {
    const { signal } = aborting;
    const delivery = organization.webhooks.deliveries.get(id);
    const route = delivery && findRoute(organization, delivery, dependencies);
    if (delivery?.state !== 'pending' || !route) return;
    // The fault of a held request is used up.
    const fault = wasHeld ? null : takeFault(organization, delivery, route, dependencies.faults);
    if (fault === 'reorder') return reordered.hold(route.url, () => void start(organization, id, true));
    const result = await sendAttempt(dependencies, delivery, { route, fault, signal });
    if (!result) return;
    try {
      store.transaction(() => recordAttempt(organization, id, { result, save }));
    } finally {
      reordered.release(route.url);
    }
  };
  const start = async (organization: Organization, id: string, wasHeld = false): Promise<void> => {
    const { signal } = aborting;
    const work = attempt(organization, id, wasHeld).catch(() => {
      if (!signal.aborted) fail(organization, id);
    });
    clock.track(work);
    await work;
  };

  return {
    start,
    abort() {
      aborting.abort();
      aborting = new AbortController();
      reordered.clear();
    },
  };
}

interface Recording extends Pick<DeliveryQueue, 'save'> {
  readonly result: Parameters<typeof afterAttempt>[1];
}

function recordAttempt(organization: Organization, id: string, { result, save }: Recording): void {
  const before = organization.webhooks.deliveries.get(id);
  if (!before) return;
  const after = afterAttempt(before, result);
  save(organization, after);
  for (const kept of applyDeliveryOutcome(organization, { before, after, now: result.now })) save(organization, kept);
}

/** Holds requests so that they arrive out of order: each waits for the next request to its receiver, for a minute at most. */
export interface ReorderedRequests {
  readonly hold: (url: string, proceed: () => void) => void;
  /** Sends the held requests of this receiver. Call it after another request to it. */
  readonly release: (url: string) => void;
  readonly clear: () => void;
}

interface HeldRequest {
  readonly url: string;
  readonly proceed: () => void;
  readonly cancelTimeout: () => void;
}

const longestHoldMs = 60_000;

export function createReorderedRequests(clock: Clock): ReorderedRequests {
  const held = new Set<HeldRequest>();
  const remove = (request: HeldRequest) => {
    request.cancelTimeout();
    held.delete(request);
  };
  return {
    hold(url, proceed) {
      const removeAndProceed = () => {
        remove(request);
        proceed();
      };
      const cancelTimeout = clock.schedule(clock.now() + longestHoldMs, removeAndProceed);
      const request = { url, proceed, cancelTimeout };
      held.add(request);
    },
    release(url) {
      // A copy: a request that proceeds may be held again.
      const waiting = [...held].filter((request) => request.url === url);
      waiting.forEach(remove);
      for (const { proceed } of waiting) proceed();
    },
    clear: () => held.forEach(remove),
  };
}
