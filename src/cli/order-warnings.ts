import type { RunConfig } from '../config/run-settings.ts';
import type { LastOrder } from '../ledger/order-store.ts';
import { formatDateTime, formatDuration } from '../text/format-time.ts';
import { intervalAt } from '../calendar/schedule-interval.ts';

/** An order of so many times the last one, or more, is taken for a slip. */
const unusualFactor = 10;

/**
 * What speaks against starting a run now, by its last order in the ledger; empty where there is none. How much an
 * enrichment orders is not known yet.
 */
export function findOrderWarnings(name: string, run: RunConfig, last: LastOrder | null, now: Date): string[] {
  if (last === null) return [];
  return [...warnOfQuantity(name, run, last), ...warnOfRepetition(name, run, last, now)];
}

function warnOfQuantity(name: string, run: RunConfig, { orderId, requestedCount }: LastOrder): string[] {
  if (run.kind !== 'discovery' || requestedCount === 0 || run.briefingQuantity < unusualFactor * requestedCount)
    return [];
  const [quantity, former] = [run.briefingQuantity, requestedCount].map((count) => count.toLocaleString('en'));
  return [
    `Unusually large order: run ${name} orders ${quantity} companies, and ordered ${former} the last time (order ${orderId}). Check briefing_quantity.`,
  ];
}

function warnOfRepetition(
  name: string,
  { schedule }: RunConfig,
  { orderId, placedAt }: LastOrder,
  now: Date,
): string[] {
  if (schedule === null || placedAt === null) return [];
  const [interval, age] = [intervalAt(schedule, now), now.getTime() - placedAt.getTime()];
  if (interval === null || age >= interval) return [];
  return [
    `Repeated order: run ${name} placed order ${orderId} ${formatDuration(age)} ago (${formatDateTime(placedAt)}), and the times of its schedule are ${formatDuration(interval)} apart. A new run places another order; to continue with the last one, run: prospect-sync ingest ${orderId} --run ${name}`,
  ];
}
