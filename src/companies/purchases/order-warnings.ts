/** Reasons against placing an order now, from the orders in the ledger: what would be bought twice, or by a typing error. */
import { intervalAt } from '../../config/calendar/schedule-config.ts';
import { isExistingProfile, searchDigest } from '../../config/profile-settings.ts';
import type { RunPlan } from '../../config/run-plan.ts';
import type { CompanyRow } from '../../service/contract/index.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PlacedOrder } from '../../ledger/placed-orders.ts';
import { formatDateTime, formatDuration } from '../../base/text/format-time.ts';
import { findBoughtRows, type BoughtRows } from './bought-rows.ts';
import { warnOfUnknownOrder, type UnknownOrderSources } from './unknown-order.ts';

/** An order that is at least this many times larger than the last one may be a typing error. */
const unusualFactor = 10;
/** Earlier orders that are compared. */
const comparedOrders = 200;

export interface PlannedOrder {
  readonly plan: RunPlan;
  /** The rows of an enrichment, as it would submit them; null where the source is read later. */
  readonly rows: readonly CompanyRow[] | null;
  /** Whether exclusions may leave out some of `rows`. */
  readonly isBeforeExclusions: boolean;
  /** Whether the configuration has a run of that name. */
  readonly isConfigured: (runName: string) => boolean;
}

export function toPlannedOrder(
  plan: RunPlan,
  draft: { readonly rows: readonly { readonly company: CompanyRow }[] } | null,
  { runs }: { readonly runs: Readonly<Record<string, unknown>> },
): PlannedOrder {
  const rows = draft?.rows.map(({ company }) => company) ?? null;
  const isBeforeExclusions = rows !== null && plan.exclusions.length > 0;
  return { plan, rows, isBeforeExclusions, isConfigured: (runName) => Object.hasOwn(runs, runName) };
}

interface OrderSources extends UnknownOrderSources {
  readonly ledger: Pick<Ledger, 'orders' | 'drafts' | 'profiles'> | null;
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
  if (ledger === null)
    return { warnings: await warnOfUnknownOrder({ ledger, prospecting }, planned.plan, now), notes: [] };
  const { kind, runName, repeatAfterMilliseconds } = planned.plan;
  const last = await ledger.orders.lastOfRun(runName);
  const newest = await ledger.orders.newest(kind, comparedOrders);
  // An order of this run that is being placed is continued by the next run.
  const others = newest.filter((order) =>
    order.orderId === null ? order.runName !== runName : order.orderId !== last?.orderId,
  );
  const asks = repeatAfterMilliseconds > 0;
  const compared = asks ? [...(last === null ? [] : [last]), ...others] : [];
  const bought = await findBoughtRows(ledger, planned.rows ?? [], compared);
  const unknown = await warnOfUnknownOrder({ ledger, prospecting }, planned.plan, now);
  const repetition = last === null ? [] : warnOfRepetition(planned, { last, bought }, now);
  const rest = repetition.length === 0 ? bought : bought.filter(({ order }) => order !== last);
  const rows = describeBought(planned, rest);
  const isAsked = isRepeated(planned, bought) || rest.some(({ order }) => isRecent(planned, order, now));
  return {
    warnings: [
      ...unknown,
      ...warnOfQuantity(planned, last, others),
      ...repetition,
      ...(isAsked ? rows : []),
      ...(asks ? warnOfOtherRun(planned, await findProfiles(ledger, planned), { last, others, now }) : []),
    ],
    notes: isAsked ? [] : rows,
  };
}

/** Of the first order of a run: many more than any other run has ordered. */
function warnOfQuantity(
  { plan, rows, isBeforeExclusions }: PlannedOrder,
  last: PlacedOrder | null,
  others: readonly PlacedOrder[],
): string[] {
  const ordered = plan.briefingQuantity ?? rows?.length ?? 0;
  const compared = last ?? others.toSorted((a, b) => b.requestedCount - a.requestedCount)[0];
  if (compared === undefined || compared.requestedCount === 0) return [];
  if (ordered < unusualFactor * compared.requestedCount) return [];
  const [quantity, former] = [ordered, compared.requestedCount].map((count) => count.toLocaleString('en'));
  const cause = plan.briefingQuantity === null ? 'the source' : 'briefing_quantity';
  const most = isBeforeExclusions ? 'up to ' : '';
  const less = isBeforeExclusions ? ' (its exclusions leave out some)' : '';
  const which = last === null ? 'the largest order of this ledger' : 'its last order';
  return [
    `Unusually large order: run ${plan.runName} orders ${most}${quantity} companies${less}, and ${which} had ${former} (${compared.orderId === null ? 'in progress' : `order ${compared.orderId}`}). Check ${cause}.`,
  ];
}

/** Whether every row was ordered before. */
function isRepeated({ rows }: PlannedOrder, bought: readonly BoughtRows[]): boolean {
  return rows !== null && rows.length > 0 && bought.reduce((sum, each) => sum + each.rows, 0) === rows.length;
}

/** The time within which an order may be a mistake: the interval of the run's schedule for its own orders, otherwise `limits.repeat_after`. */
function intervalOf({ plan }: PlannedOrder, order: PlacedOrder, now: Date) {
  const { runName, schedule, repeatAfterMilliseconds } = plan;
  const own = schedule === null || order.runName !== runName ? null : intervalAt(schedule, now);
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

/** The last order of the run had all rows, or rows that are not known, whatever its age; or it is so young that the new one may be a mistake. */
function warnOfRepetition(
  planned: PlannedOrder,
  { last, bought }: { readonly last: PlacedOrder; readonly bought: readonly BoughtRows[] },
  now: Date,
): string[] {
  const { runName, repeatAfterMilliseconds } = planned.plan;
  const { orderId, placedAt, draftId } = last;
  if (repeatAfterMilliseconds === 0) return [];
  const own = bought.filter(({ order }) => order === last);
  const areUnknown = planned.rows !== null && draftId === null;
  if (!areUnknown && !isRepeated(planned, own) && !isRecent(planned, last, now)) return [];
  const again = areUnknown
    ? 'may buy its rows again, which this ledger does not have'
    : describeRepetition(planned, own[0]?.rows ?? 0);
  // No age: an answer in the console counts for the same text only.
  return [
    `Repeated order: run ${runName} placed order ${orderId} at ${formatDateTime(placedAt)}, and ${intervalOf(planned, last, now).says}. A new run ${again}; to continue with the last one, run: prospect-sync ingest ${orderId} --run ${runName}`,
  ];
}

function describeRepetition({ plan: { briefingQuantity } }: PlannedOrder, repeated: number): string {
  if (briefingQuantity !== null) return `buys another ${briefingQuantity.toLocaleString('en')} companies`;
  if (repeated === 0) return 'places another order';
  return `buys ${repeated.toLocaleString('en')} rows again that this order had`;
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
  const at = formatDateTime(placedAt);
  if (orderId === null) return `by run ${runName}, which has been placing its order since ${at}`;
  return `${runName === null ? 'by order' : `by run ${runName} with order`} ${orderId} of ${at}`;
}

/** Ids of the profiles that were created for the search of the run, under whatever name. */
async function findProfiles({ profiles }: Pick<Ledger, 'profiles'>, { plan }: PlannedOrder): Promise<Set<string>> {
  const { profile } = plan;
  return isExistingProfile(profile) ? new Set([profile.profile_id]) : profiles.idsOfSearch(searchDigest(profile));
}

interface EarlierOrders {
  /** The last order of the run; null: it has none. */
  readonly last: PlacedOrder | null;
  readonly others: readonly PlacedOrder[];
  readonly now: Date;
}

/** Another run has ordered the same search, or the run may be one that the configuration no longer has, under a new name. */
function warnOfOtherRun(
  planned: PlannedOrder,
  profileIds: ReadonlySet<string>,
  { last, others, now }: EarlierOrders,
): string[] {
  const { runName, briefingQuantity } = planned.plan;
  if (briefingQuantity === null) return [];
  const again = `another ${briefingQuantity.toLocaleString('en')} companies, which may be the same ones`;
  const isGone = ({ runName: other }: PlacedOrder) => other !== null && !planned.isConfigured(other);
  const recent = others.filter((order) => order.runName !== runName && isRecent(planned, order, now));
  const same = recent.find(({ profileId }) => profileIds.has(profileId ?? ''));
  if (same !== undefined) {
    const gone = isGone(same) ? ', the configuration has no run of that name' : '';
    return [
      `Same search profile: it was ordered ${describeOrder(same)}${gone}, and ${intervalOf(planned, same, now).says}. A new run buys ${again}`,
    ];
  }
  const former = last === null ? recent.find(isGone) : undefined;
  if (former === undefined) return [];
  const had = former.requestedCount.toLocaleString('en');
  return [
    `Renamed run: ${had} companies were ordered ${describeOrder(former)}, the configuration has no run of that name, and run ${runName} has no order yet. If ${runName} is its new name, a run buys ${again}`,
  ];
}
