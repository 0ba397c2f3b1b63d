/** Findings about slots: the comparison of two readings of a slot, and lists of findings by code. */
import type { Finding } from '../report/order-report.ts';

/** One slot that differs from what it should be. */
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

/** The findings of several ranges or checks as one list with one entry a code. */
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

/** Texts that may change between releases of the service ("Reason object": only the code is stable). */
export const unstableFields = new Set(['message', 'label']);

/**
 * Compares the fields that both answers have, without unstable texts. A field that only one of them has comes from another release of
 * the service.
 */
export function isSameContent(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameContent(item, b[index]));
  }
  if (!isFields(a) || !isFields(b)) return a === b;
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key) && !unstableFields.has(key));
  return shared.every((key) => isSameContent(a[key], b[key]));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
