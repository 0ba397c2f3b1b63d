/**
 * The time that the stand-ins live in. It follows the machine's clock (`real`) or stands still (`frozen`); either way it
 * can be moved forward, never back, and what falls due on the way happens at its own time and in order.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly state: () => ClockState;
  /** Stands still from here on. */
  readonly freeze: () => void;
  /** Ticks on from where it stands. */
  readonly resume: () => void;
  /** Moves to a time and resolves when everything that fell due until then has settled. RangeError for a time in the past. */
  readonly advanceTo: (time: number) => Promise<void>;
  /** Has `job` run when the clock has reached `at`; the returned function calls it off. */
  readonly schedule: (at: number, job: () => void) => () => void;
  /** Work that `advanceTo` waits for. */
  readonly track: (work: Promise<unknown>) => void;
  /** Ends the timers; nothing that is scheduled runs any more. */
  readonly close: () => void;
}

export interface ClockState {
  readonly mode: 'real' | 'frozen';
  readonly now: number;
}

interface Job {
  readonly at: number;
  readonly run: () => void;
  isCalledOff: boolean;
}

/** `frozenAt` in milliseconds since 1970 begins with a clock that stands still. */
export function createClock({ frozenAt }: { readonly frozenAt?: number } = {}): Clock {
  let frozen = frozenAt ?? null;
  let ahead = 0;
  let timer: NodeJS.Timeout | undefined;
  /** In the order of time. */
  const jobs: Job[] = [];
  const working = new Set<Promise<unknown>>();

  const now = () => frozen ?? Date.now() + ahead;
  const moveTo = (time: number) => {
    if (frozen === null) ahead = Math.max(ahead, time - Date.now());
    else frozen = Math.max(frozen, time);
  };
  const settled = async () => {
    while (working.size > 0) await Promise.allSettled(working);
  };
  /** The next job that is due by a time, which is then nobody else's. */
  const takeDue = (time: number): Job | undefined => {
    while (jobs[0] && jobs[0].at <= time) {
      const job = jobs.shift();
      if (job && !job.isCalledOff) return job;
    }
    return undefined;
  };
  const wind = () => {
    clearTimeout(timer);
    const [next] = jobs;
    if (frozen !== null || !next) return;
    timer = setTimeout(
      () => {
        const due = now();
        for (let job = takeDue(due); job; job = takeDue(due)) job.run();
        wind();
      },
      Math.min(Math.max(0, next.at - now()), longestTimeout),
    );
    timer.unref();
  };

  return {
    now,
    state: () => ({ mode: frozen === null ? 'real' : 'frozen', now: now() }),
    freeze() {
      frozen = now();
      wind();
    },
    resume() {
      if (frozen !== null) ahead = frozen - Date.now();
      frozen = null;
      wind();
    },
    async advanceTo(time) {
      // A ticking clock may just have passed a time that was ahead when it was asked for.
      if (frozen !== null && time < frozen) throw new RangeError('the clock only moves forward');
      // What is under way began now, and what it plans counts from now.
      if (working.size > 0) await settled();
      for (let job = takeDue(time); job; job = takeDue(time)) {
        moveTo(job.at);
        job.run();
        if (working.size > 0) await settled();
      }
      moveTo(time);
      wind();
      if (working.size > 0) await settled();
    },
    schedule(at, job) {
      const entry = { at, run: job, isCalledOff: false };
      jobs.splice(placeAfter(jobs, at), 0, entry);
      wind();
      return () => {
        entry.isCalledOff = true;
      };
    },
    track(work) {
      working.add(work);
      void work.catch(() => {}).finally(() => working.delete(work));
    },
    close() {
      jobs.length = 0;
      clearTimeout(timer);
    },
  };
}

/** Longer waits overflow in Node and would end at once. */
const longestTimeout = 2 ** 31 - 1;

/** Behind all that are due at the same time or before. */
function placeAfter(jobs: readonly Job[], at: number): number {
  let low = 0;
  let high = jobs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((jobs[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
