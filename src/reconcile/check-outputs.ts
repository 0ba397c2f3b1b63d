import type { Finding, ServiceOutputReport } from '../report/order-report.ts';

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
