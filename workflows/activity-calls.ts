/** Time-outs of the activities, by what they do. Retries have no end of their own: errors that no retry mends say so. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { Pace } from '../src/run-plan.ts';

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/** Single calls of seconds. */
export function calls() {
  return proxyActivities<Activities>({ startToCloseTimeout: '2 minutes', retry });
}

/** Work in chunks of minutes: heartbeats tell a dead worker from a busy one, and where it stood. */
export function chunks({ heartbeatTimeoutMs }: Pace) {
  return proxyActivities<Activities>({ startToCloseTimeout: '2 hours', heartbeatTimeout: heartbeatTimeoutMs, retry });
}

/** Waiting for the service; each attempt is one look, and says when the next one is due. */
export function waits() {
  return proxyActivities<Activities>({ startToCloseTimeout: '1 minute', scheduleToCloseTimeout: '30 days', retry });
}
