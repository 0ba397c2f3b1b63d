/** Lists the outcomes of rows, from the ledger alone. */
import { reasonCodes, slotStatuses } from '../service/contract/index.ts';
import { outcomeNames } from '../ledger/crm-outcomes.ts';
import { rowRules } from '../delivery/mapping/row-rules.ts';
import { toPrintableJson, toPrintable } from '../base/text/printable-text.ts';
import { rowItems, type RowFilter, type SlotOutcome } from '../ledger/outcome-queries.ts';
import { exclusionsOfEveryRun, type ExcludedRowOutcome } from '../ledger/excluded-rows.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Config } from '../config/config.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toMatchText } from '../console/event-text.ts';
import { toKnownWord } from './known-word.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { excludedRule, toExcludedRowDocument, toExcludedRule } from './documents/blacklists-document.ts';
import { toRowDocument } from './documents/order-document.ts';
import type { Terminal } from './terminal.ts';
import { describeErasedOrder } from '../delivery/erasure/describe-erasure.ts';
import { findOrderId, toPendingText, toSentence, unknownOrder } from './known-order.ts';

export interface RowFlags {
  readonly outcome: readonly string[];
  readonly status: readonly string[];
  readonly reason: readonly string[];
  readonly item?: string;
}

/** Prints rows as they are read: an order may have a million. */
export async function rows(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { outcome, status, reason: reasons, item }: RowFlags,
): Promise<void> {
  const filter = {
    outcomes: outcome.map((word) => toKnownWord('--outcome', outcomeNames, word)),
    statuses: status.map((word) => toKnownWord('--status', slotStatuses, word)),
    reasons,
    item: item === undefined ? null : toKnownWord('--item', rowItems, item),
  };
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const order = await ledger.orders.get(id);
  if (order === undefined) throw unknownOrder(id);
  await assertKnownReasons(ledger, config, id, reasons);
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
  if (allowsExcluded(filter)) {
    for await (const page of ledger.excludedRows.list(id)) {
      for (const row of page.filter(({ exclusion }) => hasReason(filter, exclusion))) {
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

/** Error codes of HubSpot are rules too, so the words of the order are known besides those of prospect-sync, its exclusions and the service. */
async function assertKnownReasons(
  { outcomeQueries, excludedRows }: Ledger,
  { exclusions }: Config,
  id: string,
  reasons: readonly string[],
): Promise<void> {
  const always: readonly string[] = [...rowRules, ...Object.keys(reasonCodes)];
  const unknown = reasons.filter((reason) => !always.includes(reason));
  if (unknown.length === 0) return;
  // An exclusion may have left the configuration since the order.
  const names = [...Object.keys(exclusions), ...exclusionsOfEveryRun, ...(await excludedRows.exclusions(id))];
  const known = [...new Set([...(await outcomeQueries.reasons(id)), ...always, ...names.map(toExcludedRule)])];
  for (const reason of unknown) toKnownWord('--reason', known, reason);
}

/** Rows that match an exclusion were skipped before the order. */
function allowsExcluded({ outcomes, statuses, reasons, item }: RowFilter): boolean {
  return (
    statuses.length === 0 &&
    (outcomes.length === 0 || outcomes.includes('skipped')) &&
    item !== 'contact' &&
    (reasons.length === 0 || reasons.some((reason) => reason.startsWith(excludedRule)))
  );
}

function hasReason({ reasons }: RowFilter, exclusion: string): boolean {
  return reasons.length === 0 || reasons.includes(excludedRule) || reasons.includes(toExcludedRule(exclusion));
}

function toExcludedText({ sourceRow, externalId, exclusion, tier, entryId, reason }: ExcludedRowOutcome): string {
  const words = [
    '-'.padStart(7),
    sourceRow === null ? '' : `row ${sourceRow}`.padEnd(9),
    'company'.padEnd(10),
    'skipped'.padEnd(11),
    toExcludedRule(exclusion),
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
    toMatchText(row.matchedBy),
    others.length === 0 ? '' : `${row.status === 'DUPLICATE' ? 'same company as' : 'candidates'} ${others.join(', ')}`,
  ];
  return words
    .filter((word) => word !== '')
    .map(toPrintable)
    .join('  ');
}
