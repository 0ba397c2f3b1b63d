/** "Result slot", "Reason codes" and "Results rules" 4 and 5 as rules over single slots. Conformance and reconciliation share them. */
import { isKnownReasonCode, reasonCodes } from './reason-codes.ts';
import type { Slot } from './result.ts';

/** The parts of a slot that the rules read. */
export type RuledSlot = Pick<
  Slot,
  'input_position' | 'status' | 'reason_codes' | 'duplicate_of_input_position' | 'company'
>;

export interface SlotRule {
  /** Code of the finding of a reconciliation. */
  readonly code: string;
  /** The rule as conformance prints it. */
  readonly rule: string;
  readonly holds: (slot: RuledSlot) => boolean;
}

/** Reason code of slots beyond the requested quantity of a discovery order (A34). */
export const beyondQuantity = 'RESULT_LIMIT_EXCEEDED';

/** Rules of every order. */
export const slotRules: readonly SlotRule[] = [
  {
    code: 'reason_missing',
    rule: 'reason_codes must not be empty',
    holds: ({ reason_codes }) => reason_codes.length > 0,
  },
  {
    code: 'reason_of_another_status',
    rule: 'status must be the one that its reason codes belong to',
    holds: ({ status, reason_codes }) =>
      reason_codes.every(
        (code) => !isKnownReasonCode(code) || 'assumed' in reasonCodes[code] || reasonCodes[code].status === status,
      ),
  },
  {
    code: 'duplicate_reference_wrong',
    rule: 'duplicate_of_input_position must be an earlier row when DUPLICATE, and null otherwise',
    holds: ({ status, duplicate_of_input_position: earlier, input_position }) =>
      status === 'DUPLICATE' ? earlier != null && earlier < input_position : earlier == null,
  },
  {
    code: 'unresolved_slot_with_company',
    rule: 'company must be null when UNRESOLVED',
    holds: ({ status, company }) => status !== 'UNRESOLVED' || company === null,
  },
  {
    code: 'slot_without_company',
    rule: 'company must be present when ENRICHED or PARTIAL',
    holds: ({ status, company }) => !['ENRICHED', 'PARTIAL'].includes(status) || company !== null,
  },
  {
    code: 'partial_slot_with_people',
    rule: 'a PARTIAL row must have no contacts',
    holds: ({ status, company }) => status !== 'PARTIAL' || (company?.prospects ?? []).length === 0,
  },
];

/** Only for discovery orders. */
export const discoveryRule: SlotRule = {
  code: 'discovery_slot_not_enriched',
  rule: 'status must be ENRICHED',
  holds: ({ status, reason_codes }) => status === 'ENRICHED' || reason_codes.includes(beyondQuantity),
};

/** A DUPLICATE row repeats a row that resolved. @param earlierStatus null: there is no such row */
export function isDuplicateOfResolved(earlierStatus: string | null): boolean {
  return earlierStatus !== null && earlierStatus !== 'UNRESOLVED';
}
