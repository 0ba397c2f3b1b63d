import type { Timer } from '../../src/hubspot/request-queue.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes only in `runUntil`, one event at a time; all promises settle before the next event. */
export function createVirtualClock(start = Date.parse('2026-11-21T12:00:00Z')) {
  let now = start;
  let due: Due[] = [];
  const timer: Timer = (milliseconds, run) => {
    const entry = { at: now + milliseconds, run };
    due.push(entry);
    return () => {
      due = due.filter((other) => other !== entry);
    };
  };
  const settle = async (): Promise<void> => {
    // Promise chains are long; each turn of the event loop empties the queue of microtasks.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    clock: () => now,
    seconds: () => (now - start) / 1000,
    timer,
    sleep: (milliseconds: number) => new Promise<void>((resolve) => timer(milliseconds, resolve)),
    settle,
    async runUntil(seconds: number): Promise<void> {
      const end = start + seconds * 1000;
      await settle();
      for (;;) {
        const next = due.toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > end) break;
        due = due.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.run();
        await settle();
      }
      now = Math.max(now, end);
    },
  };
}
