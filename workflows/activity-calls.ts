/** Time-outs of the activities, by what they do. Errors that no retry mends say so themselves. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { Pace } from '../src/run-plan.ts';

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/** The longest outage of either side that is waited out. */
const outage = '14 days';

/** Single calls of seconds. */
export function calls() {
  return proxyActivities<Activities>({ startToCloseTimeout: '2 minutes', scheduleToCloseTimeout: outage, retry });
}

/** Work in chunks of minutes: heartbeats tell a dead worker from a busy one, and where it stood. */
export function chunks({ heartbeatTimeoutMs }: Pace) {
  return proxyActivities<Activities>({
    startToCloseTimeout: '2 hours',
    scheduleToCloseTimeout: outage,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry,
  });
}

/** Waiting for the service; each attempt is one look, and says when the next one is due. */
export function waits() {
  return proxyActivities<Activities>({ startToCloseTimeout: '1 minute', scheduleToCloseTimeout: '30 days', retry });
}
