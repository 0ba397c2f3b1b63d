import type { Finding } from '../report/order-report.ts';

const positionsKept = 10;

/** Collects what was found by code and position; the first ten positions of a code are kept. */
export function createFindings() {
  const byCode = new Map<string, { count: number; positions: number[] }>();
  return {
    add(code: string, position: number): void {
      const found = byCode.get(code) ?? { count: 0, positions: [] };
      byCode.set(code, found);
      found.count += 1;
      if (found.positions.length < positionsKept) found.positions.push(position);
    },
    list(): Finding[] {
      return [...byCode].map(([code, { count, positions }]) => ({ code, count, positions }));
    },
  };
}
export type Findings = ReturnType<typeof createFindings>;

/** Findings of several parts as one list, one entry a code. */
export function mergeFindings(parts: readonly (readonly Finding[])[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const { code, count, positions } of parts.flat()) {
    const before = merged.get(code);
    merged.set(code, {
      code,
      count: count + (before?.count ?? 0),
      positions: [...(before?.positions ?? []), ...positions].slice(0, positionsKept),
    });
  }
  return [...merged.values()];
}
