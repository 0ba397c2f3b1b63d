import type { Clock } from '../clock.ts';

/** What is to happen on the clock, one thing for each name. */
export interface Plans {
  /** In place of what was planned under that name. What is due happens at once. */
  readonly set: (name: string, at: number, job: () => void) => void;
  readonly callOff: (name: string) => void;
  readonly clear: () => void;
}

export function createPlans(clock: Clock): Plans {
  /** Name -> calls it off. */
  const planned = new Map<string, () => void>();
  const callOff = (name: string) => {
    planned.get(name)?.();
    planned.delete(name);
  };
  return {
    set(name, at, job) {
      callOff(name);
      if (at <= clock.now()) return job();
      const run = () => {
        planned.delete(name);
        job();
      };
      planned.set(name, clock.schedule(at, run));
    },
    callOff,
    clear() {
      for (const name of planned.keys()) callOff(name);
    },
  };
}
