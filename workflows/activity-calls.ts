/** Time-outs of the activities, by what they do. Errors that no retry mends say so themselves. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { Pace } from '../src/run-plan.ts';

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

const dayMs = 86_400_000;

/** The longest outage of either side that is waited out. */
export const outageMs = 14 * dayMs;

/** The longest that an order may take until it is published. */
export const publicationMs = 30 * dayMs;

/** Single calls of seconds. */
export function calls() {
  return proxyActivities<Activities>({ startToCloseTimeout: '2 minutes', scheduleToCloseTimeout: outageMs, retry });
}

/** Work in chunks of minutes: heartbeats tell a dead worker from a busy one, and where it stood. */
export function chunks({ heartbeatTimeoutMs }: Pace) {
  return proxyActivities<Activities>({
    startToCloseTimeout: '2 hours',
    scheduleToCloseTimeout: outageMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry,
  });
}

/** Summary of prepareCrm, which several workflows ask for. */
export const preparing = 'our own properties, and those of the mapping';

/** Waiting for the service; each attempt is one look, and says when the next one is due. */
export function waits() {
  return proxyActivities<Activities>({ startToCloseTimeout: '1 minute', scheduleToCloseTimeout: publicationMs, retry });
}
