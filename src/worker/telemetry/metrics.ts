// The metrics of prospect-sync, for Prometheus.
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Usage } from '../../hubspot/request-queue.ts';
import { replyStates } from '../../ledger/inbox-rows.ts';
import { LedgerError } from '../../ledger/ledger-error.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { retryAfterSeconds } from '../../base/http/http-answer.ts';
import type { CallWatcher } from './calls.ts';
import { beginAtZero, defineMetrics } from './metric-definitions.ts';
import { rejectOnAbort } from '../../base/host/reject-on-abort.ts';

/** Sources of the gauges, read when Prometheus scrapes them. */
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
  const { slots, outcomes, calls, callSeconds, waited, postponed, openOrders, oldestOpenOrder, ledgerBytes, ledgerUp } =
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
    const { secondsWaited, postponed: calls } = usage();
    // The client counts its total.
    waited.remove({ system: 'hubspot' });
    waited.inc({ system: 'hubspot' }, secondsWaited);
    postponed.reset();
    postponed.inc(calls);
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
