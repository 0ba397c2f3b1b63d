/** Equations that hold for every published result set ("Result summary", results rules 4 and 5). */
import { reasonCodes, type ResultSummary } from '../contract/index.ts';
import type { Finding } from '../report/order-report.ts';
import { boundTally } from '../text/bound-word.ts';

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
