/** Scheduled jobs, ordered by due time, then by the order of scheduling. */
export interface JobQueue {
  /** Returns a function that removes the job. */
  readonly add: (at: number, run: () => void) => () => void;
  /** When the first job is due. */
  readonly next: () => number | undefined;
  /** Removes and returns the next job that is due by a time. */
  readonly takeDue: (time: number) => Job | undefined;
  readonly clear: () => void;
}

interface Job {
  readonly at: number;
  readonly run: () => void;
}

export function createJobQueue(): JobQueue {
  const jobs: Job[] = [];
  return {
    add(at, run) {
      const job = { at, run };
      jobs.splice(placeAfter(jobs, at), 0, job);
      return () => {
        let place = placeAfter(jobs, at) - 1;
        while (jobs[place]?.at === at && jobs[place] !== job) place -= 1;
        if (jobs[place] === job) jobs.splice(place, 1);
      };
    },
    next: () => jobs[0]?.at,
    takeDue: (time) => (jobs[0] && jobs[0].at <= time ? jobs.shift() : undefined),
    clear() {
      jobs.length = 0;
    },
  };
}

/** The index after all jobs that are due at the same time or earlier. */
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
