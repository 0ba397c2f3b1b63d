import type { OutputRow } from '../ledger/output-store.ts';
import type { Finding, OutputState, ServiceOutputReport } from '../report/order-report.ts';

/** What an output is to a proof; null: nothing is wrong, or it is not known yet. */
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

/** Outputs of the service that are not as they were asked for; each code counts outputs. */
export function toOutputFindings(outputs: readonly { readonly state: OutputState }[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { state } of outputs) {
    const code = findingCodes[state];
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ code, count, positions: [] }));
}

/** A path only where there is a file. */
export function toOutputReport(row: OutputRow): ServiceOutputReport {
  const { type, destination, state, problem, resultCount, rows, path, location } = row;
  const isThere = state === 'delivered' || state === 'rows_differ';
  return { type, destination, state, problem, resultCount, rows, path: isThere ? path : null, location };
}
