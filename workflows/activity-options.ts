/** Timeouts of activities by kind. Activities mark errors that no retry resolves as non-retryable. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { dayMs } from '../src/base/day-milliseconds.ts';

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/** Activities are retried this long through an outage of HubSpot or the service. */
export const outageMs = 14 * dayMs;

/** The longest wait for the publication of an order. */
export const publicationMs = 30 * dayMs;

/**
 * Heartbeats distinguish a lost worker from a slow answer: the worker sends them for every activity. It writes this constant, which is
 * `temporal.heartbeat_timeout`, in front of the workflows (src/temporal/workflow-bundle.ts).
 */
declare const heartbeatTimeoutMs: number;

/** Activities of a few calls, which take seconds. */
export const shortActivities = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: outageMs,
  heartbeatTimeout: heartbeatTimeoutMs,
  retry,
});

/** Activities that process batches for minutes; heartbeats contain the position to resume from. */
export const batchActivities = proxyActivities<Activities>({
  startToCloseTimeout: '2 hours',
  scheduleToCloseTimeout: outageMs,
  heartbeatTimeout: heartbeatTimeoutMs,
  retry,
});

export const pollingOptions = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: publicationMs,
  heartbeatTimeout: heartbeatTimeoutMs,
  retry,
} as const;

/** Activities that wait for a state: each attempt polls once, and its failure sets the time of the next attempt. */
export const pollingActivities = proxyActivities<Activities>(pollingOptions);

export const prepareCrmSummary = 'own and mapped HubSpot properties';
