/** Temporal takes 2 MB a payload and refuses a larger one for good: what an activity returns is held against less. */
import { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { nonRetryable } from '../src/failures/non-retryable.ts';

/** In bytes; the largest of ours, a report with all its tallies, takes a tenth. */
export const largestResult = 524_288;

/** A result that Temporal would not take ends the activity with a reason: without one it would be carried out again and again. */
export const boundResults: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    const result: unknown = await next(input);
    const bytes = jsonBytes(result);
    if (bytes <= largestResult) return result;
    const [found, most] = [bytes, largestResult].map((size) => size.toLocaleString('en'));
    const { activityType } = Context.current().info;
    throw nonRetryable('ResultTooLarge', `${activityType} returned ${found} bytes, and at most ${most} enter Temporal`);
  },
};

export function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
