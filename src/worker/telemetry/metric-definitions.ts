import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { outcomeNames } from '../../ledger/crm-outcomes.ts';
import type { System } from './calls.ts';

/** All metrics of prospect-sync. Labels are fixed words and statuses: few values, and none of a person or an order. */
export function defineMetrics(registry: Registry) {
  const registers = [registry];
  return {
    slots: new Counter({
      name: 'prospect_sync_slots_collected_total',
      help: 'Published slots that were stored; a page that is read again after a crash counts again.',
      registers,
    }),
    outcomes: new Counter({
      name: 'prospect_sync_outcomes_total',
      help: 'Outcomes of companies and contacts in the CRM, counted each time one is recorded.',
      labelNames: ['item', 'outcome'] as const,
      registers,
    }),
    calls: new Counter({
      name: 'prospect_sync_calls_total',
      help: 'Answers by system and status; status none when there was no answer.',
      labelNames: ['system', 'status'] as const,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'prospect_sync_call_duration_seconds',
      help: 'Time from sending a call to the first byte of its answer.',
      labelNames: ['system'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    waited: new Counter({
      name: 'prospect_sync_limit_wait_seconds_total',
      help: 'Seconds that calls waited for the rate limits of HubSpot, and that the service requested by Retry-After.',
      labelNames: ['system'] as const,
      registers,
    }),
    postponed: new Counter({
      name: 'prospect_sync_calls_postponed_total',
      help: 'Calls to HubSpot that were postponed because a rate limit would have delayed them too long.',
      registers,
    }),
    openOrders: new Gauge({
      name: 'prospect_sync_open_orders',
      help: 'Orders in the ledger without a certificate that were not rejected, cancelled or failed.',
      registers,
    }),
    oldestOpenOrder: new Gauge({
      name: 'prospect_sync_oldest_open_order_age_seconds',
      help: 'Age of the oldest open order in the ledger; 0 when there is none.',
      registers,
    }),
    deliveries: new Counter({
      name: 'prospect_sync_webhooks_total',
      help: 'Webhooks that were received, by endpoint, status and reason of the answer.',
      labelNames: ['endpoint', 'status', 'reason'] as const,
      registers,
    }),
    replies: new Gauge({
      name: 'prospect_sync_replies',
      help: 'Replies in the ledger by state: received (not processed yet), processed, quarantined, failed, test.',
      labelNames: ['state'] as const,
      registers,
    }),
    oldestReply: new Gauge({
      name: 'prospect_sync_oldest_unprocessed_reply_age_seconds',
      help: 'Age of the oldest reply that is not processed yet; 0 when there is none.',
      registers,
    }),
    ledgerBytes: new Gauge({
      name: 'prospect_sync_ledger_size_bytes',
      help: 'Size of the ledger: its file, or its PostgreSQL database.',
      registers,
    }),
    ledgerUp: new Gauge({
      name: 'prospect_sync_ledger_up',
      help: '1 when the ledger answered this scrape, else 0; the other ledger metrics then keep their last values.',
      registers,
    }),
    temporalUp: new Gauge({
      name: 'prospect_sync_temporal_up',
      help: '1 when Temporal answered this scrape, else 0.',
      registers,
    }),
  };
}

const systems: readonly System[] = ['service', 'hubspot'];
/** The statuses that alerts use (deploy/prometheus/rules.yml). */
const statusesOfAlerts = ['401', '403', '429', '500', '502', '503', '504', 'none'];

const answersOfAlerts = [
  ['401', 'no_match'],
  ['503', 'unavailable'],
] as const;

/** Creates the series with 0: the rate of a series that starts with 1 would not show its first event. */
export function beginAtZero({
  calls,
  outcomes,
  waited,
  deliveries,
}: Pick<ReturnType<typeof defineMetrics>, 'calls' | 'outcomes' | 'waited' | 'deliveries'>): void {
  for (const endpoint of ['replies', 'order_status']) {
    for (const [status, reason] of answersOfAlerts) deliveries.inc({ endpoint, status, reason }, 0);
  }
  for (const system of systems) {
    waited.inc({ system }, 0);
    for (const status of statusesOfAlerts) calls.inc({ system, status }, 0);
  }
  for (const item of ['company', 'contact']) {
    for (const outcome of outcomeNames) outcomes.inc({ item, outcome }, 0);
  }
}
