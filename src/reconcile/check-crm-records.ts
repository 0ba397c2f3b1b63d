/** What a CRM record that a slot was written to has to say when it is read back. */
import type { Company, Prospect, Slot } from '../contract/index.ts';
import { companyKey, contactKey } from '../mapping/identity.ts';

interface RecordView {
  readonly properties: Readonly<Record<string, string | null>>;
}

/** What the checks look at. */
export const checkedProperties = {
  companies: ['prospect_sync_company_key', 'prospect_sync_order_id', 'prospect_sync_position', 'prospect_sync_status'],
  contacts: ['prospect_sync_contact_key', 'prospect_sync_order_id'],
} as const;

/** How the record was found when it was written; those that were found by what they are may keep another key of ours. */
interface Found {
  readonly matchedBy: string | null;
}
const keepsItsKey = ['external_id', 'email', 'secondary_email'];

/** A code for what is wrong with the record, or null. Another order that wrote it later answers for it. */
export function checkCompanyRecord(
  slot: Slot,
  record: RecordView | undefined,
  isOurOrder: OrderCheck,
  { matchedBy }: Found,
): string | null {
  if (record === undefined) return 'crm_company_missing';
  const { properties } = record;
  const owner = isOurOrder(properties['prospect_sync_order_id'] ?? null);
  if (owner === 'unknown') return 'crm_company_order_differs';
  if (owner === 'other' || isOfEnrichedRow(properties, slot)) return null;
  const needsKey = slot.status === 'ENRICHED' && slot.company !== null && !keepsItsKey.includes(matchedBy ?? '');
  if (needsKey && !hasKey(properties['prospect_sync_company_key'], slot.company)) return 'crm_company_key_differs';
  return properties['prospect_sync_status'] === slot.status ? null : 'crm_company_status_differs';
}

/** Several rows of an order may submit one record: the enriched one of them keeps it, and answers for it. */
function isOfEnrichedRow(properties: RecordView['properties'], slot: Slot): boolean {
  const position = properties['prospect_sync_position'] ?? String(slot.input_position);
  const isOfAnotherRow = position !== String(slot.input_position);
  return isOfAnotherRow && slot.status !== 'ENRICHED' && properties['prospect_sync_status'] === 'ENRICHED';
}

export function checkContactRecord(
  { prospect, company }: { prospect: Prospect; company: Company },
  record: RecordView | undefined,
  isOurOrder: OrderCheck,
  { matchedBy }: Found,
): string | null {
  if (record === undefined) return 'crm_contact_missing';
  const owner = isOurOrder(record.properties['prospect_sync_order_id'] ?? null);
  if (owner === 'unknown') return 'crm_contact_order_differs';
  const hasOurKey = record.properties['prospect_sync_contact_key'] === contactKey(prospect, company);
  return owner === 'this' && !hasOurKey && !keepsItsKey.includes(matchedBy ?? '') ? 'crm_contact_key_differs' : null;
}

/** Whose order a record names: the one that is being reconciled, another one of the ledger, or nobody's. */
export type OrderCheck = (orderId: string | null) => 'this' | 'other' | 'unknown';

function hasKey(key: string | null | undefined, company: Company | null): boolean {
  return company !== null && key === companyKey(company);
}
