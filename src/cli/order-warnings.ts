/** Reasons against starting a run now, from its last order in the ledger: what would be bought twice, or by a typing error. */
import { createHash } from 'node:crypto';
import { intervalAt } from '../calendar/schedule-config.ts';
import type { RunConfig } from '../config/run-settings.ts';
import type { DraftRow } from '../ledger/draft-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LastOrder } from '../ledger/order-store.ts';
import { formatDateTime, formatDuration } from '../text/format-time.ts';

/** An order that is at least this many times larger than the last one may be a typing error. */
const unusualFactor = 10;

export interface PlannedOrder {
  readonly runName: string;
  readonly settings: RunConfig;
  /** The rows of an enrichment from a file or a query; null where the source is read later. */
  readonly rows: readonly DraftRow[] | null;
  /** `limits.repeat_after`. */
  readonly repeatAfterMilliseconds: number;
}

export async function findOrderWarnings(
  { orders, drafts }: Pick<Ledger, 'orders' | 'drafts'>,
  planned: PlannedOrder,
  now: Date,
): Promise<string[]> {
  const last = await orders.lastOfRun(planned.runName);
  if (last === null) return [];
  const draft = planned.rows === null ? null : await drafts.ofOrder(last.orderId);
  const repeated = draft === null ? 0 : await countRepeated(planned.rows ?? [], drafts.stream(draft.draftId));
  return [...warnOfQuantity(planned, last), ...warnOfRepetition(planned, { ...last, repeated }, now)];
}

function warnOfQuantity({ runName, settings }: PlannedOrder, { orderId, requestedCount }: LastOrder): string[] {
  if (settings.kind !== 'discovery' || requestedCount === 0) return [];
  if (settings.briefingQuantity < unusualFactor * requestedCount) return [];
  const [quantity, former] = [settings.briefingQuantity, requestedCount].map((count) => count.toLocaleString('en'));
  return [
    `Unusually large order: run ${runName} orders ${quantity} companies, and its last order had ${former} (order ${orderId}). Check briefing_quantity.`,
  ];
}

/** An order with the same rows, whatever its age, or an order so soon that it may be a mistake. */
function warnOfRepetition(
  { runName, settings, rows, repeatAfterMilliseconds }: PlannedOrder,
  { orderId, placedAt, repeated }: LastOrder & { readonly repeated: number },
  now: Date,
): string[] {
  if (placedAt === null || repeatAfterMilliseconds === 0) return [];
  const age = now.getTime() - placedAt.getTime();
  const interval = settings.schedule === null ? null : intervalAt(settings.schedule, now);
  const isSame = rows !== null && rows.length > 0 && repeated === rows.length;
  if (!isSame && age >= (interval ?? repeatAfterMilliseconds)) return [];
  const limit =
    interval === null
      ? `limits.repeat_after is ${formatDuration(repeatAfterMilliseconds)}`
      : `the times of its schedule are ${formatDuration(interval)} apart`;
  const bought =
    settings.kind === 'discovery'
      ? `buys another ${settings.briefingQuantity.toLocaleString('en')} companies`
      : repeated === 0
        ? 'places another order'
        : `buys ${repeated.toLocaleString('en')} rows again that this order had`;
  return [
    `Repeated order: run ${runName} placed order ${orderId} ${formatDuration(age)} ago (${formatDateTime(placedAt)}), and ${limit}. A new run ${bought}; to continue with the last one, run: prospect-sync ingest ${orderId} --run ${runName}`,
  ];
}

/** How many of the rows stand in the other draft too. Digests, because a draft may have a million rows. */
async function countRepeated(rows: readonly DraftRow[], former: AsyncIterable<readonly string[]>): Promise<number> {
  const digests = new Set<string>();
  for await (const page of former) for (const json of page) digests.add(digestOf(json));
  return rows.filter(({ json }) => digests.has(digestOf(json))).length;
}

function digestOf(json: string): string {
  return createHash('sha256').update(json).digest('base64');
}
