/** Lists of findings by code. */
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { Finding } from '../report/order-report.ts';

/** What differs. Contains personal data: a detail is shown to the user of a command, and never leaves an activity. */
export interface FindingDetail {
  /** null: the slot. */
  readonly record: { readonly object: ObjectType; readonly id: string } | null;
  /** Name of the property, or path of the field in the slot; null: the record as a whole. */
  readonly property: string | null;
  /** null: nothing, or the ledger keeps only its digest. */
  readonly written: string | null;
  /** null: nothing. */
  readonly present: string | null;
  /** HubSpot's source of the present value, such as `CRM_UI userId:17`; null: unknown. */
  readonly by: string | null;
  /** ISO 8601, on HubSpot's clock; null: unknown. */
  readonly at: string | null;
}

/** One slot with a finding. */
export interface SlotFinding {
  readonly code: string;
  readonly position: number;
  readonly details?: readonly FindingDetail[];
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
