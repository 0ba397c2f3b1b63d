/** Attempts on their way: made, written down with what follows from each, or given up. */
import type { Organization } from '../store/organization.ts';
import type { Store } from '../store/sandbox-store.ts';
import type { Agenda } from './delivery-queue.ts';
import { drawConsequences } from './delivery-consequences.ts';
import { afterAttempt } from './delivery-state.ts';
import { exchange, routeOf, takeFault, type ExchangeParts } from './send-attempt.ts';
import type { Clock } from '../clock.ts';

export interface Attempts {
  /** Resolves when the attempt has ended. */
  readonly begin: (organization: Organization, id: string) => Promise<void>;
  /** Gives up what is on its way; it writes nothing any more. */
  readonly abandon: () => void;
}

export interface AttemptParts extends ExchangeParts {
  readonly store: Store;
}

/** A request that was held back has borne its fault. */
type Turn = 'first' | 'after hold';

export function createAttempts(parts: AttemptParts, { save, giveUp }: Pick<Agenda, 'save' | 'giveUp'>): Attempts {
  const { clock, store } = parts;
  const heldBack = createHeldBack(clock);
  let ending = new AbortController();

  const attempt = async (organization: Organization, id: string, turn: Turn): Promise<void> => {
    const { signal } = ending;
    const delivery = organization.webhooks.deliveries.get(id);
    const route = delivery && routeOf(organization, delivery, parts);
    if (delivery?.state !== 'pending' || !route) return;
    const fault = turn === 'first' ? takeFault(organization, delivery, route, parts.faults) : null;
    if (fault === 'reorder') return heldBack.hold(route.url, () => void begin(organization, id, 'after hold'));
    const exchanged = await exchange(parts, delivery, { route, fault, signal });
    if (!exchanged) return;
    try {
      store.transaction(() => record(organization, id, { exchanged, save }));
    } finally {
      heldBack.release(route.url);
    }
  };
  const begin = async (organization: Organization, id: string, turn: Turn = 'first'): Promise<void> => {
    const { signal } = ending;
    const work = attempt(organization, id, turn).catch(() => {
      if (!signal.aborted) giveUp(organization, id);
    });
    clock.track(work);
    await work;
  };

  return {
    begin,
    abandon() {
      ending.abort();
      ending = new AbortController();
      heldBack.clear();
    },
  };
}

interface Recording extends Pick<Agenda, 'save'> {
  readonly exchanged: Parameters<typeof afterAttempt>[1];
}

function record(organization: Organization, id: string, { exchanged, save }: Recording): void {
  const before = organization.webhooks.deliveries.get(id);
  if (!before) return;
  const after = afterAttempt(before, exchanged);
  save(organization, after);
  for (const kept of drawConsequences(organization, { before, after, now: exchanged.now })) save(organization, kept);
}

export interface HeldBack {
  readonly hold: (url: string, proceed: () => void) => void;
  /** Lets go what waits for a request to this receiver; to be called when there was one. */
  readonly release: (url: string) => void;
  readonly clear: () => void;
}

interface Held {
  readonly url: string;
  readonly proceed: () => void;
  /** Ends its minute. */
  readonly callOff: () => void;
}

const longestMs = 60_000;

export function createHeldBack(clock: Clock): HeldBack {
  const held = new Set<Held>();
  const letGo = (one: Held) => {
    one.callOff();
    held.delete(one);
  };
  return {
    hold(url, proceed) {
      const goOn = () => {
        letGo(one);
        proceed();
      };
      const one = { url, proceed, callOff: clock.schedule(clock.now() + longestMs, goOn) };
      held.add(one);
    },
    release(url) {
      // A list of its own: who proceeds may be held again.
      const waiting = [...held].filter((one) => one.url === url);
      waiting.forEach(letGo);
      for (const { proceed } of waiting) proceed();
    },
    clear: () => held.forEach(letGo),
  };
}
