import type { Timer } from '../../src/hubspot/request-queue.ts';

/** A clock that moves only when a timer waits for it, and then jumps, so waiting costs a test no time. */
export function createJumpingClock(start = Date.parse('2026-11-21T12:00:00Z')): {
  clock: () => number;
  timer: Timer;
  /** Milliseconds. */
  jump: (milliseconds: number) => void;
} {
  let now = start;
  const timer: Timer = (milliseconds, run) => {
    const immediate = setImmediate(() => {
      now += milliseconds;
      run();
    });
    return () => clearImmediate(immediate);
  };
  return {
    clock: () => now,
    timer,
    jump(milliseconds) {
      now += milliseconds;
    },
  };
}
