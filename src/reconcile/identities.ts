/** Equations that hold for every published result set ("Result summary", results rules 4 and 5). */
import { reasonCodes, type ResultSummary, type SlotStatus } from '../contract/index.ts';
import type { Finding, ServiceOutputReport } from '../report/order-report.ts';
import { boundTally } from '../text/bound-text.ts';
import type { OrderShape } from '../response-shape/shape.ts';

export interface OrderFigures {
  /** Status of the order in the service now. */
  readonly status: string;
  readonly resultsPublished: boolean;
  /** null when the order has no such field. */
  readonly availableQuantity: number | null;
  readonly summary: ResultSummary | null;
  readonly isEnrichment: boolean;
  /** Slots in the ledger. */
  readonly slots: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Slots that are not ENRICHED, by reason code. */
  readonly annotatedByReason: Readonly<Record<string, number>>;
}

/** A finding for each broken identity; `count` is the size of the difference. */
export function brokenIdentities(figures: OrderFigures): Finding[] {
  const { summary, slots, byStatus, annotatedByReason } = figures;
  const enriched = byStatus['ENRICHED'] ?? 0;
  const findings: Finding[] = [];
  const expect = (code: string, actual: number, wanted: number) => {
    if (actual !== wanted) findings.push({ code, count: Math.abs(actual - wanted), positions: [] });
  };

  expect('order_not_completed', figures.status === 'COMPLETED' ? 1 : 0, 1);
  expect('results_not_published', figures.resultsPublished ? 1 : 0, 1);
  expect('slots_differ_from_available_quantity', slots, figures.availableQuantity ?? slots);
  expect('statuses_do_not_add_up', sum(byStatus), slots);
  if (summary === null) {
    findings.push({ code: 'summary_missing', count: 1, positions: [] });
    return findings;
  }
  expect('enriched_count_differs', enriched, summary.fully_enriched_count);
  expect('annotated_count_differs', slots - enriched, summary.annotated_count);
  if (figures.isEnrichment) {
    expect('requested_count_differs', slots, summary.requested_count);
    const gaps = new Map(Object.entries(annotatedByReason));
    for (const { code, count } of summary.reasons) gaps.set(code, (gaps.get(code) ?? 0) - count);
    const open = [...gaps].flatMap(([code, gap]) => (gap === 0 ? [] : [[code, Math.abs(gap)] as const]));
    for (const [code, count] of Object.entries(boundTally(open, Object.keys(reasonCodes)))) {
      findings.push({ code: `reason_count_differs:${code}`, count, positions: [] });
    }
  }
  return findings;
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

type OutputState = ServiceOutputReport['state'];

/** null: the output is as ordered, or not finished yet. */
const findingCodes = {
  requested: null,
  ready: null,
  delivered: null,
  rows_differ: 'service_output_rows_differ',
  failed: 'service_output_failed',
  refused: 'service_output_refused',
  unfinished: 'service_output_unfinished',
  not_fetched: 'service_output_not_fetched',
} as const satisfies Record<OutputState, string | null>;

/** Each finding counts outputs of the service. */
export function toOutputFindings(outputs: readonly { readonly state: OutputState }[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { state } of outputs) {
    const code = findingCodes[state];
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ code, count, positions: [] }));
}

/** Contacts, names and addresses that no company of the order has. */
export function toMissingValueFindings(order: OrderShape | null, features: readonly string[] | null): Finding[] {
  if (order === null || order.counts.enriched === 0) return [];
  const { enriched, named, people, withEmail, withName } = order.counts;
  const contactsOrdered = features === null || features.includes('CONTACTS');
  const isAccepted = order.shape.company.prospects?.by === 'absent' && features !== null;
  const found = {
    people_missing: contactsOrdered && people === 0 && !isAccepted ? enriched : 0,
    company_names_missing: named === 0 ? enriched : 0,
    contact_addresses_missing: people > 0 && withEmail === 0 ? people : 0,
    contact_names_missing: people > 0 && withName === 0 ? people : 0,
  };
  return Object.entries(found).flatMap(([code, count]) => (count === 0 ? [] : [{ code, count, positions: [] }]));
}

/** Slots of these statuses have no company of their own ("Order results"). */
const withoutCompany: readonly SlotStatus[] = ['UNRESOLVED', 'DUPLICATE', 'BLOCKED'];

/** Slots with a company of their own. */
export function countDelivered(byStatus: Readonly<Record<string, number>>): number {
  return Object.entries(byStatus)
    .filter(([status]) => !withoutCompany.some((each) => each === status))
    .reduce((total, [, count]) => total + count, 0);
}

export interface Quantities {
  /** 0 when unknown, because no run placed the order. */
  readonly ordered: number;
  readonly delivered: number;
  /** `expect.min_delivered` of the run; null when it is not set. */
  readonly minDeliveredPercent: number | null;
}

/** `count` is the number of companies that are missing. */
export function toDeliveryFindings({ ordered, delivered, minDeliveredPercent }: Quantities): Finding[] {
  const missing = Math.max(0, ordered - delivered);
  if (delivered === 0) return [{ code: 'nothing_delivered', count: missing, positions: [] }];
  const isTooFew = minDeliveredPercent !== null && delivered * 100 < ordered * minDeliveredPercent;
  return isTooFew ? [{ code: 'fewer_delivered_than_expected', count: missing, positions: [] }] : [];
}
