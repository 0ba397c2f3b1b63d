/** Heartbeats with a position, from which the next attempt resumes. */
import { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { z } from 'zod';
import { jsonBytes } from './result-size-limit.ts';

/** Size in bytes. */
const largestDetails = 131_072;

const detailsSchema = z.object({ next: z.int().min(0) });

/** The position of the last attempt's heartbeat, or `from`. Later progress is repeated. */
export function resumeFrom(from: number): number {
  return Math.max(from, lastHeartbeat(detailsSchema)?.next ?? from);
}

export function recordProgress(next: number): void {
  heartbeat({ next });
}

/** A heartbeat with other details than a position; the next attempt reads them with `lastHeartbeat`. */
export function heartbeat(details: object): void {
  const context = Context.current();
  // Temporal fails an activity with too large details. The last small ones are sent instead, and the next attempt resumes from them.
  if (jsonBytes(details) <= largestDetails) latestDetails.set(context, details);
  context.heartbeat(latestDetails.get(context) ?? context.info.heartbeatDetails);
}

/** Details of the last attempt's heartbeat; null without any of this shape. */
export function lastHeartbeat<T>(shape: z.ZodType<T>): T | null {
  const details = shape.safeParse(Context.current().info.heartbeatDetails);
  return details.success ? details.data : null;
}

/** The latest heartbeat details of each activity. */
const latestDetails = new WeakMap<Context, unknown>();

/** Repeats the latest heartbeat while an activity waits, so that a slow answer does not look like a lost worker. */
export const keepHeartbeating: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    const context = Context.current();
    const { heartbeatTimeoutMs, heartbeatDetails } = context.info;
    if (heartbeatTimeoutMs === undefined) return next(input);
    const repeat = () => context.heartbeat(latestDetails.get(context) ?? heartbeatDetails);
    const timer = setInterval(repeat, heartbeatTimeoutMs / 4);
    try {
      return await next(input);
    } finally {
      clearInterval(timer);
    }
  },
};

export function cancellationSignal(): AbortSignal {
  return Context.current().cancellationSignal;
}

/** For functions that do not know Temporal. */
export function activityContext() {
  return { signal: cancellationSignal(), recordProgress };
}

/** The workflow that has started this activity. */
export function currentWorkflow(): { readonly workflowId: string; readonly runId: string } {
  const { workflowId = '', runId = '' } = Context.current().info.workflowExecution ?? {};
  return { workflowId, runId };
}

/** True when an earlier attempt may have done part of the work. */
export function isRetry(): boolean {
  return Context.current().info.attempt > 1;
}
