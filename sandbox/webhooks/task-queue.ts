import type { Clock } from '../clock.ts';

/** Tasks that run when the clock reaches their due time; one task per key. */
export interface TaskQueue {
  /** Replaces the task of that key. A task that is already due runs at once. */
  readonly schedule: (key: string, dueAt: number, task: () => void) => void;
  /** Runs a task now. While it throws, it is retried every minute under its key. */
  readonly runWithRetry: (key: string, task: () => void) => void;
  readonly cancel: (key: string) => void;
  readonly clear: () => void;
}

const retryMs = 60_000;

export function createTaskQueue(clock: Clock): TaskQueue {
  const cancelByKey = new Map<string, () => void>();
  const cancel = (key: string) => {
    cancelByKey.get(key)?.();
    cancelByKey.delete(key);
  };
  const schedule = (key: string, dueAt: number, task: () => void) => {
    cancel(key);
    if (dueAt <= clock.now()) return task();
    const run = () => {
      cancelByKey.delete(key);
      task();
    };
    cancelByKey.set(key, clock.schedule(dueAt, run));
  };
  const runWithRetry = (key: string, task: () => void) => {
    try {
      task();
    } catch {
      schedule(key, clock.now() + retryMs, () => runWithRetry(key, task));
    }
  };
  return {
    schedule,
    runWithRetry,
    cancel,
    clear() {
      for (const key of cancelByKey.keys()) cancel(key);
    },
  };
}
