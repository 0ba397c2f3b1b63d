/** Checks "Result summary" on a collected order. */
import { resultSummarySchema, type ResultSummary } from '../../src/service/contract/index.ts';
import type { CollectedOrder } from '../probe/run-state.ts';

export function brokenSummaryRules(order: CollectedOrder): string[] {
  const { data: summary } = resultSummarySchema.safeParse(order.summary);
  if (!summary) return ["the order's result_summary cannot be read"];
  const enriched = order.slots.filter(({ status }) => status === 'ENRICHED').length;
  const annotated = order.slots.length - enriched;
  const counts = [
    ['requested_count', summary.requested_count, order.requested],
    ['fully_enriched_count', summary.fully_enriched_count, enriched],
    ['annotated_count', summary.annotated_count, annotated],
  ] as const;
  return [
    ...counts
      .filter(([, found, owed]) => found !== owed)
      .map(([field, found, owed]) => `summary.${field} must be ${owed}, found ${found}`),
    ...(order.kind === 'discovery' ? discoveryReasons(summary) : []),
    ...(order.kind === 'enrichment' ? enrichmentReasons(summary, order) : []),
  ];
}

function discoveryReasons({ reasons }: ResultSummary): string[] {
  return reasons.length === 0 ? [] : [`summary.reasons of a discovery order must be empty, found ${reasons.length}`];
}

/** "one per reason of the annotated slots", each with the number of slots that carry it. */
function enrichmentReasons({ reasons }: ResultSummary, { slots }: CollectedOrder): string[] {
  const owed = new Map<string, number>();
  const annotated = slots.filter(({ status }) => status !== 'ENRICHED');
  for (const code of annotated.flatMap(({ reasonCodes }) => [...new Set(reasonCodes)])) {
    owed.set(code, (owed.get(code) ?? 0) + 1);
  }
  const listed = new Map(reasons.map(({ code, count }) => [code, count]));
  const differing = [...new Set([...owed.keys(), ...listed.keys()])].filter(
    (code) => owed.get(code) !== listed.get(code),
  ).length;
  return [
    ...(differing === 0 ? [] : [`summary.reasons must count the annotated slots, ${differing} codes differ`]),
    ...(listed.size === reasons.length ? [] : ['summary.reasons must list each code once']),
    ...(reasons.every(({ label }) => label !== '') ? [] : ['summary.reasons[].label must not be empty']),
  ];
}
