/** Reports of orders as a person reads them and as a program does. */
import { isKnownReasonCode, reasonCodes } from '../contract/index.ts';
import { outcomeNames, type OutcomeTally } from '../ledger/record-outcome.ts';
import type { SourceReport } from '../ledger/draft-store.ts';
import {
  type Finding,
  type LeakFigures,
  type OrderReport,
  type RunFigures,
  toSourceText,
  type ServiceOutputReport,
} from '../report/order-report.ts';
import { toExclusionsDocument, toExclusionsLines } from './exclusions-report.ts';
import { exitCodes, type ExitCode } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';
import { failureDescriptions, isFailureType, type FailureType } from '../failures/failure-descriptions.ts';
import type { OutputState } from '../ledger/tables.ts';

export interface Summary {
  readonly seconds: number;
  readonly uiUrl: string | null;
  readonly orders: readonly ReportedOrder[];
}

/** Orders that a run placed come with what the run did before. */
export type ReportedOrder = OrderReport & Partial<RunFigures>;

export function exitCodeOf({ orders }: Summary): ExitCode {
  return orders.every(isClean) ? exitCodes.done : exitCodes.findings;
}

/** The `--json` document of `demo`, `run`, `ingest` and `reconcile`. */
export function toJson(summary: Summary) {
  return {
    ok: summary.orders.every(isClean),
    seconds: Math.round(summary.seconds * 10) / 10,
    temporal_ui: summary.uiUrl,
    orders: summary.orders.map((order) => ({
      order_id: order.orderId,
      kind: order.kind,
      workflow_id: order.workflowId,
      ordered: order.ordered,
      delivered: order.delivered,
      slots: order.slots,
      reconciled: order.reconciled,
      by_status: order.byStatus,
      by_reason: order.byReason,
      unknown_to_this_version: order.unknown,
      reading: order.reading,
      crm: order.crm,
      restored_links: order.restoredLinks,
      leaks: order.leaks,
      files: order.files,
      service_outputs: order.serviceOutputs?.map(toOutputDocument),
      findings: order.findings,
      configuration_changed: order.configurationChanged,
      exclusions: order.exclusions?.map(toExclusionsDocument),
      unusable_companies: order.unusableCompanies,
      source: order.source === undefined ? undefined : toSourceDocument(order.source),
    })),
  };
}

export function toText({ seconds, uiUrl, orders }: Summary): string {
  const slots = orders.reduce((total, order) => total + order.slots, 0);
  const reconciled = orders.reduce((total, order) => total + order.reconciled, 0);
  return [
    ...orders.flatMap((order) => [...toOrderLines(order), '']),
    ...(uiUrl === null ? [] : [`Temporal UI  ${uiUrl}  (a local one runs while a worker or demo --keep does)`]),
    `reconciled ${reconciled} of ${slots} in ${seconds.toFixed(1)} s`,
  ].join('\n');
}

function isClean({ findings, reconciled, slots }: OrderReport): boolean {
  return findings.length === 0 && reconciled === slots;
}

function toOrderLines(order: ReportedOrder): string[] {
  const { byStatus, byReason, unknown, crm, files, findings } = order;
  return [
    `${order.kind} order ${order.orderId}  (workflow ${order.workflowId})`,
    ...(order.configurationChanged
      ? [
          `  ${'changed'.padEnd(10)} the configuration of this run, since its schedule was applied (${order.configurationChanged.applied} then, ${order.configurationChanged.now} now)`,
        ]
      : []),
    ...(order.exclusions ?? []).flatMap(toExclusionsLines),
    ...(order.unusableCompanies
      ? [
          `  ${'left out'.padEnd(10)} ${order.unusableCompanies} CRM companies without name and domain, or beyond a limit`,
        ]
      : []),
    ...toSourceLines(order.source),
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
    ...table('links', order.restoredLinks ? [['restored', order.restoredLinks]] : []),
    ...files.map(({ path, rows }) => `  ${'file'.padEnd(10)} ${toPrintable(path)} (${rows} rows)`),
    ...(order.serviceOutputs ?? []).map((output) => `  ${'output'.padEnd(10)} ${toPrintable(toOutputLine(output))}`),
    `  ${'reconciled'.padEnd(10)} ${order.reconciled} of ${order.slots}`,
    ...findings.map((finding) => `  ${'finding'.padEnd(10)} ${toPrintable(toFindingText(finding))}`),
    ...(findings.some(({ code }) => code.startsWith('crm_'))
      ? [
          `  ${''.padEnd(10)} prospect-sync rows ${order.orderId} --outcome quarantined --outcome failed says which and why`,
        ]
      : []),
  ];
}

function toSourceLines(source: SourceReport | undefined): string[] {
  if (source === undefined) return [];
  return toSourceText(source).map((text, index) => `  ${(index === 0 ? 'source' : '').padEnd(10)} ${text}`);
}

function toQuantityLines({ ordered, delivered }: ReportedOrder): string[] {
  if (delivered === undefined) return [];
  return [`  ${'delivered'.padEnd(10)} ${delivered}${ordered ? ` of ${ordered} ordered` : ''}`];
}

export function toSourceDocument({ columns, ...source }: SourceReport) {
  return { ...source, columns_used: columns?.used ?? null, columns_ignored: columns?.ignored ?? null };
}

function table(title: string, entries: readonly (readonly [string, number])[]): string[] {
  return entries.map(
    ([name, count], index) =>
      `  ${(index === 0 ? title : '').padEnd(10)} ${String(count).padStart(6)}  ${toPrintable(name)}`,
  );
}

/** How the results were read where the specification does not show it; nothing where every field has its own name. */
function toReadingLines(reading: OrderReport['reading']): string[] {
  if (reading === undefined) return [];
  const { fields, unusable, drift } = reading;
  const lines = [
    ...fields.map(({ field, path, by }) => `${field} is read from ${path} (by ${by})`),
    ...drift.map(
      ({ field, was, is }) =>
        `${field} was read from ${was}, and is now ${is === null ? 'not there' : `read from ${is}`}`,
    ),
    ...Object.entries(unusable).map(([field, count]) => `${field}: ${count} values cannot be used`),
  ];
  return lines.map((line, index) => `  ${(index === 0 ? 'read' : '').padEnd(10)} ${toPrintable(line)}`);
}

/** That nothing leaked is worth a line: it was looked for. */
function toLeakEntries({ leak, late, weak }: LeakFigures): [string, number][] {
  const others: [string, number][] = [
    ['LATE  listed since the order', late],
    ['WEAK  listed by the same name only', weak],
  ];
  return [['LEAK  returned although listed when ordered', leak], ...others.filter(([, count]) => count > 0)];
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

const words: Readonly<Record<OutputState, string>> = {
  requested: 'asked for, and not ready yet',
  ready: 'ready, and not fetched yet',
  delivered: 'delivered',
  rows_differ: 'has other rows than were announced',
  failed: 'FAILED in the service',
  refused: 'not taken by the service',
  unfinished: 'not ready in time',
  not_fetched: 'could not be fetched',
};

/** `csv en: /data/out/….service-en.csv (250 rows)`, or why there is none. */
export function toOutputLine({ destination, state, problem, resultCount, rows, path, location }: ServiceOutputReport) {
  const place = path ?? location;
  const counted = `${rows ?? 'unknown'} rows`;
  if (state === 'delivered') return `${destination}: ${place ?? words.delivered} (${counted})`;
  if (state === 'rows_differ') {
    const where = place === null ? '' : `${place} `;
    return `${destination}: ${where}${words.rows_differ} (${counted}, the service tells ${resultCount ?? 'no number'})`;
  }
  if (problem === null) return `${destination}: ${words[state]}`;
  const meaning = isFailureType(problem) ? `. ${failureDescriptions[problem].description}` : '';
  // The one problem of the state `refused` for which it is we that refuse.
  const outcome =
    problem === ('FileTooLarge' satisfies FailureType) ? 'made by the service, and not read' : words[state];
  return `${destination}: ${outcome} (${problem})${meaning}`;
}

export function toOutputDocument({ resultCount, ...output }: ServiceOutputReport) {
  return { ...output, result_count: resultCount };
}
