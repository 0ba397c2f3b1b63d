/** Reasons against starting a run now, from its last order in the ledger: what would be bought twice, or by a typing error. */
import { createHash } from 'node:crypto';
import { intervalAt } from '../calendar/schedule-config.ts';
import type { RunConfig } from '../config/run-settings.ts';
import type { DraftRow } from '../ledger/draft-store.ts';
import { unsuccessfulOrderStatuses } from '../contract/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ProspectingClient } from '../prospecting/prospecting-client.ts';
import { toStorableText } from '../text/storable.ts';
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

interface OrderSources {
  readonly ledger: Pick<Ledger, 'orders' | 'drafts'>;
  readonly prospecting: { readonly orders: Pick<ProspectingClient['orders'], 'list'> };
}

export async function findOrderWarnings(
  { ledger: { orders, drafts }, prospecting }: OrderSources,
  planned: PlannedOrder,
  now: Date,
): Promise<string[]> {
  const last = await orders.lastOfRun(planned.runName);
  if (last === null) return warnOfUnknownOrder({ orders, prospecting }, planned);
  const draft = planned.rows === null ? null : await drafts.ofOrder(last.orderId);
  const repeated = draft === null ? 0 : await countRepeated(planned.rows ?? [], drafts.stream(draft.draftId));
  return [...warnOfQuantity(planned, last), ...warnOfRepetition(planned, { ...last, repeated }, now)];
}

/** A ledger without an order of the run may be a lost one, or that of another folder: the service may know more. */
async function warnOfUnknownOrder(
  { orders, prospecting }: { readonly orders: Ledger['orders']; readonly prospecting: OrderSources['prospecting'] },
  { runName, settings }: PlannedOrder,
): Promise<string[]> {
  const listed = (await prospecting.orders.list()) ?? [];
  const unsuccessful: readonly (string | null)[] = unsuccessfulOrderStatuses;
  for (const { order_id: orderId, title, status, created_at: createdAt } of listed) {
    if (title !== toStorableText(settings.title) || unsuccessful.includes(status)) continue;
    if ((await orders.get(orderId)) !== undefined) return [];
    const placed = createdAt === null ? '' : ` of ${formatDateTime(new Date(createdAt))}`;
    return [
      `Unknown order: the service has order ${orderId}${placed} with the title of run ${runName}, and this ledger has no order of this run. The ledger may be a new one, or that of another folder. A new run may buy the same companies again; to continue with that order, run: prospect-sync ingest ${orderId} --run ${runName}`,
    ];
  }
  return [];
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
  if (repeatAfterMilliseconds === 0) return [];
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

/** Number of rows that are also in the other draft. Compares digests, because a draft may have a million rows. */
async function countRepeated(rows: readonly DraftRow[], former: AsyncIterable<readonly string[]>): Promise<number> {
  const digests = new Set<string>();
  for await (const page of former) for (const json of page) digests.add(digestOf(json));
  return rows.filter(({ json }) => digests.has(digestOf(json))).length;
}

function digestOf(json: string): string {
  return createHash('sha256').update(json).digest('base64');
}
