/** Requests that are to arrive out of order: each waits for the next one to its receiver, but not longer than a minute. */
import type { Clock } from '../clock.ts';

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
