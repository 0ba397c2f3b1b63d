/** When a delivery is tried again ("Receiver answers and retries"). Times are milliseconds since the epoch. */
import { limits } from '../../src/contract/limits.ts';
import { retryAfterSeconds } from '../../src/http/http-answer.ts';

const { firstRetrySeconds, longestRetrySeconds, retryingSeconds } = limits.webhook;

/** 1, 2, 4 … 128, 240, 240 minutes: a further wait begins as long as less than twelve hours have been waited. */
const waitsSeconds = listWaits();

interface Tries {
  /** Made so far, the first one included; at least 1. */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  readonly now: number;
  /** The header as it was sent. What is malformed, or shorter than the schedule's wait, changes nothing. */
  readonly retryAfter: string | null;
}

/**
 * Null when the delivery has failed: after the last wait (attempt 11, at 735 minutes), or twelve hours after the first attempt.
 * A Retry-After that reaches past the twelve hours is still waited for, up to twelve hours more, and the attempt after it is
 * the last: the receiver has said when it takes the reply, and failing instead would lose the reply for good.
 */
export function nextAttemptAt({ attempts, firstAttemptAt, now, retryAfter }: Tries): number | null {
  const wait = waitsSeconds[attempts - 1];
  if (wait === undefined || now - firstAttemptAt >= retryingSeconds * 1_000) return null;
  const asked = Math.min(retryAfterSeconds(retryAfter, now) ?? 0, retryingSeconds);
  return now + Math.max(wait, asked) * 1_000;
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
