/** "Result slot", "Reason codes" and "Company and prospect records" as rules over slots. */
import {
  beyondQuantity,
  discoveryRule,
  isKnownReasonCode,
  reasonCodes,
  slotRules,
  type Prospect,
  type Slot,
} from '../../src/service/contract/index.ts';

import type { PublishedOrder } from '../probe/run-state.ts';
import { isRecord } from '../../src/base/json/own-property.ts';

interface SlotRule {
  readonly rule: string;
  readonly holds: (slot: Slot, place: number) => boolean;
  /** Set if the specification leaves the rule open. */
  readonly assumed?: string;
}

/** Checks the slots of an order one by one. Findings contain rules and numbers of slots, never values. */
export function createSlotRules(order: PublishedOrder) {
  const broken = new Map<SlotRule, { count: number; readonly first: number }>();
  const rules = rulesFor(order);
  let slots = 0;
  return {
    read(slot: Slot, place: number): void {
      slots += 1;
      for (const rule of rules.filter(({ holds }) => !holds(slot, place))) {
        const { count, first } = broken.get(rule) ?? { count: 0, first: place };
        broken.set(rule, { count: count + 1, first });
      }
    },
    broken(): { findings: string[]; notes: string[] } {
      const all = [...broken].map(([{ rule, assumed }, { count, first }]) => {
        return { assumed, text: `${rule} (${count} of ${slots} slots, first at ${first})` };
      });
      return {
        findings: all.filter(({ assumed }) => assumed === undefined).map(({ text }) => text),
        notes: all.flatMap(({ assumed, text }) => (assumed === undefined ? [] : [`assumed ${assumed}: ${text}`])),
      };
    },
  };
}

function rulesFor(order: PublishedOrder): SlotRule[] {
  return [
    ...commonRules,
    // A given order may be older than immutable results.
    ...(order.source === 'given' ? [] : [noLegacyCode]),
    ...(order.kind === 'enrichment' ? enrichmentRules(order) : []),
    ...(order.kind === 'discovery' ? discoveryRules : []),
  ];
}

const noLegacyCode: SlotRule = {
  rule: 'a new order must have no legacy reason code',
  holds: ({ reason_codes }) =>
    reason_codes.every((code) => !(isKnownReasonCode(code) && 'legacy' in reasonCodes[code])),
};

const commonRules: readonly SlotRule[] = [
  {
    rule: 'input_position must count from 0 in the order of the slots',
    holds: (s, place) => s.input_position === place,
  },
  ...slotRules,
  {
    rule: 'reasons must have the same codes as reason_codes',
    holds: ({ reason_codes, reasons }) => reasons.map(({ code }) => code).join() === reason_codes.join(),
  },
  {
    rule: 'reasons[].message must be a text, not empty and not the code',
    // An empty message is read as the code.
    holds: ({ reasons }) => reasons.every(({ code, message }) => message !== '' && message !== code),
  },
  {
    rule: 'reasons[].detail must be absent if the code has no detail',
    holds: ({ reasons }) =>
      reasons.every(
        ({ code, detail }) => !isKnownReasonCode(code) || reasonCodes[code].detail !== 'none' || detail == null,
      ),
  },
  // "null when the identity never resolved": a duplicate was resolved to the company of an earlier row.
  { rule: 'company must be present when DUPLICATE', holds: (s) => s.status !== 'DUPLICATE' || s.company !== null },
  {
    rule: 'prospects must have the four email fields',
    holds: (s) => prospectsOf(s).every(({ raw }) => hasEmailFields(raw)),
  },
  {
    rule: 'prospects must have no field that was removed from the specification',
    holds: (s) =>
      prospectsOf(s).every(({ raw }) => !isRecord(raw) || !removedFields.some((field) => Object.hasOwn(raw, field))),
  },
];

function enrichmentRules({ rows }: PublishedOrder): SlotRule[] {
  return [
    {
      rule: 'external_id must be the one that was submitted for the row',
      holds: ({ external_id }, place) => !rows || (external_id ?? null) === (rows[place]?.external_id ?? null),
    },
    {
      rule: 'company.source_id must be the submitted external_id',
      holds: ({ company, external_id }, place) => {
        const submitted = rows ? rows[place]?.external_id : external_id;
        return company === null || submitted == null || company.source_id === submitted;
      },
    },
    {
      rule: `an enrichment order must have no ${beyondQuantity}`,
      holds: ({ reason_codes }) => !reason_codes.includes(beyondQuantity),
    },
  ];
}

const discoveryRules: readonly SlotRule[] = [
  discoveryRule,
  {
    rule: `slots beyond the quantity have ${beyondQuantity}`,
    holds: ({ reason_codes }) => !reason_codes.includes(beyondQuantity),
    assumed: 'A34',
  },
];

const removedFields = ['validation_confidence', 'bounce_risk_score'];

const emailFields = [
  'email_status',
  'email_client_deliverable',
  'email_delivery_quality',
  'email_delivery_quality_reason',
];

function hasEmailFields(received: unknown): boolean {
  return isRecord(received) && emailFields.every((field) => Object.hasOwn(received, field));
}

function prospectsOf({ company }: Slot): readonly Prospect[] {
  return company?.prospects ?? [];
}
