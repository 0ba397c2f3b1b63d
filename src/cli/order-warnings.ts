/** Reasons against starting a run now, from the orders in the ledger: what would be bought twice, or by a typing error. */
import type { Config } from '../config/config.ts';
import { findRun } from './configuration.ts';
import { intervalAt } from '../config/calendar/schedule-config.ts';
import { isExistingProfile, searchDigest } from '../config/profile-settings.ts';
import type { RunConfig } from '../config/run-settings.ts';
import type { DraftRow } from '../ledger/draft-store.ts';
import { unsuccessfulOrderStatuses } from '../service/contract/index.ts';
import { digest } from '../base/json/canonical-json.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PlacedOrder } from '../ledger/placed-orders.ts';
import type { ListedOrder } from '../service/client/order-client.ts';
import type { ProspectingClient } from '../service/client/prospecting-client.ts';
import { toStorableText } from '../base/text/storable.ts';
import { formatDateTime, formatDuration } from '../base/text/format-time.ts';
import { findBoughtRows, type BoughtRows } from './bought-rows.ts';

/** An order that is at least this many times larger than the last one may be a typing error. */
const unusualFactor = 10;
/** Earlier orders that are compared. */
const comparedOrders = 200;

export interface PlannedOrder {
  readonly runName: string;
  readonly settings: RunConfig;
  /** All runs of the configuration. */
  readonly runs: Readonly<Record<string, Pick<RunConfig, 'profile'>>>;
  /** The rows of an enrichment; null where the source is read later. */
  readonly rows: readonly DraftRow[] | null;
  /** `limits.repeat_after`. */
  readonly repeatAfterMilliseconds: number;
}

export function toPlannedOrder(config: Config, runName: string, rows: PlannedOrder['rows']): PlannedOrder {
  const { repeatAfterMilliseconds } = config.limits;
  const settings = findRun(config, runName);
  return { runName, settings, runs: config.runs, rows, repeatAfterMilliseconds };
}

interface OrderSources {
  /** null where there is none yet. */
  readonly ledger: Pick<Ledger, 'orders' | 'drafts' | 'profiles'> | null;
  /** null: the orders of the service are not compared. */
  readonly prospecting: { readonly orders: Pick<ProspectingClient['orders'], 'list'> } | null;
}

export interface OrderWarnings {
  /** The user has to confirm the order. */
  readonly warnings: readonly string[];
  /** Only said. */
  readonly notes: readonly string[];
}

export async function findOrderWarnings(
  { ledger, prospecting }: OrderSources,
  planned: PlannedOrder,
  now: Date,
): Promise<OrderWarnings> {
  if (ledger === null) return { warnings: await warnOfUnknownOrder(null, prospecting, planned, now), notes: [] };
  const last = await ledger.orders.lastOfRun(planned.runName);
  const newest = await ledger.orders.newest(planned.settings.kind, comparedOrders);
  const others = newest.filter(({ orderId }) => orderId !== last?.orderId);
  const asks = planned.repeatAfterMilliseconds > 0;
  const compared = asks ? [...(last === null ? [] : [last]), ...others] : [];
  const bought = await findBoughtRows(ledger, planned.rows ?? [], compared);
  const unknown = await warnOfUnknownOrder(ledger.orders, prospecting, planned, now);
  const repetition = last === null ? [] : warnOfRepetition(planned, { last, bought }, now);
  const rest = repetition.length === 0 ? bought : bought.filter(({ order }) => order !== last);
  const rows = describeBought(planned, rest);
  const isAsked = isRepeated(planned, bought) || rest.some(({ order }) => isRecent(planned, order, now));
  return {
    warnings: [
      ...unknown,
      ...(last === null ? [] : warnOfQuantity(planned, last)),
      ...repetition,
      ...(isAsked ? rows : []),
      ...(asks ? warnOfProfile(planned, await findProfiles(ledger, planned), { others, now }) : []),
    ],
    notes: isAsked ? [] : rows,
  };
}

/**
 * An order of the service that this ledger does not have: the ledger may be a new one, an older copy, or that of another folder. Only the
 * newest order of the run's title counts, and for a ledger without any order the newest one of whatever title, if it is recent.
 */
async function warnOfUnknownOrder(
  orders: Ledger['orders'] | null,
  prospecting: OrderSources['prospecting'],
  { runName, settings, repeatAfterMilliseconds }: PlannedOrder,
  now: Date,
): Promise<string[]> {
  const unsuccessful: readonly (string | null)[] = unsuccessfulOrderStatuses;
  const listed = ((await prospecting?.orders.list()) ?? []).filter(({ status }) => !unsuccessful.includes(status));
  const isNew = orders === null || (await orders.newestIds(1)).length === 0;
  const isYoung = ({ created_at: at }: ListedOrder) =>
    at !== null && now.getTime() - new Date(at).getTime() < repeatAfterMilliseconds;
  const sameTitle = listed.find(({ title }) => title === toStorableText(settings.title));
  const found = sameTitle ?? (isNew ? listed.find(isYoung) : undefined);
  if (found === undefined || (await orders?.get(found.order_id)) !== undefined) return [];
  const { order_id: orderId, created_at: createdAt } = found;
  const placed = createdAt === null ? '' : ` of ${formatDateTime(new Date(createdAt))}`;
  const title = found === sameTitle ? ` with the title of run ${runName}` : '';
  const lacks = isNew ? 'has no order' : 'does not have it';
  const remedy =
    found === sameTitle ? `; to continue with that order, run: prospect-sync ingest ${orderId} --run ${runName}` : '';
  return [
    `Unknown order: the service has order ${orderId}${placed}${title}, and this ledger ${lacks}. The ledger may be a new one, an older copy, or that of another folder. A new run may buy the same companies again${remedy}`,
  ];
}

function warnOfQuantity({ runName, settings }: PlannedOrder, { orderId, requestedCount }: PlacedOrder): string[] {
  if (settings.kind !== 'discovery' || requestedCount === 0) return [];
  if (settings.briefingQuantity < unusualFactor * requestedCount) return [];
  const [quantity, former] = [settings.briefingQuantity, requestedCount].map((count) => count.toLocaleString('en'));
  return [
    `Unusually large order: run ${runName} orders ${quantity} companies, and its last order had ${former} (order ${orderId}). Check briefing_quantity.`,
  ];
}

/** Whether every row was ordered before. */
function isRepeated({ rows }: PlannedOrder, bought: readonly BoughtRows[]): boolean {
  return rows !== null && rows.length > 0 && bought.reduce((sum, each) => sum + each.rows, 0) === rows.length;
}

/** The time within which an order may be a mistake: the interval of the run's schedule for its own orders, otherwise `limits.repeat_after`. */
function intervalOf({ runName, settings, repeatAfterMilliseconds }: PlannedOrder, order: PlacedOrder, now: Date) {
  const own = settings.schedule === null || order.runName !== runName ? null : intervalAt(settings.schedule, now);
  return own === null
    ? {
        milliseconds: repeatAfterMilliseconds,
        says: `limits.repeat_after is ${formatDuration(repeatAfterMilliseconds)}`,
      }
    : { milliseconds: own, says: `the times of its schedule are ${formatDuration(own)} apart` };
}

function isRecent(planned: PlannedOrder, order: PlacedOrder, now: Date): boolean {
  return now.getTime() - order.placedAt.getTime() < intervalOf(planned, order, now).milliseconds;
}

/** The last order of the run had all rows, whatever its age, or it is so young that the new one may be a mistake. */
function warnOfRepetition(
  planned: PlannedOrder,
  { last, bought }: { readonly last: PlacedOrder; readonly bought: readonly BoughtRows[] },
  now: Date,
): string[] {
  const { runName, settings, repeatAfterMilliseconds } = planned;
  const { orderId, placedAt } = last;
  if (repeatAfterMilliseconds === 0) return [];
  const own = bought.filter(({ order }) => order === last);
  if (!isRepeated(planned, own) && !isRecent(planned, last, now)) return [];
  const repeated = own[0]?.rows ?? 0;
  const again =
    settings.kind === 'discovery'
      ? `buys another ${settings.briefingQuantity.toLocaleString('en')} companies`
      : repeated === 0
        ? 'places another order'
        : `buys ${repeated.toLocaleString('en')} rows again that this order had`;
  const age = formatDuration(now.getTime() - placedAt.getTime());
  return [
    `Repeated order: run ${runName} placed order ${orderId} ${age} ago (${formatDateTime(placedAt)}), and ${intervalOf(planned, last, now).says}. A new run ${again}; to continue with the last one, run: prospect-sync ingest ${orderId} --run ${runName}`,
  ];
}

/** Orders that a message names. */
const ordersShown = 5;

function describeBought({ rows }: PlannedOrder, bought: readonly BoughtRows[]): string[] {
  if (bought.length === 0) return [];
  const total = bought.reduce((sum, each) => sum + each.rows, 0);
  const shown = bought
    .slice(0, ordersShown)
    .map((each) => `${each.rows.toLocaleString('en')} ${describeOrder(each.order)}`);
  const more = bought.length > ordersShown ? [`the others by ${bought.length - ordersShown} more orders`] : [];
  return [
    `Rows ordered before: ${total.toLocaleString('en')} of ${(rows?.length ?? 0).toLocaleString('en')} rows, ${[...shown, ...more].join(', ')}. A new run buys them again; take them out of the source if you have their results`,
  ];
}

function describeOrder({ orderId, runName, placedAt }: PlacedOrder): string {
  const by = runName === null ? 'by order' : `by run ${runName} with order`;
  return `${by} ${orderId} of ${formatDateTime(placedAt)}`;
}

/** Ids of the profiles that were created for the search of the run, under whatever name. */
async function findProfiles(
  { profiles }: Pick<Ledger, 'profiles'>,
  { settings, runs }: PlannedOrder,
): Promise<Set<string>> {
  if (isExistingProfile(settings.profile)) return new Set([settings.profile.profile_id]);
  const search = searchDigest(settings.profile);
  const ids = new Set<string>();
  for (const { profile } of [settings, ...Object.values(runs)]) {
    const id = searchDigest(profile) === search ? (await profiles.get(digest(profile)))?.profileId : null;
    if (id != null) ids.add(id);
  }
  return ids;
}

/** The order may be that of the same run under its former name, or of a copy of the run. */
function warnOfProfile(
  planned: PlannedOrder,
  profileIds: ReadonlySet<string>,
  { others, now }: { readonly others: readonly PlacedOrder[]; readonly now: Date },
): string[] {
  const { runName, settings, runs } = planned;
  if (settings.kind !== 'discovery') return [];
  const found = others.find(
    (order) => profileIds.has(order.profileId ?? '') && order.runName !== runName && isRecent(planned, order, now),
  );
  if (found === undefined) return [];
  const isGone = found.runName !== null && !Object.hasOwn(runs, found.runName);
  const gone = isGone ? ', the configuration has no run of that name' : '';
  return [
    `Same search profile: it was ordered ${describeOrder(found)}${gone}, and ${intervalOf(planned, found, now).says}. A new run buys another ${settings.briefingQuantity.toLocaleString('en')} companies, which may be the same ones`,
  ];
}
