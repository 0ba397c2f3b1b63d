/** The order that a command is about. */
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { formatDateTime } from '../base/text/format-time.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { describeErasedOrder } from '../delivery/erasure/describe-erasure.ts';
import { isListingId } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { shortestIdPart, type NamedOrder } from '../ledger/named-orders.ts';
import type { OrderRow } from '../ledger/order-store.ts';
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import type { GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { ambiguousBeginning } from './known-word.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/**
 * The id of the order that `text` means: the id itself, its first characters, the name of a run for the newest order of that run, or
 * `last` for the newest order of the ledger. An order is as new as its publication; one in progress is as new as its purchase. The order
 * that is meant is said, because the command may write.
 * @throws {CommandError} for none, or several
 */
export async function findOrderId(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
  text: string,
): Promise<string> {
  if (isListingId(text)) throw listingProvesNothing(text);
  const whole = z.guid().safeParse(text);
  if (whole.success) return whole.data.toLowerCase();
  await using cleanup = new AsyncDisposableStack();
  const opening = openAnnouncedLedger(terminal, config, options, { isSaid: false });
  const ledger = cleanup.adopt(await opening, (opened) => opened.close());
  const { orders } = ledger;
  const isRun = Object.hasOwn(config.runs, text);
  const found = await orders.named(text);
  const [order, other] = found;
  if (isRun && order?.runName !== text)
    throw new CommandError(
      `Run ${text} has no order in the ledger yet. Place one with: prospect-sync run ${text}`,
      exitCodes.usage,
    );
  if (order === undefined) {
    const newest = await orders.newestNamed(null);
    if (newest !== undefined && text === 'last') return sayOrder(terminal, text, newest);
    throw newest === undefined ? noOrders(text) : unknownName(text, Object.keys(config.runs));
  }
  if (other === undefined) return sayOrder(terminal, text, order);
  throw ambiguousBeginning(text, 'orders', { ids: found.map(({ orderId }) => orderId), total: found.length });
}

function sayOrder(terminal: Terminal, text: string, { orderId, runName, firstSeenAt }: NamedOrder): string {
  const run = runName === null ? '' : ` of run ${toPrintable(runName)}`;
  terminal.say(`${text} is order ${orderId}${run}, in the ledger since ${formatDateTime(new Date(firstSeenAt))}`);
  return orderId;
}

function noOrders(text: string): CommandError {
  return new CommandError(
    `The ledger has no order ${JSON.stringify(text)}, because it has no orders yet. Place one with: prospect-sync run NAME. To collect one that the service has, run: prospect-sync ingest ORDER --run NAME, with its whole id`,
    exitCodes.usage,
  );
}

function unknownName(text: string, runs: readonly string[]): CommandError {
  const names = runs.length === 0 ? '' : ` (${runs.map(toPrintable).join(', ')})`;
  return new CommandError(
    `The ledger has no order ${JSON.stringify(text)}. Write the id of an order as prospect-sync status lists them, at least its first ${shortestIdPart} characters, the name of a run${names} for its newest order, or last`,
    exitCodes.usage,
  );
}

export type CollectedOrder = OrderRow & { readonly total: number };

export function listingProvesNothing(listingId: string): CommandError {
  return new CommandError(
    `${toPrintable(listingId)} is a legacy listing, not an order: it has companies of unrelated orders, so it proves nothing and cannot be reconciled. Use the id of a published order, as prospect-sync status lists them`,
    exitCodes.usage,
  );
}

export function unknownOrder(id: string): CommandError {
  return new CommandError(
    `Order ${id} is not in the ledger. Collect it with: prospect-sync ingest ${id} --run NAME, with the run that it belongs to`,
  );
}

/** The order, if its results are in the ledger. @throws {CommandError} that says whether the order is unknown, in progress or has failed */
export async function readCollected({ orders }: Pick<Ledger, 'orders'>, id: string): Promise<CollectedOrder> {
  const order = await orders.get(id);
  if (order === undefined) throw unknownOrder(id);
  if (order.total === null) throw new CommandError(toPendingText(order));
  return { ...order, total: order.total };
}

/** An order of the ledger without published results. */
export function toPendingText({ orderId, runName, status }: OrderRow): string {
  if (unsuccessfulOrderStatuses.some((each) => each === status))
    return `Order ${orderId} ended as ${toPrintable(status)}: it has no results. To see why, run: prospect-sync status`;
  const run = runName ?? 'NAME';
  return `Order ${orderId} has no published results yet: its last known status is ${toPrintable(status)}. The run that placed it collects it while a worker runs; to see it, run: prospect-sync status ${run}. If that run has ended, continue with: prospect-sync ingest ${orderId} --run ${run}`;
}

/** The run that delivered the order last, else the one that placed it; null if `runs` has neither. */
export function findRecordedRun(
  { deliveringRun, runName }: Pick<OrderRow, 'deliveringRun' | 'runName'>,
  runs: readonly string[],
): string | null {
  return [deliveringRun, runName].find((name) => name != null && runs.includes(name)) ?? null;
}

/** @throws {CommandError} when retention has erased the order */
export async function refuseErasedOrder({ erasures }: Ledger, orderId: string): Promise<void> {
  const erased = await erasures.ofOrder(orderId);
  if (erased !== undefined && erased.scope !== 'people')
    throw new CommandError(toSentence(describeErasedOrder(erased)));
}

export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
