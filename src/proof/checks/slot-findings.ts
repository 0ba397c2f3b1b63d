/** Lists of findings by code. */
import type { Finding } from '../report/order-report.ts';

/** One slot with a finding. */
export interface SlotFinding {
  readonly code: string;
  readonly position: number;
}

const positionsKept = 10;

/** Counts by code; each code keeps its first ten positions. */
export function toFindings(found: readonly SlotFinding[]): Finding[] {
  const byCode = Map.groupBy(found, ({ code }) => code);
  return [...byCode].map(([code, slots]) => ({
    code,
    count: slots.length,
    positions: slots.slice(0, positionsKept).map(({ position }) => position),
  }));
}

/** The findings of several ranges or checks as one list with one entry for each code. */
export function mergeFindings(lists: readonly (readonly Finding[])[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const { code, count, positions } of lists.flat()) {
    const before = merged.get(code);
    merged.set(code, {
      code,
      count: count + (before?.count ?? 0),
      positions: [...(before?.positions ?? []), ...positions].slice(0, positionsKept),
    });
  }
  return [...merged.values()];
}
