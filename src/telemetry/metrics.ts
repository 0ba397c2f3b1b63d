// Our own metrics, for Prometheus. Labels are words of this program and statuses: few, and never of a person or an order.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Usage } from '../hubspot/gate.ts';
import { LedgerError } from '../ledger/error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { retryAfterSeconds } from '../retry-after.ts';
import type { CallWatcher } from './calls.ts';

/** What the gauges ask when they are read. */
export interface MetricSources {
  readonly ledger: Pick<Ledger, 'orders' | 'condition'>;
  readonly hubspot: { readonly usage: () => Usage };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** `clock`: milliseconds since the epoch. */
export function createMetrics(clock: () => number = Date.now) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  let sources: MetricSources | undefined;

  const slots = new Counter({
    name: 'prospect_sync_slots_collected_total',
    help: 'Published slots that were stored; a page that is read again after a crash counts again.',
    registers,
  });
  const outcomes = new Counter({
    name: 'prospect_sync_outcomes_total',
    help: 'What became of companies and contacts in the CRM, each time it was recorded.',
    labelNames: ['item', 'outcome'] as const,
    registers,
  });
  const calls = new Counter({
    name: 'prospect_sync_calls_total',
    help: 'Answers by system and status; status none where no answer came.',
    labelNames: ['system', 'status'] as const,
    registers,
  });
  const callSeconds = new Histogram({
    name: 'prospect_sync_call_duration_seconds',
    help: 'From the sending of a call to the first byte of its answer.',
    labelNames: ['system'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const waited = new Counter({
    name: 'prospect_sync_limit_wait_seconds_total',
    help: 'Seconds that calls waited for the limits of HubSpot, and that the service asked to wait (Retry-After).',
    labelNames: ['system'] as const,
    registers,
  });
  const held = new Counter({
    name: 'prospect_sync_calls_held_total',
    help: 'Calls to HubSpot that were put off because a limit would have made them wait for too long.',
    registers,
  });
  const openOrders = new Gauge({
    name: 'prospect_sync_open_orders',
    help: 'Orders in the ledger that were not rejected, cancelled or failed and have no proof yet.',
    registers,
  });
  const oldestOpenOrder = new Gauge({
    name: 'prospect_sync_oldest_open_order_age_seconds',
    help: 'How long the ledger has known the oldest open order; 0 without one.',
    registers,
  });
  const ledgerBytes = new Gauge({
    name: 'prospect_sync_ledger_size_bytes',
    help: 'Size of the ledger: its file, or its PostgreSQL database.',
    registers,
  });
  const ledgerUp = new Gauge({
    name: 'prospect_sync_ledger_up',
    help: '1 when the ledger answered this time, else 0; the other figures about it are then the last ones.',
    registers,
  });

  async function askLedger({ orders, condition }: MetricSources['ledger']): Promise<void> {
    try {
      const { count, oldest } = await orders.open();
      openOrders.set(count);
      oldestOpenOrder.set(oldest === null ? 0 : Math.max(0, (clock() - Date.parse(oldest)) / 1_000));
      ledgerBytes.set(await condition.bytes());
      ledgerUp.set(1);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      ledgerUp.set(0);
    }
  }

  function askHubSpot({ usage }: MetricSources['hubspot']): void {
    const { secondsWaited, held: calls } = usage();
    // The client has added up already.
    waited.remove({ system: 'hubspot' });
    waited.inc({ system: 'hubspot' }, secondsWaited);
    held.reset();
    held.inc(calls);
  }

  const watchCall: CallWatcher = async ({ system }, send) => {
    const end = callSeconds.startTimer({ system });
    let status = 'none';
    try {
      const response = await send();
      status = String(response.status);
      if (system === 'service') {
        waited.inc({ system }, retryAfterSeconds(response.headers.get('retry-after'), clock()) ?? 0);
      }
      return response;
    } finally {
      end();
      calls.inc({ system, status });
    }
  };

  return {
    watchCall,
    /** The same ledger; what it stores is counted. */
    watchLedger: (ledger: Ledger): Ledger => ({
      ...ledger,
      slots: {
        ...ledger.slots,
        async save(orderId, rows) {
          await ledger.slots.save(orderId, rows);
          slots.inc(rows.length);
        },
      },
      outcomes: {
        ...ledger.outcomes,
        async record(rows) {
          await ledger.outcomes.record(rows);
          for (const { item, outcome } of rows) {
            outcomes.inc({ item: item === 'company' ? 'company' : 'contact', outcome });
          }
        },
      },
    }),
    /** From now on the gauges have whom to ask. */
    read(from: MetricSources) {
      sources = from;
    },
    /** In the text format of Prometheus. */
    async text(): Promise<string> {
      if (sources !== undefined) {
        askHubSpot(sources.hubspot);
        await askLedger(sources.ledger);
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
