/** Heartbeats that carry where a chunk stands, so that the next attempt goes on there. */
import { Context } from '@temporalio/activity';
import { z } from 'zod';

const detailsSchema = z.object({ next: z.int().min(0) });

/** The position where the last attempt stood, or `from`. Progress after the last heartbeat that arrived is done again. */
export function resumeFrom(from: number): number {
  const details = detailsSchema.safeParse(Context.current().info.heartbeatDetails);
  return details.success ? Math.max(from, details.data.next) : from;
}

export function reached(next: number): void {
  Context.current().heartbeat({ next });
}

export function cancellation(): AbortSignal {
  return Context.current().cancellationSignal;
}

/** True when an earlier attempt may have done part of the work, and nobody can say which. */
export function isRepeated(): boolean {
  return Context.current().info.attempt > 1;
}
