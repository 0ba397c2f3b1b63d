/** Equations that hold for every published result set ("Result summary", results rules 4 and 5). */
import type { FailureType } from '../../base/failures/failure-descriptions.ts';
import { reasonCodes, type ResultSummary, type SlotStatus } from '../../service/contract/index.ts';
import type { Finding, ServiceOutputReport } from '../report/order-report.ts';
import { boundTally, boundWord, otherWords } from '../../base/text/bound-text.ts';
import type { Submission } from '../../ledger/order-request-store.ts';
import type { IdentityCheck } from './check.ts';
import type { OrderShape } from '../../service/reading/shape.ts';

export type OrderKind = Submission['kind'] | 'unknown';

/** Reads the service's `order_type`, or the kind in the ledger. */
export function toOrderKind(word: string | null | undefined): OrderKind {
  const kind = word?.toLowerCase() ?? '';
  if (kind.includes('enrich')) return 'enrichment';
  return kind.includes('discover') ? 'discovery' : 'unknown';
}

/** A discovery summary lists no reasons, and only a discovery may have fewer slots than were requested ("Result summary"). */
export function guessOrderKind({ total, summary }: { total: number; summary: ResultSummary | null }): OrderKind {
  if (summary === null) return 'unknown';
  if (summary.reasons.length > 0 || summary.annotated_count > 0) return 'enrichment';
  return summary.requested_count > total ? 'discovery' : 'unknown';
}

/** Fields of the order that the specification does not require: as sent, as returned at the collection, and now. null: not known, or not returned. */
export type OrderFields = Readonly<
  Record<string, { readonly sent: string | null; readonly returned: string | null; readonly now: string | null }>
>;

export interface OrderFigures {
  /** Status of the order in the service now. */
  readonly status: string;
  readonly resultsPublished: boolean;
  /** null if the order has no such field. */
  readonly availableQuantity: number | null;
  /** `briefing_quantity` of the order in the service; null if the order has no such field. */
  readonly briefingQuantity: number | null;
  readonly summary: ResultSummary | null;
  readonly kind: OrderKind;
  /** The kind that the service's answer states. */
  readonly publishedKind: OrderKind;
  /** null if no run of this ledger placed the order. */
  readonly submission: Submission | null;
  readonly fields: OrderFields;
  /** Slots in the ledger. */
  readonly slots: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Slots that are not ENRICHED, by reason code. */
  readonly annotatedByReason: Readonly<Record<string, number>>;
}

const request = 'order request in the ledger';
const collected = 'order at collection';
const ledgerSlots = 'slots in the ledger';
const publishedOrder = 'order in the service';
const publishedSummary = 'summary of the service';

/** Checks the sums of an order. The ordered numbers come from the ledger: the service could be wrong in both places. */
export function toOrderChecks(figures: OrderFigures): IdentityCheck[] {
  const { summary, slots, byStatus, kind, submission } = figures;
  const enriched = byStatus['ENRICHED'] ?? 0;
  const isEnrichment = kind === 'enrichment';
  const checks: IdentityCheck[] = [];
  const check = (code: string, [expectedFrom, expected]: Figure, [foundIn, found]: Figure) =>
    checks.push({ code, expectedFrom, expected, foundIn, found });

  check('order_not_completed', ['specification', 1], [publishedOrder, Number(figures.status === 'COMPLETED')]);
  check('results_not_published', ['specification', 1], [publishedOrder, Number(figures.resultsPublished)]);
  check('order_kind_unknown', ['specification', 1], [publishedOrder, Number(kind !== 'unknown')]);
  if (figures.availableQuantity !== null)
    check('slots_differ_from_available_quantity', [publishedOrder, figures.availableQuantity], [ledgerSlots, slots]);
  for (const [name, { sent, returned, now }] of Object.entries(figures.fields)) {
    const isSame = now === null ? returned === null : now === (sent ?? returned ?? now);
    if (now !== null || returned !== null)
      check(`order_field_differs:${name}`, [sent === null ? collected : request, 1], [publishedOrder, Number(isSame)]);
  }
  check('statuses_do_not_add_up', [ledgerSlots, slots], ['statuses of these slots', sum(byStatus)]);
  if (submission !== null) {
    const { quantity } = submission;
    if (figures.publishedKind !== 'unknown')
      check('order_kind_differs', [request, 1], [publishedOrder, Number(submission.kind === figures.publishedKind)]);
    if (figures.briefingQuantity !== null)
      check('ordered_quantity_differs', [request, quantity], [publishedOrder, figures.briefingQuantity]);
    if (isEnrichment) check('submitted_rows_differ', [request, quantity], [ledgerSlots, slots]);
    if (summary !== null)
      check('requested_count_differs', [request, quantity], [publishedSummary, summary.requested_count]);
  } else if (isEnrichment && summary !== null) {
    check('requested_count_differs', [ledgerSlots, slots], [publishedSummary, summary.requested_count]);
  }
  check('summary_missing', ['specification', 1], [publishedSummary, Number(summary !== null)]);
  if (summary === null) return checks;
  check('enriched_count_differs', [ledgerSlots, enriched], [publishedSummary, summary.fully_enriched_count]);
  check('annotated_count_differs', [ledgerSlots, slots - enriched], [publishedSummary, summary.annotated_count]);
  return isEnrichment ? [...checks, ...toReasonChecks(figures.annotatedByReason, summary)] : checks;
}

type Figure = readonly [source: string, count: number];

/** One check for each reason code of either side. The number of codes is limited, because they come from the service. */
function toReasonChecks(
  annotatedByReason: OrderFigures['annotatedByReason'],
  { reasons }: ResultSummary,
): IdentityCheck[] {
  const counted = new Map(Object.entries(annotatedByReason));
  const listed = new Map<string, number>();
  for (const { code, count } of reasons) listed.set(boundWord(code), (listed.get(boundWord(code)) ?? 0) + count);
  const gapOf = (code: string) => Math.abs((counted.get(code) ?? 0) - (listed.get(code) ?? 0));
  const gaps = [...new Set([...counted.keys(), ...listed.keys()])].map((code) => [code, gapOf(code)] as const);
  return Object.entries(boundTally(gaps, Object.keys(reasonCodes))).map(([word, gap]) => ({
    code: `reason_count_differs:${word}`,
    expectedFrom: ledgerSlots,
    foundIn: publishedSummary,
    // Neither source has separate numbers for codes that are counted together.
    ...(word === otherWords
      ? { expected: 0, found: gap }
      : { expected: counted.get(word) ?? 0, found: listed.get(word) ?? 0 }),
  }));
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

type OutputState = ServiceOutputReport['state'];

/** @returns null if the output is as ordered, or not finished yet */
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

/** An output that would contain forgotten people is not requested on purpose, so it is no finding. */
const forgottenOutput = 'OrderErased' satisfies FailureType;

/** Each finding counts outputs of the service. */
export function toOutputFindings(
  outputs: readonly { readonly state: OutputState; readonly problem?: string | null }[],
): Finding[] {
  const counts = new Map<string, number>();
  for (const { state, problem } of outputs) {
    const code = problem === forgottenOutput ? null : findingCodes[state];
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ code, count, positions: [] }));
}

/** Default of `expect.max_without_people`, in percent of the enriched companies. */
const defaultMaxWithoutPeople = 10;

interface OrderedValues {
  /** null: unknown. */
  readonly features: readonly string[] | null;
  /** `expect.max_without_people` of the run. */
  readonly maxWithoutPeoplePercent: number | null;
}

/** Reports more enriched companies without people than allowed, and names and addresses that are missing in the whole order. */
export function toMissingValueFindings(
  order: OrderShape | null,
  { features, maxWithoutPeoplePercent }: OrderedValues,
): Finding[] {
  if (order === null || order.counts.enriched === 0) return [];
  const { enriched, named, withPeople, people, withEmail, withName } = order.counts;
  const withoutPeople = enriched - withPeople;
  const contactsOrdered = features === null ? people === 0 : features.includes('CONTACTS');
  const isAccepted = order.shape.company.prospects?.by === 'absent' && features !== null;
  const isTooMany = withoutPeople * 100 > enriched * (maxWithoutPeoplePercent ?? defaultMaxWithoutPeople);
  const found = {
    people_missing: contactsOrdered && isTooMany && !isAccepted ? withoutPeople : 0,
    company_names_missing: named === 0 ? enriched : 0,
    contact_addresses_missing: people > 0 && withEmail === 0 ? people : 0,
    contact_names_missing: people > 0 && withName === 0 ? people : 0,
  };
  return Object.entries(found).flatMap(([code, count]) => (count === 0 ? [] : [{ code, count, positions: [] }]));
}

/** Slots of these statuses deliver no new company ("Order results"). */
const withoutCompany: readonly SlotStatus[] = ['UNRESOLVED', 'DUPLICATE', 'BLOCKED'];

/** Number of slots that deliver a company. */
export function countDelivered(byStatus: Readonly<Record<string, number>>): number {
  return Object.entries(byStatus)
    .filter(([status]) => isDelivered(status))
    .reduce((total, [, count]) => total + count, 0);
}

/** True if a slot of this status delivers a company. Unknown statuses count. */
export function isDelivered(status: string): boolean {
  return !withoutCompany.some((each) => each === status);
}

export interface Quantities {
  readonly kind: OrderKind;
  /** 0 if unknown: no run placed the order. */
  readonly ordered: number;
  readonly delivered: number;
  /** `expect.min_delivered` of the run; null if not set. */
  readonly minDeliveredPercent: number | null;
}

/**
 * A discovery must deliver the ordered quantity, unless `expect.min_delivered` accepts less. In an enrichment, rows with a reason instead
 * of a company are normal. `count` is the number of missing companies.
 */
export function toDeliveryFindings({ kind, ordered, delivered, minDeliveredPercent }: Quantities): Finding[] {
  const missing = Math.max(0, ordered - delivered);
  if (delivered === 0) return [{ code: 'nothing_delivered', count: missing, positions: [] }];
  if (minDeliveredPercent === null)
    return kind === 'discovery' && missing > 0
      ? [{ code: 'fewer_delivered_than_ordered', count: missing, positions: [] }]
      : [];
  const isTooFew = delivered * 100 < ordered * minDeliveredPercent;
  return isTooFew ? [{ code: 'fewer_delivered_than_expected', count: missing, positions: [] }] : [];
}
