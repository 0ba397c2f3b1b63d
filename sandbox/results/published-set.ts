import {
  type ResultSummary,
  type Slot,
  reasonCodes,
  type Company,
  type ReasonCodeName,
} from '../../src/service/contract/index.ts';

/** The immutable result of an order. Slots are computed, so a million of them are not stored. */
export interface PublishedSet {
  readonly total: number;
  readonly summary: ResultSummary;
  /** The slot at a place, 0 to total - 1; the same content every time. */
  slotAt(place: number): Slot;
}

interface SlotFacts {
  readonly position: number;
  readonly code: ReasonCodeName;
  readonly company: Company | null;
  readonly deliveredAt: string;
  readonly detail?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly duplicateOf?: number | undefined;
}

/** Each slot of the sandbox has exactly one reason. Only ENRICHED slots have contacts. */
export function toSlot({ position, code, company, deliveredAt, detail, externalId, duplicateOf }: SlotFacts): Slot {
  const { status, message } = reasonCodes[code];
  return {
    input_position: position,
    ...(externalId ? { external_id: externalId } : {}),
    status,
    reason_codes: [code],
    reasons: [{ code, message, ...(detail === undefined ? {} : { detail }) }],
    ...(duplicateOf === undefined ? {} : { duplicate_of_input_position: duplicateOf }),
    company: company && (status === 'ENRICHED' ? company : { ...company, prospects: [] }),
    delivered_at: deliveredAt,
  };
}
