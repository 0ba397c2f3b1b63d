/** Limits the results of activities: Temporal rejects payloads over 2 MB. */
import { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { nonRetryable } from '../src/base/failures/application-failure.ts';

/** Limit in bytes; the largest real result is a tenth of it. */
export const largestResult = 524_288;

/** Fails an activity whose result is too large; otherwise Temporal would repeat it without end. */
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
