/** Retries of calls to Temporal that end before their connection does: one that woke up later would end the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** A call without a deadline of its own fails `answerWithinMs` after it began, its retries included; without it, never. */
export function createGrpcRetries(answerWithinMs?: number) {
  const usual = defaultGrpcRetryOptions();
  let ending = false;
  /** When the last of the retries that wait now will have been sent. */
  let asleepUntil = 0;
  const retry = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !ending && usual.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const delayMs = usual.delayFunction(attempt, status);
      asleepUntil = Math.max(asleepUntil, performance.now() + delayMs);
      return delayMs;
    },
  });
  const retryInTime: typeof retry = (options, nextCall) => {
    if (answerWithinMs === undefined || options.deadline !== undefined) return retry(options, nextCall);
    return retry({ ...options, deadline: Date.now() + answerWithinMs }, nextCall);
  };
  return {
    interceptors: [retryInTime],
    /** Before the connection is closed: nothing is tried again from now on, and what waited to be has been sent. */
    async end(): Promise<void> {
      ending = true;
      // A timer may fire a little early by another clock.
      const left = asleepUntil - performance.now() + 10;
      if (left > 10) await sleep(left);
    },
  };
}
