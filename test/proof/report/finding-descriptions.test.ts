import { outputStates } from '../../../src/ledger/tables.ts';
import { findingDescriptions, findRemedy } from '../../../src/proof/report/finding-descriptions.ts';
import { toCrmFindings, toExclusionFindings } from '../../../src/proof/report/order-report.ts';
import { toCheckFindings } from '../../../src/proof/checks/check.ts';
import { toOrderChecks, toOutputFindings, type OrderFigures } from '../../../src/proof/checks/order-checks.ts';

const findingsOf = (figures: OrderFigures) => toCheckFindings(toOrderChecks(figures));

const nothing = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 1, failed: 1 };
const broken = {
  status: 'FAILED',
  resultsPublished: false,
  availableQuantity: 9,
  kind: 'enrichment' as const,
  publishedKind: 'enrichment' as const,
  briefingQuantity: null,
  submission: null,
  fields: {},
  slots: 3,
  byStatus: { ENRICHED: 1 },
  annotatedByReason: { NO_EMAIL_FOUND: 7 },
};
const summary = { requested_count: 8, fully_enriched_count: 5, annotated_count: 6, reasons: [] };
const exclusions = { pending: { digest: 'a', entries: 3, because: 'max_entries' as const, shrunkSources: [] } };

describe('findRemedy', () => {
  it('returns a remedy for every finding of sums, records and exclusions', () => {
    const codes = [
      ...findingsOf({ ...broken, summary: null }),
      ...findingsOf({ ...broken, summary }),
      ...toCrmFindings({ companies: nothing, contacts: nothing }),
      ...toExclusionFindings([exclusions as never]),
    ].map(({ code }) => code);
    expect(codes).toContain('reason_count_differs:NO_EMAIL_FOUND');
    expect(codes.filter((code) => findRemedy(code) === null)).toEqual([]);
  });

  it('returns null for an unknown code', () => {
    expect(findRemedy('toString')).toBeNull();
    expect(Object.keys(findingDescriptions)).not.toContain('toString');
  });
});

describe('findingDescriptions', () => {
  it('describe every finding about outputs of the service', () => {
    const codes = toOutputFindings(outputStates.map((state) => ({ state }))).map(({ code }) => code);
    expect(Object.keys(findingDescriptions)).toEqual(expect.arrayContaining(codes));
  });

  it.each(Object.entries(findingDescriptions))('describe %s and its remedy in full sentences', (_, description) => {
    for (const text of Object.values(description)) expect(text).toMatch(/^[A-Z][^]*\.$/);
  });
});
