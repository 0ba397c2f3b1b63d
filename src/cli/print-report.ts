/** Prints the reports of orders as text, and chooses the exit code. */
import { isKnownReasonCode, reasonCodes } from '../service/contract/index.ts';
import type { CreatedItems } from '../delivery/mapping/company-item-text.ts';
import type { ListReport } from '../delivery/mapping/list-names.ts';
import { isWritten, outcomeNames, type OutcomeTally } from '../ledger/crm-outcomes.ts';
import type { ReadBackFigures } from '../proof/report/read-back-figures.ts';
import { isClean, type OrderSummary, type ReportedOrder } from './documents/order-document.ts';
import type { Finding, LeakFigures, OrderReport } from '../proof/report/order-report.ts';
import { toDifferenceLines } from './documents/differences-document.ts';
import { toFileEntries } from './file-entries.ts';
import { toOutputLine } from './print-output.ts';
import { toExclusionsLines } from './print-exclusions.ts';
import { exitCodes, type ExitCode } from './terminal.ts';
import { findRemedy } from '../proof/report/finding-descriptions.ts';
import { toSourceText } from '../proof/report/source-text.ts';
import { toPrintable } from '../base/text/printable-text.ts';

export function exitCodeOf({ orders }: OrderSummary): ExitCode {
  return orders.every(isClean) ? exitCodes.done : exitCodes.findings;
}

export function toOrdersText({ seconds, uiUrl, orders }: OrderSummary): string {
  const slots = orders.reduce((total, order) => total + order.slots, 0);
  const reconciled = orders.reduce((total, order) => total + order.reconciled, 0);
  return [
    ...orders.flatMap((order) => [...toOrderLines(order), '']),
    ...(uiUrl === null ? [] : [`Temporal UI  ${uiUrl}  (a local UI is available while a worker or demo --keep runs)`]),
    `reconciled ${reconciled} of ${slots} in ${seconds.toFixed(1)} s`,
  ].join('\n');
}

function toOrderLines(order: ReportedOrder): string[] {
  const { byStatus, byReason, unknown, crm, files, findings } = order;
  return [
    `${order.kind} order ${order.orderId}  (workflow ${order.workflowId})`,
    ...(order.configurationChanged
      ? [
          `  ${'changed'.padEnd(10)} the configuration of this run has changed since its schedule was applied (${order.configurationChanged.applied} then, ${order.configurationChanged.now} now)`,
        ]
      : []),
    ...(order.exclusions ?? []).flatMap(toExclusionsLines),
    ...(order.unusableCompanies
      ? [
          `  ${'left out'.padEnd(10)} ${order.unusableCompanies} CRM companies without name and domain, or beyond a limit`,
        ]
      : []),
    ...(order.source === undefined ? [] : toSourceText(order.source)).map(
      (text, index) => `  ${(index === 0 ? 'source' : '').padEnd(10)} ${text}`,
    ),
    ...toQuantityLines(order),
    ...table('status', Object.entries(byStatus)),
    ...table(
      'reason',
      Object.entries(byReason).map(([code, count]) => [toReasonName(code), count]),
    ),
    ...table('unknown to this version', Object.entries(unknown)),
    ...toReadingLines(order.reading),
    ...(order.leaks === null ? [] : table('leaks', toLeakEntries(order.leaks))),
    ...table('companies', nonZero(crm.companies)),
    ...table('contacts', nonZero(crm.contacts)),
    ...toSkippedLines(order),
    ...table(
      'newer',
      Object.entries(order.newerOrders).map(([id, count]) => [`left as the newer order ${id} wrote them`, count]),
    ),
    ...(order.websites === undefined ? [] : table('websites', toWebsiteEntries(order.websites))),
    ...table('created', toItemEntries(order.companyItems)),
    ...toUnwrittenLines(order),
    ...(order.lists ?? []).map(toListLine),
    ...table('recreated', order.recreated ? [['records that HubSpot no longer had', order.recreated]] : []),
    ...table('links', order.restoredLinks ? [['restored', order.restoredLinks]] : []),
    ...toReadBackLines(order),
    ...files.flatMap(toFileEntries).map(([name, text]) => `  ${name.padEnd(10)} ${text}`),
    ...(order.serviceOutputs ?? []).map((output) => `  ${'output'.padEnd(10)} ${toPrintable(toOutputLine(output))}`),
    ...table('erased', order.erased ? [['slots with erased data, compared by digest', order.erased]] : []),
    `  ${'reconciled'.padEnd(10)} ${order.reconciled} of ${order.slots}`,
    `  ${'certificate'.padEnd(10)} ${toPrintable(order.certificate)}`,
    ...findings.flatMap((finding) => toFindingLines(finding, order.orderId)),
    ...(order.differences === undefined ? [] : toDifferenceLines(order.differences)),
  ];
}

function toFindingLines(finding: Finding, orderId: string): string[] {
  const remedy = findRemedy(finding.code)?.replaceAll(/\bORDER\b/g, orderId) ?? null;
  return [
    `  ${'finding'.padEnd(10)} ${toPrintable(toFindingText(finding))}`,
    ...(remedy === null ? [] : [`  ${''.padEnd(10)} ${remedy}`]),
  ];
}

function toRowsLine(orderId: string, options: string): string {
  return `  ${''.padEnd(10)} list them with: prospect-sync rows ${orderId} ${options}`;
}

/** A setting such as `contacts.delivery_quality` may leave out all people that were bought, and a person may have deleted a company. */
export function toSkippedLines({
  crm: { companies, contacts },
  newerOrders,
  orderId,
}: Pick<ReportedOrder, 'crm' | 'newerOrders' | 'orderId'>): string[] {
  const { skipped, ...others } = contacts;
  // Those are records in HubSpot, which the report counts in another line.
  if (Object.values(newerOrders).some((count) => count > 0)) return [];
  const why = `  ${'skipped'.padEnd(10)} why companies were skipped: prospect-sync rows ${orderId} --item company --outcome skipped`;
  const ofCompanies = companies.skipped === 0 ? [] : [why];
  if (skipped === 0 || Object.values(others).some((count) => count > 0)) return ofCompanies;
  return [
    ...ofCompanies,
    `  ${'warning'.padEnd(10)} all people were skipped, and none is a contact in HubSpot. Their rules say why`,
    toRowsLine(orderId, '--item contact --outcome skipped'),
  ];
}

/** Rows without a note or task, which a user has to handle. */
function toUnwrittenLines({ companyItems, orderId }: ReportedOrder): string[] {
  const entries = Object.entries(companyItems?.unwritten ?? {});
  if (entries.length === 0) return [];
  const options = [
    '--item company',
    ...outcomeNames.filter((outcome) => !isWritten(outcome)).map((outcome) => `--outcome ${outcome}`),
    ...entries.map(([reason]) => `--reason ${reason}`),
  ];
  return [
    ...table(
      'no item',
      entries.map(([reason, count]) => [
        `${reason}: no note or task, because the company of the row was not written`,
        count,
      ]),
    ),
    toRowsLine(orderId, options.join(' ')),
  ];
}

function toItemEntries(items: CreatedItems | undefined): [string, number][] {
  const { note = 0, task = 0 } = items ?? {};
  const entries: [string, number][] = [
    ['notes on companies', note],
    ['tasks on companies', task],
  ];
  return entries.filter(([, count]) => count > 0);
}

function toWebsiteEntries({ texts, without, failed }: NonNullable<OrderReport['websites']>): [string, number][] {
  return Object.entries({ texts, 'without a text': without, 'not fetched': failed }).filter(([, count]) => count > 0);
}

function toListLine({ object, listId, added, missing }: ListReport): string {
  const deleted = missing === 0 ? '' : `; ${missing} further ${object} no longer exist in HubSpot`;
  return `  ${'list'.padEnd(10)} ${added} ${object} added to HubSpot list ${listId}${deleted}`;
}

/** Records read back from HubSpot; before and after a repair. */
function toReadBackLines({ readBack, repair, orderId }: OrderReport): string[] {
  if (readBack === undefined) return [];
  const { edited, wrong } = readBack.properties;
  const properties = [
    ...Object.entries(edited).map(([name, count]): [string, number] => [`${name}  edited in HubSpot`, count]),
    ...Object.entries(wrong).map(([name, count]): [string, number] => [`${name}  wrong`, count]),
  ];
  return [
    ...(repair === undefined ? [] : table('before', toRecordEntries(repair.before))),
    ...(repair === undefined
      ? []
      : table('repaired', [
          ['rewritten', repair.rewritten],
          ['written again', repair.reopened],
        ])),
    ...table('records', toRecordEntries(readBack)),
    ...table('values', properties),
    ...table(
      'items',
      Object.entries(readBack.items)
        .flatMap(([name, { written, gone }]): [string, number][] => [
          [name.replace('_', ' '), written],
          [`${name.replace('_', ' ')} that HubSpot no longer has`, gone],
        ])
        .filter(([, count]) => count > 0),
    ),
    ...(properties.length === 0
      ? []
      : [`  ${''.padEnd(10)} list them with: prospect-sync reconcile ${orderId} --differences`]),
  ];
}

function toRecordEntries({
  sampled,
  items: _items,
  properties: _properties,
  ...counts
}: ReadBackFigures): [string, number][] {
  const { records, ...states } = counts;
  const total = sampled === null ? 'read back' : `read back, of a sample of ${sampled} slots`;
  return [[total, records], ...Object.entries(states).filter(([, count]) => count > 0)];
}

function toQuantityLines({ ordered, delivered }: ReportedOrder): string[] {
  if (delivered === undefined) return [];
  return [`  ${'delivered'.padEnd(10)} ${delivered}${ordered ? ` of ${ordered} ordered` : ''}`];
}

function table(title: string, entries: readonly (readonly [string, number])[]): string[] {
  return entries.map(
    ([name, count], index) =>
      `  ${(index === 0 ? title : '').padEnd(10)} ${String(count).padStart(6)}  ${toPrintable(name)}`,
  );
}

/** Fields that were not found under their own name, and unusable values. */
function toReadingLines(reading: OrderReport['reading']): string[] {
  if (reading === undefined) return [];
  const { fields, unusable, drift } = reading;
  const lines = [
    ...fields.map(({ field, path, by }) => `${field} is read from ${path} (by ${by})`),
    ...drift.map(
      ({ field, was, is }) =>
        `${field} was read from ${was}, and is now ${is === null ? 'not there' : `read from ${is}`}`,
    ),
    ...Object.entries(unusable).map(([field, count]) => `${field}: ${count} unusable values`),
  ];
  return lines.map((line, index) => `  ${(index === 0 ? 'read' : '').padEnd(10)} ${toPrintable(line)}`);
}

/** A count of 0 leaks is printed too: it shows that the check was made. */
function toLeakEntries({ leak, late, weak }: LeakFigures): [string, number][] {
  const others: [string, number][] = [
    ['LATE  listed after the service matched', late],
    ['WEAK  listed by the same name only', weak],
  ];
  return [
    ['LEAK  returned although listed when the service matched', leak],
    ...others.filter(([, count]) => count > 0),
  ];
}

function nonZero(tally: OutcomeTally): [string, number][] {
  return outcomeNames.filter((outcome) => tally[outcome] > 0).map((outcome) => [outcome, tally[outcome]]);
}

function toReasonName(code: string): string {
  return isKnownReasonCode(code) ? `${code}  ${reasonCodes[code].label}` : `${code}  unknown to this version`;
}

function toFindingText({ code, count, positions }: Finding): string {
  return `${code}: ${count}${positions.length === 0 ? '' : ` (at ${positions.join(', ')}${count > positions.length ? ' …' : ''})`}`;
}
