// Our own metrics, for Prometheus.
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Usage } from '../hubspot/request-queue.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { retryAfterSeconds } from '../http/retry-after.ts';
import type { CallWatcher } from './calls.ts';
import { beginAtZero, defineMetrics } from './metric-definitions.ts';
import { orNullAfter } from './with-timeout.ts';

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
