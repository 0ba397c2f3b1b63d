/** Compares a CRM record that was read back with the slot that was written to it. */
import type { Slot } from '../contract/index.ts';

interface ReadBackRecord {
  readonly properties: Readonly<Record<string, string | null>>;
}

/** Properties that the checks read. */
export const checkedProperties = {
  companies: ['prospect_sync_company_key', 'prospect_sync_order_id', 'prospect_sync_position', 'prospect_sync_status'],
  contacts: ['prospect_sync_contact_key', 'prospect_sync_order_id'],
} as const;

/** The order in the record: the reconciled one, another one of the ledger, or neither. */
export type OrderOwner = 'this' | 'other' | 'unknown';

export interface WrittenRecordCheck {
  /** undefined: not found in the CRM. */
  readonly record: ReadBackRecord | undefined;
  /** The identity key of the slot's company or contact. */
  readonly expectedKey: string | null;
  /** Match rule of the write. */
  readonly matchedBy: string | null;
  readonly toOwner: (orderId: string | null) => OrderOwner;
}

/** A record that was matched by one of these rules may keep another identity key. */
const rulesThatKeepTheKey = ['external_id', 'email', 'secondary_email'];

/** Finding code, or null. A record that a later order wrote is checked with that order. */
export function checkCompanyRecord(slot: Slot, check: WrittenRecordCheck): string | null {
  const { record, expectedKey, toOwner } = check;
  if (record === undefined) return 'crm_company_missing';
  const { properties } = record;
  const owner = toOwner(properties['prospect_sync_order_id'] ?? null);
  if (owner === 'unknown') return 'crm_company_order_differs';
  if (owner === 'other' || belongsToEnrichedSlot(properties, slot)) return null;
  const mustHaveKey = slot.status === 'ENRICHED' && slot.company !== null && !mayKeepKey(check);
  if (mustHaveKey && properties['prospect_sync_company_key'] !== expectedKey) return 'crm_company_key_differs';
  return properties['prospect_sync_status'] === slot.status ? null : 'crm_company_status_differs';
}

/** Several slots of an order may have the same record. It has the values of the enriched slot, and is checked with that slot. */
function belongsToEnrichedSlot(properties: ReadBackRecord['properties'], slot: Slot): boolean {
  const position = properties['prospect_sync_position'] ?? String(slot.input_position);
  const isAnotherSlot = position !== String(slot.input_position);
  return isAnotherSlot && slot.status !== 'ENRICHED' && properties['prospect_sync_status'] === 'ENRICHED';
}

/** Finding code, or null. */
export function checkContactRecord(check: WrittenRecordCheck): string | null {
  const { record, expectedKey, toOwner } = check;
  if (record === undefined) return 'crm_contact_missing';
  const owner = toOwner(record.properties['prospect_sync_order_id'] ?? null);
  if (owner === 'unknown') return 'crm_contact_order_differs';
  const hasKey = record.properties['prospect_sync_contact_key'] === expectedKey;
  return owner === 'this' && !hasKey && !mayKeepKey(check) ? 'crm_contact_key_differs' : null;
}

function mayKeepKey({ matchedBy }: WrittenRecordCheck): boolean {
  return rulesThatKeepTheKey.includes(matchedBy ?? '');
}
