import { createClockState, isRepresentable, requireRepresentable, type KeptClock } from './clock-state.ts';
import type { KeptValue } from './state/data-folder.ts';
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
  /** Lets the clock run on from its current time. */
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
  /** Continues from there, which overrides `frozenAt`. */
  readonly kept?: KeptValue<KeptClock>;
}

export function createClock({ frozenAt, onError = rethrow, wallNow = Date.now, kept }: ClockOptions = {}): Clock {
  const clockState = createClockState({ frozenAt: frozenAt ?? null, wallNow, kept: kept ?? null });
  const queue = createJobQueue();
  const work = createWork();
  let timer: NodeJS.Timeout | undefined;

  const runDueJobs = () => {
    const due = clockState.now();
    const errors: unknown[] = [];
    for (let job = queue.takeDue(due); job; job = queue.takeDue(due)) runSafely(job.run, errors);
    setTimer();
    errors.forEach(onError);
  };
  const setTimer = () => {
    clearTimeout(timer);
    const next = queue.next();
    // A time beyond the end of the clock never becomes due.
    if (clockState.isFrozen() || next === undefined || !isRepresentable(next)) return;
    timer = setTimeout(runDueJobs, Math.min(Math.max(0, clockState.millisecondsUntil(next)), longestTimeout));
    timer.unref();
  };

  return {
    now: clockState.now,
    state: () => ({ mode: clockState.isFrozen() ? 'frozen' : 'real', now: clockState.now() }),
    freeze() {
      clockState.freeze();
      setTimer();
    },
    resume() {
      clockState.resume();
      setTimer();
    },
    async advanceTo(time) {
      requireRepresentable(time);
      // A running clock may have passed the requested time since the call.
      if (clockState.isFrozen() && time < clockState.now()) throw new RangeError('the clock only moves forward');
      const errors: unknown[] = [];
      // Running work started at the present time, so the clock must not move before it ends.
      if (work.isUnderWay()) await work.settled();
      for (let job = queue.takeDue(time); job; job = queue.takeDue(time)) {
        clockState.moveTo(job.at);
        runSafely(job.run, errors);
        if (work.isUnderWay()) await work.settled();
      }
      clockState.moveTo(time);
      setTimer();
      if (work.isUnderWay()) await work.settled();
      errors.slice(1).forEach(onError);
      if (errors.length > 0) throw errors[0];
    },
    schedule(at, job) {
      const cancel = queue.add(at, job);
      setTimer();
      return cancel;
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

function runSafely(run: () => void, errors: unknown[]): void {
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
