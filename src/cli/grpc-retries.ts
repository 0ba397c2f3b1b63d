/** Retries of calls to Temporal that end before their connection does: one that woke up later would end the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

export function createGrpcRetries() {
  const usual = defaultGrpcRetryOptions();
  let ending = false;
  /** When the last of the retries that wait now will have been sent. */
  let asleepUntil = 0;
  return {
    interceptors: [
      makeGrpcRetryInterceptor({
        retryableDecider: (attempt, status) => !ending && usual.retryableDecider(attempt, status),
        delayFunction(attempt, status) {
          const delayMs = usual.delayFunction(attempt, status);
          asleepUntil = Math.max(asleepUntil, performance.now() + delayMs);
          return delayMs;
        },
      }),
    ],
    /** Before the connection is closed: nothing is tried again from now on, and what waited to be has been sent. */
    async end(): Promise<void> {
      ending = true;
      // A timer may fire a little early by another clock.
      const left = asleepUntil - performance.now() + 10;
      if (left > 10) await sleep(left);
    },
  };
}
