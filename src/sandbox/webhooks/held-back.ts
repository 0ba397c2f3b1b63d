/** Requests that are to arrive out of order: each waits for the next one to its receiver, but not longer than a minute. */
import type { Clock } from '../clock.ts';

export interface HeldBack {
  readonly hold: (url: string, proceed: () => void) => void;
  /** Lets go what waits for a request to this receiver; to be called when there was one. */
  readonly release: (url: string) => void;
  readonly clear: () => void;
}

const longestMs = 60_000;

export function createHeldBack(clock: Clock): HeldBack {
  const held = new Map<string, (() => void)[]>();
  const release = (url: string) => {
    const waiting = held.get(url) ?? [];
    held.delete(url);
    for (const proceed of waiting) proceed();
  };
  return {
    hold(url, proceed) {
      held.set(url, [...(held.get(url) ?? []), proceed]);
      clock.schedule(clock.now() + longestMs, () => release(url));
    },
    release,
    clear: () => held.clear(),
  };
}
