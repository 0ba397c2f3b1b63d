import { createClockState, isRepresentable, requireRepresentable } from './clock-state.ts';
import { createJobQueue } from './job-queue.ts';

/**
 * The time that the stand-ins live in. It follows the machine's clock (`real`) or stands still (`frozen`); either way it
 * can be moved forward, never back, and what falls due on the way happens at its own time and in order.
 */
export interface Clock {
  /** Milliseconds since 1970; never less than before. */
  readonly now: () => number;
  readonly state: () => ClockReading;
  /** Stands still from here on. */
  readonly freeze: () => void;
  /** Ticks on from where it stands. */
  readonly resume: () => void;
  /**
   * Moves to a time and resolves when everything that fell due until then has settled. RangeError, before anything moves,
   * for a time in the past or beyond the year 9999. A job that throws holds up no other: the first error comes out in the end.
   */
  readonly advanceTo: (time: number) => Promise<void>;
  /** Has `job` run when the clock has reached `at`; the returned function calls it off, after which nothing is kept of it. */
  readonly schedule: (at: number, job: () => void) => () => void;
  /** Work that `advanceTo` waits for. */
  readonly track: (work: Promise<unknown>) => void;
  /** Ends the timers; nothing that is scheduled runs any more. */
  readonly close: () => void;
}

export interface ClockReading {
  readonly mode: 'real' | 'frozen';
  readonly now: number;
}

interface ClockOptions {
  /** Milliseconds since 1970; the clock begins by standing still. RangeError beyond the year 9999. */
  readonly frozenAt?: number;
  /** Told what a job threw that nobody waited for. By default nobody catches it, which ends the process. */
  readonly onError?: (error: unknown) => void;
  /** The machine's clock. */
  readonly wallNow?: () => number;
}

export function createClock({ frozenAt, onError = rethrow, wallNow = Date.now }: ClockOptions = {}): Clock {
  const hand = createClockState({ frozenAt: frozenAt ?? null, wallNow });
  const queue = createJobQueue();
  const work = createWork();
  let timer: NodeJS.Timeout | undefined;

  const ring = () => {
    const due = hand.now();
    const errors: unknown[] = [];
    for (let job = queue.takeDue(due); job; job = queue.takeDue(due)) attempt(job.run, errors);
    wind();
    errors.forEach(onError);
  };
  const wind = () => {
    clearTimeout(timer);
    const next = queue.next();
    // What lies beyond the end of the clock never falls due.
    if (hand.isFrozen() || next === undefined || !isRepresentable(next)) return;
    timer = setTimeout(ring, Math.min(Math.max(0, hand.millisecondsUntil(next)), longestTimeout));
    timer.unref();
  };

  return {
    now: hand.now,
    state: () => ({ mode: hand.isFrozen() ? 'frozen' : 'real', now: hand.now() }),
    freeze() {
      hand.freeze();
      wind();
    },
    resume() {
      hand.resume();
      wind();
    },
    async advanceTo(time) {
      requireRepresentable(time);
      // A ticking clock may just have passed a time that was ahead when it was asked for.
      if (hand.isFrozen() && time < hand.now()) throw new RangeError('the clock only moves forward');
      const errors: unknown[] = [];
      // What is under way began now, and what it plans counts from now.
      if (work.isUnderWay()) await work.settled();
      for (let job = queue.takeDue(time); job; job = queue.takeDue(time)) {
        hand.moveTo(job.at);
        attempt(job.run, errors);
        if (work.isUnderWay()) await work.settled();
      }
      hand.moveTo(time);
      wind();
      if (work.isUnderWay()) await work.settled();
      errors.slice(1).forEach(onError);
      if (errors.length > 0) throw errors[0];
    },
    schedule(at, job) {
      const callOff = queue.add(at, job);
      wind();
      return callOff;
    },
    track: work.track,
    close() {
      queue.clear();
      clearTimeout(timer);
    },
  };
}

/** Longer waits overflow in Node and would end at once. */
const longestTimeout = 2 ** 31 - 1;

function createWork() {
  const working = new Set<Promise<unknown>>();
  return {
    isUnderWay: () => working.size > 0,
    track: (work: Promise<unknown>) => {
      working.add(work);
      void work.catch(() => {}).finally(() => working.delete(work));
    },
    async settled() {
      while (working.size > 0) await Promise.allSettled(working);
    },
  };
}

function attempt(run: () => void, errors: unknown[]): void {
  try {
    run();
  } catch (error) {
    errors.push(error);
  }
}

function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
