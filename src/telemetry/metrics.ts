// Our own metrics, for Prometheus.
import { Registry, collectDefaultMetrics, Counter, Gauge, Histogram } from 'prom-client';
import type { Usage } from '../hubspot/request-queue.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { retryAfterSeconds } from '../http/http-answer.ts';
import type { CallWatcher, System } from './calls.ts';
import { orNullAfter } from '../host/promise-limits.ts';
import { outcomeNames } from '../ledger/record-outcome.ts';

/** What the gauges ask when they are read. */
export interface MetricSources {
  readonly ledger: Pick<Ledger, 'orders' | 'condition'>;
  readonly hubspot: { readonly usage: () => Usage };
  /** Rejects or hangs where Temporal does not answer. */
  readonly temporal: () => Promise<unknown>;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** `clock`: milliseconds since the epoch. `patienceMilliseconds`: for the ledger and for Temporal. */
export function createMetrics(clock: () => number = Date.now, patienceMilliseconds = 2_000) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let sources: MetricSources | undefined;

  const defined = defineMetrics(registry);
  const { slots, outcomes, calls, callSeconds, waited, held, openOrders, oldestOpenOrder, ledgerBytes, ledgerUp } =
    defined;
  beginAtZero(defined);
  const oneFigures = oneAtATime<LedgerFigures>(patienceMilliseconds);
  const oneAnswer = oneAtATime<true>(patienceMilliseconds);

  async function askLedger(ledger: MetricSources['ledger']): Promise<void> {
    const figures = await oneFigures(() => readFigures(ledger));
    ledgerUp.set(figures === null ? 0 : 1);
    if (figures === null) return;
    const { count, oldest, bytes } = figures;
    openOrders.set(count);
    oldestOpenOrder.set(oldest === null ? 0 : Math.max(0, (clock() - Date.parse(oldest)) / 1_000));
    ledgerBytes.set(bytes);
  }

  async function askTemporal(temporal: MetricSources['temporal']): Promise<void> {
    const answer = await oneAnswer(() =>
      temporal().then(
        () => true,
        () => null,
      ),
    );
    defined.temporalUp.set(answer === null ? 0 : 1);
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
      if (system === 'service' && status === '429') {
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
    watchLedger: (ledger: Ledger): Ledger => countStored(ledger, { slots, outcomes }),
    /** From now on the gauges have whom to ask. */
    read(from: MetricSources) {
      sources = from;
    },
    /** In the text format of Prometheus. */
    async text(): Promise<string> {
      if (sources !== undefined) {
        askHubSpot(sources.hubspot);
        await Promise.all([askLedger(sources.ledger), askTemporal(sources.temporal)]);
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** null where no answer comes in time; while one is still awaited, nothing is asked again. */
function oneAtATime<T>(patienceMilliseconds: number) {
  let asked: Promise<T | null> | null = null;
  return (ask: () => Promise<T | null>): Promise<T | null> => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return orNullAfter(asked, patienceMilliseconds);
  };
}

type LedgerFigures = Awaited<ReturnType<Ledger['orders']['open']>> & { readonly bytes: number };

/** null: it does not answer. */
async function readFigures({ orders, condition }: MetricSources['ledger']): Promise<LedgerFigures | null> {
  try {
    return { ...(await orders.open()), bytes: await condition.bytes() };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return null;
  }
}

function countStored(
  ledger: Ledger,
  { slots, outcomes }: Pick<ReturnType<typeof defineMetrics>, 'slots' | 'outcomes'>,
): Ledger {
  return {
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
  };
}

/** Every metric of ours. Labels are words of this program and statuses: few, and never of a person or an order. */
function defineMetrics(registry: Registry) {
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
function beginAtZero({
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
