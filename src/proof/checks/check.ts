/** One comparison of two independent sources, with both numbers. */
import type { Finding } from '../report/order-report.ts';

/** `expected` and `found` count the same things (slots, rows, records), each read from another source. */
export interface IdentityCheck {
  /** Code of the finding when the numbers differ. */
  readonly code: string;
  /** Source of `expected`, for example `submitted rows in the ledger`. */
  readonly expectedFrom: string;
  readonly expected: number;
  /** Source of `found`, for example `published results, second reading`. */
  readonly foundIn: string;
  readonly found: number;
}

/** A finding for each check whose numbers differ; `count` is the size of the difference. */
export function toCheckFindings(checks: readonly IdentityCheck[]): Finding[] {
  return checks.flatMap(({ code, expected, found }) =>
    expected === found ? [] : [{ code, count: Math.abs(expected - found), positions: [] }],
  );
}

/** One check for each code; `found` is the number of slots without that finding. */
export function toSlotChecks(total: number, findings: readonly Finding[]): IdentityCheck[] {
  const sources = [
    ['slot_differs', 'slots in the ledger', 'published results, second reading'],
    ['ledger_slot_changed', 'digests from the collection', 'slots in the ledger'],
    ['external_id_differs', 'submitted rows', 'slots in the ledger'],
    ['company_differs_from_row', 'submitted rows', 'slots in the ledger'],
    ['outcome_missing', 'slots in the ledger', 'outcomes in the ledger'],
  ] as const;
  return sources.map(([code, expectedFrom, foundIn]) => {
    const count = findings.find((finding) => finding.code === code)?.count ?? 0;
    return { code, expectedFrom, expected: total, foundIn, found: total - count };
  });
}
