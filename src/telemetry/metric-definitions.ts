import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { outcomeNames } from '../ledger/record-outcome.ts';
import type { System } from './calls.ts';

/** Every metric of ours. Labels are words of this program and statuses: few, and never of a person or an order. */
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
      help: 'What became of companies and contacts in the CRM, each time it was recorded.',
      labelNames: ['item', 'outcome'] as const,
      registers,
    }),
    calls: new Counter({
      name: 'prospect_sync_calls_total',
      help: 'Answers by system and status; status none where no answer came.',
      labelNames: ['system', 'status'] as const,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'prospect_sync_call_duration_seconds',
      help: 'From the sending of a call to the first byte of its answer.',
      labelNames: ['system'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    waited: new Counter({
      name: 'prospect_sync_limit_wait_seconds_total',
      help: 'Seconds that calls waited for the limits of HubSpot, and that the service asked to wait (Retry-After).',
      labelNames: ['system'] as const,
      registers,
    }),
    held: new Counter({
      name: 'prospect_sync_calls_held_total',
      help: 'Calls to HubSpot that were put off because a limit would have made them wait for too long.',
      registers,
    }),
    openOrders: new Gauge({
      name: 'prospect_sync_open_orders',
      help: 'Orders in the ledger that were not rejected, cancelled or failed and have no proof yet.',
      registers,
    }),
    oldestOpenOrder: new Gauge({
      name: 'prospect_sync_oldest_open_order_age_seconds',
      help: 'How long the ledger has known the oldest open order; 0 without one.',
      registers,
    }),
    ledgerBytes: new Gauge({
      name: 'prospect_sync_ledger_size_bytes',
      help: 'Size of the ledger: its file, or its PostgreSQL database.',
      registers,
    }),
    ledgerUp: new Gauge({
      name: 'prospect_sync_ledger_up',
      help: '1 when the ledger answered this time, else 0; the other figures about it are then the last ones.',
      registers,
    }),
    temporalUp: new Gauge({
      name: 'prospect_sync_temporal_up',
      help: '1 when Temporal answered this time, else 0.',
      registers,
    }),
  };
}

const systems: readonly System[] = ['service', 'hubspot'];
/** What alerts ask for (deploy/prometheus/rules.yml). */
const statusesOfAlerts = ['401', '403', '429', '500', '502', '503', '504', 'none'];

/** A series that is born with its first 1 has never grown: an alarm on its rate would miss the first, and perhaps only one. */
export function beginAtZero({
  calls,
  outcomes,
  waited,
}: Pick<ReturnType<typeof defineMetrics>, 'calls' | 'outcomes' | 'waited'>): void {
  for (const system of systems) {
    waited.inc({ system }, 0);
    for (const status of statusesOfAlerts) calls.inc({ system, status }, 0);
  }
  for (const item of ['company', 'contact']) {
    for (const outcome of outcomeNames) outcomes.inc({ item, outcome }, 0);
  }
}
