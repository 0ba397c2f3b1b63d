/** Lists the outcomes of rows, from the ledger alone. */
import { z } from 'zod';
import { reasonCodes } from '../service/contract/index.ts';
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import type { OrderRow } from '../ledger/order-store.ts';
import { outcomeNames } from '../ledger/crm-outcomes.ts';
import { rowRules } from '../delivery/mapping/row-rules.ts';
import { toPrintableJson, toPrintable } from '../base/text/printable-text.ts';
import { rowItems, type RowFilter, type SlotOutcome } from '../ledger/outcome-queries.ts';
import type { ExcludedRowOutcome } from '../ledger/excluded-rows.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toKnownWord } from './known-word.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { excludedRule, toExcludedRowDocument } from './documents/blacklists-document.ts';
import { toRowDocument } from './documents/order-document.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { describeErasedOrder } from '../delivery/erasure/describe-erasure.ts';
import { isListingId } from '../ledger/identity.ts';

export interface RowFlags {
  readonly outcome: readonly string[];
  readonly reason: readonly string[];
  readonly item?: string;
}

/** Prints rows as they are read: an order may have a million. */
export async function rows(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { outcome, reason: reasons, item }: RowFlags,
): Promise<void> {
  const filter = {
    outcomes: outcome.map((word) => toKnownWord('--outcome', outcomeNames, word)),
    reasons,
    item: item === undefined ? null : toKnownWord('--item', rowItems, item),
  };
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const order = await ledger.orders.get(id);
  if (order === undefined) throw unknownOrder(id);
  await assertKnownReasons(ledger, id, reasons);
  const erased = await ledger.erasures.ofOrder(id);
  if (erased !== undefined && erased.scope !== 'people') terminal.say(toSentence(describeErasedOrder(erased)), 'warn');
  let shown = 0;
  if (options.json) terminal.print('[');
  for await (const page of ledger.outcomeQueries.list(id, filter)) {
    for (const row of page) {
      terminal.print(options.json ? toLine(row, shown) : toRowText(row));
      shown += 1;
    }
  }
  if (matchesExcluded(filter)) {
    for await (const page of ledger.excludedRows.list(id)) {
      for (const row of page) {
        const line = `${shown === 0 ? ' ' : ','}${toPrintableJson(toExcludedRowDocument(row))}`;
        terminal.print(options.json ? line : toExcludedText(row));
        shown += 1;
      }
    }
  }
  if (options.json) terminal.print(']');
  else terminal.say(shown === 0 ? 'no matching rows' : `${shown} rows`);
  if (order.total === null) terminal.say(toPendingText(order), 'warn');
}

export type CollectedOrder = OrderRow & { readonly total: number };

/** `runs`: names that may stand for an order too. */
export function toOrderId(text: string, runs: readonly string[] = []): string {
  if (isListingId(text)) throw listingProvesNothing(text);
  const id = z.guid().safeParse(text);
  if (!id.success)
    throw new CommandError(
      `${JSON.stringify(text)} is not a valid order id: it must be a UUID, as prospect-sync status lists them${runs.length === 0 ? '' : `, or one of the runs ${runs.join(', ')}`}`,
      exitCodes.usage,
    );
  return id.data.toLowerCase();
}

export function listingProvesNothing(listingId: string): CommandError {
  return new CommandError(
    `${toPrintable(listingId)} is a legacy listing, not an order: it has companies of unrelated orders, so it proves nothing and cannot be reconciled. Use the id of a published order, as prospect-sync status lists them`,
    exitCodes.usage,
  );
}

function unknownOrder(id: string): CommandError {
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
function toPendingText({ orderId, runName, status }: OrderRow): string {
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

/** Error codes of HubSpot are rules too, so the words of the order are known besides those of prospect-sync and the service. */
async function assertKnownReasons({ outcomeQueries }: Ledger, id: string, reasons: readonly string[]): Promise<void> {
  const always: readonly string[] = [...rowRules, ...Object.keys(reasonCodes)];
  const unknown = reasons.filter((reason) => !always.includes(reason));
  if (unknown.length === 0) return;
  const known = [...new Set([...(await outcomeQueries.reasons(id)), ...always])];
  for (const reason of unknown) toKnownWord('--reason', known, reason);
}

/** Rows that match an exclusion were skipped before the order. */
function matchesExcluded({ outcomes, reasons, item }: RowFilter): boolean {
  const isAllowed = (outcomes.length === 0 || outcomes.includes('skipped')) && item !== 'contact';
  return isAllowed && (reasons.length === 0 || reasons.includes(excludedRule));
}

function toExcludedText({ sourceRow, externalId, exclusion, tier, entryId, reason }: ExcludedRowOutcome): string {
  const words = [
    '-'.padStart(7),
    sourceRow === null ? '' : `row ${sourceRow}`.padEnd(9),
    'company'.padEnd(10),
    'skipped'.padEnd(11),
    `${excludedRule}:${exclusion}`,
    'not ordered',
    externalId === null ? '' : `external id ${externalId}`,
    `by ${tier} of entry ${entryId}`,
    reason === null ? '' : `reason: ${reason}`,
  ];
  return words
    .filter((word) => word !== '')
    .map(toPrintable)
    .join('  ');
}

function toLine(row: SlotOutcome, index: number): string {
  return `${index === 0 ? ' ' : ','}${toPrintableJson(toRowDocument(row))}`;
}

/** @throws {CommandError} when retention has erased the order */
export async function refuseErasedOrder({ erasures }: Ledger, orderId: string): Promise<void> {
  const erased = await erasures.ofOrder(orderId);
  if (erased !== undefined && erased.scope !== 'people')
    throw new CommandError(toSentence(describeErasedOrder(erased)));
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** One outcome as a line. */
function toRowText(row: SlotOutcome): string {
  const others = row.candidates.filter((id) => id !== row.recordId);
  const words = [
    String(row.position).padStart(7),
    row.sourceRow === null ? '' : `row ${row.sourceRow}`.padEnd(9),
    row.item.padEnd(10),
    (row.outcome ?? 'open').padEnd(11),
    row.rule ?? '',
    `${row.status}${row.reasonCodes.length === 0 ? '' : ` (${row.reasonCodes.join(', ')})`}`,
    row.externalId === null ? '' : `external id ${row.externalId}`,
    row.recordId === null ? '' : `record ${row.recordId}`,
    row.matchedBy === null ? '' : `by ${row.matchedBy}`,
    others.length === 0 ? '' : `${row.status === 'DUPLICATE' ? 'same company as' : 'candidates'} ${others.join(', ')}`,
  ];
  return words
    .filter((word) => word !== '')
    .map(toPrintable)
    .join('  ');
}
