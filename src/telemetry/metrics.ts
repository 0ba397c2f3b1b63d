// The metrics of prospect-sync, for Prometheus.
import { Registry, collectDefaultMetrics, Counter, Gauge, Histogram } from 'prom-client';
import type { Usage } from '../hubspot/request-queue.ts';
import { replyStates } from '../ledger/tables.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { retryAfterSeconds } from '../http/http-answer.ts';
import type { CallWatcher, System } from './calls.ts';
import { rejectOnAbort } from '../host/reject-on-abort.ts';
import { outcomeNames } from '../mapping/crm-outcomes.ts';

/** What the gauges read when Prometheus scrapes them. */
export interface MetricSources {
  readonly ledger: Pick<Ledger, 'orders' | 'condition' | 'replies'>;
  readonly hubspot: { readonly usage: () => Usage };
  /** Rejects or hangs when Temporal does not answer. */
  readonly temporal: () => Promise<unknown>;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** `clock`: milliseconds since the epoch. `timeoutMs`: for the ledger and for Temporal. */
export function createMetrics(clock: () => number = Date.now, timeoutMs = 2_000) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let sources: MetricSources | undefined;

  const defined = defineMetrics(registry);
  const { slots, outcomes, calls, callSeconds, waited, held, openOrders, oldestOpenOrder, ledgerBytes, ledgerUp } =
    defined;
  beginAtZero(defined);
  const readLedgerOnce = oneAtATime<LedgerFigures>(timeoutMs);
  const pingTemporalOnce = oneAtATime<true>(timeoutMs);

  async function updateLedger(ledger: MetricSources['ledger']): Promise<void> {
    const figures = await readLedgerOnce(() => readFigures(ledger));
    ledgerUp.set(figures === null ? 0 : 1);
    if (figures === null) return;
    const { count, oldest, bytes, replies } = figures;
    openOrders.set(count);
    oldestOpenOrder.set(ageOf(oldest));
    for (const state of replyStates) {
      defined.replies.set({ state }, replies.find((each) => each.state === state)?.count ?? 0);
    }
    defined.oldestReply.set(ageOf(replies.find(({ state }) => state === 'received')?.oldest ?? null));
    ledgerBytes.set(bytes);
  }

  /** In seconds. */
  function ageOf(time: string | null): number {
    return time === null ? 0 : Math.max(0, (clock() - Date.parse(time)) / 1_000);
  }

  async function updateTemporal(temporal: MetricSources['temporal']): Promise<void> {
    const answer = await pingTemporalOnce(() =>
      temporal().then(
        () => true,
        () => null,
      ),
    );
    defined.temporalUp.set(answer === null ? 0 : 1);
  }

  function updateHubSpot({ usage }: MetricSources['hubspot']): void {
    const { secondsWaited, held: calls } = usage();
    // The client counts its total.
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
    /** Wraps the ledger and counts what it stores. */
    watchLedger: (ledger: Ledger): Ledger => countStored(ledger, { slots, outcomes }),
    /** Counts the answer to a webhook. */
    countDelivery: ({ endpoint, status, reason }: { endpoint: string; status: number; reason: string }): void =>
      defined.deliveries.inc({ endpoint, status: String(status), reason }),
    /** Sets the sources of the gauges. */
    readFrom(opened: MetricSources) {
      sources = opened;
    },
    /** In the text format of Prometheus. */
    async text(): Promise<string> {
      if (sources !== undefined) {
        updateHubSpot(sources.hubspot);
        await Promise.all([updateLedger(sources.ledger), updateTemporal(sources.temporal)]);
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** null when no answer comes in time. A pending call is awaited instead of starting another one. */
function oneAtATime<T>(timeoutMs: number) {
  let pending: Promise<T | null> | null = null;
  return (call: () => Promise<T | null>): Promise<T | null> => {
    pending ??= call().finally(() => {
      pending = null;
    });
    const timeout = AbortSignal.timeout(timeoutMs);
    return rejectOnAbort(pending, timeout).catch((error: unknown) => {
      if (error === timeout.reason) return null;
      throw error;
    });
  };
}

type LedgerFigures = Awaited<ReturnType<Ledger['orders']['open']>> & {
  readonly bytes: number;
  readonly replies: Awaited<ReturnType<Ledger['replies']['counts']>>;
};

/** null when the ledger does not answer. */
async function readFigures({ orders, condition, replies }: MetricSources['ledger']): Promise<LedgerFigures | null> {
  try {
    return { ...(await orders.open()), bytes: await condition.bytes(), replies: await replies.counts() };
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

/** All metrics of prospect-sync. Labels are fixed words and statuses: few values, and none of a person or an order. */
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
    held: new Counter({
      name: 'prospect_sync_calls_held_total',
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
function beginAtZero({
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
