import { createClockState, isRepresentable, requireRepresentable } from './clock-state.ts';
import { createJobQueue } from './job-queue.ts';

/**
 * The clock of the sandbox. It follows the machine's clock (`real`) or is stopped (`frozen`). It can be moved forward, never
 * back; jobs that become due run in order, each at its own time.
 */
export interface Clock {
  /** Milliseconds since 1970; never less than before. */
  readonly now: () => number;
  readonly state: () => ClockReading;
  /** Stops the clock. */
  readonly freeze: () => void;
  /** Lets the clock run from its present time. */
  readonly resume: () => void;
  /**
   * Moves to a time and resolves when all due work is done. Throws RangeError, before anything moves,
   * for a time in the past or beyond the year 9999. A job that throws does not stop the others; the first error is thrown at the end.
   */
  readonly advanceTo: (time: number) => Promise<void>;
  /** Runs `job` when the clock reaches `at`. The returned function cancels it. */
  readonly schedule: (at: number, job: () => void) => () => void;
  /** Work that `advanceTo` waits for. */
  readonly track: (work: Promise<unknown>) => void;
  /** Cancels all timers and jobs. */
  readonly close: () => void;
}

export interface ClockReading {
  readonly mode: 'real' | 'frozen';
  readonly now: number;
}

interface ClockOptions {
  /** Milliseconds since 1970; the clock starts frozen. Throws RangeError beyond the year 9999. */
  readonly frozenAt?: number;
  /** Receives errors of jobs that no caller awaits. By default they end the process. */
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
    // A time beyond the end of the clock never becomes due.
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
