/** The failure of an activity that polls once: Temporal retries it after a growing delay, and does not count it as an error. */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { FailureType } from '../src/base/failures/failure-descriptions.ts';

export interface PollDelays {
  readonly firstMs: number;
  readonly longestMs: number;
}

const growth = 2;

/** @param toMessage receives the delay until the next poll, in milliseconds */
export function pollAgain(
  type: FailureType,
  { firstMs, longestMs }: PollDelays,
  toMessage: (delayMs: number) => string,
): ApplicationFailure {
  const delayMs = Math.round(Math.min(longestMs, firstMs * growth ** (activityInfo().attempt - 1)));
  return ApplicationFailure.create({
    type,
    message: toMessage(delayMs),
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}
