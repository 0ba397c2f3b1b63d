import type { Clock } from '../clock.ts';

/** What is to happen on the clock, one thing for each name. */
export interface Plans {
  /** In place of what was planned under that name. What is due happens at once. */
  readonly set: (name: string, at: number, job: () => void) => void;
  /** Does it now; while it throws, once more each minute, which then is what is planned. */
  readonly surely: (name: string, job: () => void) => void;
  readonly callOff: (name: string) => void;
  readonly clear: () => void;
}

const againMs = 60_000;

export function createPlans(clock: Clock): Plans {
  /** Name -> calls it off. */
  const planned = new Map<string, () => void>();
  const callOff = (name: string) => {
    planned.get(name)?.();
    planned.delete(name);
  };
  const set = (name: string, at: number, job: () => void) => {
    callOff(name);
    if (at <= clock.now()) return job();
    const run = () => {
      planned.delete(name);
      job();
    };
    planned.set(name, clock.schedule(at, run));
  };
  const surely = (name: string, job: () => void) => {
    try {
      job();
    } catch {
      set(name, clock.now() + againMs, () => surely(name, job));
    }
  };
  return {
    set,
    surely,
    callOff,
    clear() {
      for (const name of planned.keys()) callOff(name);
    },
  };
}
