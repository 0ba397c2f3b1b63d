/** Time-outs of the activities, by what they do. Errors that no retry mends say so themselves. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ActivityTimeouts } from '../src/config/run-plan.ts';

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

const dayMs = 86_400_000;

/** The longest outage of either side that is waited out. */
export const outageMs = 14 * dayMs;

/** The longest that an order may take until it is published. */
export const publicationMs = 30 * dayMs;

/** Heartbeats tell a dead worker from a slow answer: the worker beats for every activity, also between its steps. */
type HeartbeatTimeout = Pick<ActivityTimeouts, 'heartbeatTimeoutMs'>;

/** Single calls of seconds. */
export function shortActivities({ heartbeatTimeoutMs }: HeartbeatTimeout) {
  return proxyActivities<Activities>({
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: outageMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry,
  });
}

/** Work in chunks of minutes, whose heartbeats also tell where it stood. */
export function batchActivities({ heartbeatTimeoutMs }: HeartbeatTimeout) {
  return proxyActivities<Activities>({
    startToCloseTimeout: '2 hours',
    scheduleToCloseTimeout: outageMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry,
  });
}

/** Summary of prepareCrm, which several workflows ask for. */
export const prepareCrmSummary = 'our own properties, and those of the mapping';

/** Waiting for the service; each attempt is one look, and says when the next one is due. */
export function pollingActivities({ heartbeatTimeoutMs }: HeartbeatTimeout, summary?: string) {
  return proxyActivities<Activities>({
    ...(summary === undefined ? {} : { summary }),
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: publicationMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry,
  });
}
