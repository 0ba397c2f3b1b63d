import * as fc from 'fast-check';
import { toCheckFindings } from '../../../src/proof/checks/check.ts';
import { sum, toOrderChecks, type OrderFigures } from '../../../src/proof/checks/order-checks.ts';

const reasons = (counts: Record<string, number>) =>
  Object.entries(counts).map(([code, count]) => ({ code, message: '', label: '', count }));

/** An enrichment order whose sums add up. */
function closed(enriched: number, annotated: Record<string, number>): OrderFigures {
  const partial = sum(annotated);
  return {
    status: 'COMPLETED',
    resultsPublished: true,
    availableQuantity: enriched + partial,
    kind: 'enrichment',
    publishedKind: 'enrichment',
    briefingQuantity: null,
    submission: null,
    fields: {},
    slots: enriched + partial,
    byStatus: { ENRICHED: enriched, PARTIAL: partial },
    annotatedByReason: annotated,
    summary: {
      requested_count: enriched + partial,
      fully_enriched_count: enriched,
      annotated_count: partial,
      reasons: reasons(annotated),
    },
  };
}

const findingsOf = (figures: OrderFigures) => toCheckFindings(toOrderChecks(figures));

const figures = closed(7, { WEBSITE_MOVED: 2, NO_EMAIL_FOUND: 1 });
const { summary } = figures;
if (summary === null) throw new Error('the figures have a summary');

describe('toOrderChecks', () => {
  it('finds nothing when all sums add up', () => {
    const counts = fc.dictionary(fc.constantFrom('WEBSITE_MOVED', 'NO_EMAIL_FOUND', 'MOON_PHASE'), fc.nat(500));
    fc.assert(
      fc.property(fc.nat(5_000), counts, (enriched, annotated) => {
        expect(findingsOf(closed(enriched, annotated))).toEqual([]);
      }),
    );
  });

  it.each<[string, number, Partial<OrderFigures>]>([
    ['order_not_completed', 1, { status: 'IN_PROGRESS' }],
    ['results_not_published', 1, { resultsPublished: false }],
    ['slots_differ_from_available_quantity', 2, { availableQuantity: 12 }],
    ['statuses_do_not_add_up', 3, { byStatus: { ENRICHED: 7, PARTIAL: 3, BLOCKED: 3 } }],
    ['summary_missing', 1, { summary: null }],
    ['enriched_count_differs', 1, { summary: { ...summary, fully_enriched_count: 8 } }],
    ['annotated_count_differs', 2, { summary: { ...summary, annotated_count: 1 } }],
    ['requested_count_differs', 5, { summary: { ...summary, requested_count: 15 } }],
    [
      'reason_count_differs:WEBSITE_MOVED',
      1,
      { summary: { ...summary, reasons: reasons({ WEBSITE_MOVED: 3, NO_EMAIL_FOUND: 1 }) } },
    ],
    [
      'reason_count_differs:WEBSITE_EMPTY',
      4,
      { annotatedByReason: { ...figures.annotatedByReason, WEBSITE_EMPTY: 4 } },
    ],
    ['reason_count_differs:NO_EMAIL_FOUND', 1, { annotatedByReason: { WEBSITE_MOVED: 2 } }],
    [
      `reason_count_differs:${'A'.repeat(59)}…`,
      2,
      {
        annotatedByReason: { ...figures.annotatedByReason, [`${'A'.repeat(59)}…`]: 5 },
        // Two long words that were shortened to the same one.
        summary: {
          ...summary,
          reasons: [...summary.reasons, ...[1, 2].flatMap((count) => reasons({ [`${'A'.repeat(59)}…`]: count }))],
        },
      },
    ],
  ])('finds %s, and the size of the difference', (code, count, changes) => {
    expect(findingsOf({ ...figures, ...changes })).toEqual([{ code, count, positions: [] }]);
  });

  it('checks neither requested quantity nor reasons of a discovery order', () => {
    const discovery = {
      ...figures,
      kind: 'discovery' as const,
      summary: { ...summary, requested_count: 300, reasons: [] },
    };
    expect(findingsOf(discovery)).toEqual([]);
  });
});
