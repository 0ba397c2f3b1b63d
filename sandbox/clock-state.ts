import type { KeptValue } from './state/data-folder.ts';

/** The time of a clock: ahead of the machine's clock by an offset, or frozen. */
export interface ClockState {
  readonly now: () => number;
  readonly isFrozen: () => boolean;
  /** Milliseconds until a running clock reaches a time; negative afterwards. */
  readonly millisecondsUntil: (time: number) => number;
  readonly freeze: () => void;
  readonly resume: () => void;
  /** Does nothing when the clock is already past that time. */
  readonly moveTo: (time: number) => void;
}

interface ClockStateOptions {
  /** Null for a running clock. */
  readonly frozenAt: number | null;
  readonly wallNow: () => number;
  readonly kept: KeptValue<KeptClock> | null;
}

/** Where a clock continues in another process. */
export interface KeptClock {
  readonly frozenAt: number | null;
  /** Milliseconds before the machine's clock. */
  readonly ahead: number;
}

/** Timestamps of the interface have four digits for the year. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

export function isRepresentable(time: number): boolean {
  return Number.isFinite(time) && time <= lastTime;
}

/** Throws a RangeError. */
export function requireRepresentable(time: number): void {
  if (!isRepresentable(time)) throw new RangeError('the clock ends with the year 9999');
}

/** Throws RangeError for a start beyond the year 9999. */
export function createClockState({ frozenAt, wallNow, kept }: ClockStateOptions): ClockState {
  if (frozenAt !== null) requireRepresentable(frozenAt);
  const start = kept?.load() ?? { frozenAt, ahead: 0 };
  let frozen = start.frozenAt;
  let { ahead } = start;
  const keep = () => kept?.save({ frozenAt: frozen, ahead });
  let latest = -Infinity;
  const now = () => {
    // When the machine's clock is set back, this clock waits until the machine reaches its time again.
    latest = Math.max(latest, frozen ?? Math.min(wallNow() + ahead, lastTime));
    return latest;
  };
  return {
    now,
    isFrozen: () => frozen !== null,
    millisecondsUntil: (time: number) => time - wallNow() - ahead,
    freeze() {
      frozen = now();
      keep();
    },
    resume() {
      if (frozen !== null) ahead = now() - wallNow();
      frozen = null;
      keep();
    },
    moveTo(time: number) {
      if (frozen === null) ahead = Math.max(ahead, time - wallNow());
      else frozen = Math.max(frozen, time);
      keep();
    },
  };
}
