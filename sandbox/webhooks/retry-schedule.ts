/** Retry schedule of deliveries ("Receiver answers and retries"). Times are milliseconds since 1970. */
import { limits } from '../../src/service/contract/limits.ts';
import { retryAfterSeconds } from '../../src/base/http/http-answer.ts';

const { firstRetrySeconds, longestRetrySeconds, retryingSeconds } = limits.webhook;

/** 1, 2, 4 … 128, 240, 240 minutes. A further wait starts while the sum is below twelve hours. */
const waitsSeconds = listWaits();

interface PreviousAttempts {
  /** Number of attempts so far; at least 1. */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  readonly now: number;
  /** The header as received. A malformed value, or one below the scheduled wait, is ignored. */
  readonly retryAfter: string | null;
}

/**
 * Null if the delivery has failed: after the last wait (attempt 11, at 735 minutes), or twelve hours after the first attempt.
 * A Retry-After beyond the twelve hours is respected, for up to twelve more hours, and one last attempt follows: failing
 * earlier would lose the reply.
 */
export function nextAttemptAt({ attempts, firstAttemptAt, now, retryAfter }: PreviousAttempts): number | null {
  const wait = waitsSeconds[attempts - 1];
  if (wait === undefined || now - firstAttemptAt >= retryingSeconds * 1_000) return null;
  const requested = Math.min(retryAfterSeconds(retryAfter, now) ?? 0, retryingSeconds);
  return now + Math.max(wait, requested) * 1_000;
}

function listWaits(): readonly number[] {
  const waits: number[] = [];
  let waited = 0;
  for (let wait: number = firstRetrySeconds; waited < retryingSeconds; wait = Math.min(wait * 2, longestRetrySeconds)) {
    waits.push(wait);
    waited += wait;
  }
  return waits;
}
