/** Heartbeats that carry where a chunk stands, so that the next attempt goes on there. */
import { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { z } from 'zod';
import { jsonBytes } from './result-size-limit.ts';

/** In bytes. */
const largestDetails = 131_072;

const detailsSchema = z.object({ next: z.int().min(0) });

/** The position where the last attempt stood, or `from`. Progress after the last heartbeat that arrived is done again. */
export function resumeFrom(from: number): number {
  return Math.max(from, lastHeartbeat(detailsSchema)?.next ?? from);
}

export function recordProgress(next: number): void {
  heartbeat({ next });
}

/** A heartbeat with more than a position: `lastBeat` gives it to the next attempt. */
export function heartbeat(details: object): void {
  const context = Context.current();
  // Temporal ends an activity whose details are too large: the last small ones are sent again, and the next attempt resumes there.
  if (jsonBytes(details) <= largestDetails) standings.set(context, details);
  context.heartbeat(standings.get(context) ?? context.info.heartbeatDetails);
}

/** What the last attempt's heartbeat carried; null where there is none of this shape. */
export function lastHeartbeat<T>(shape: z.ZodType<T>): T | null {
  const details = shape.safeParse(Context.current().info.heartbeatDetails);
  return details.success ? details.data : null;
}

/** What the activity's last heartbeat told. */
const standings = new WeakMap<Context, unknown>();

/** Beats between the steps of an activity too, without any news: a slow answer is not a dead worker. */
export const keepHeartbeating: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    const context = Context.current();
    const { heartbeatTimeoutMs, heartbeatDetails } = context.info;
    if (heartbeatTimeoutMs === undefined) return next(input);
    const beat = () => context.heartbeat(standings.get(context) ?? heartbeatDetails);
    const timer = setInterval(beat, heartbeatTimeoutMs / 4);
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

/** True when an earlier attempt may have done part of the work, and nobody can say which. */
export function isRetry(): boolean {
  return Context.current().info.attempt > 1;
}
