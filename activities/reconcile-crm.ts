/** Reads back the CRM records of slots: every slot has an outcome, its records hold its values, and contacts are linked to companies. */
import type { Slot } from '../src/contract/index.ts';
import type { CrmRecord } from '../src/hubspot/hubspot-record.ts';
import type { Item, OutcomeRow } from '../src/ledger/outcome-store.ts';
import { isWritten } from '../src/mapping/crm-outcomes.ts';
import { isErased } from '../src/json/erased-mark.ts';
import { contactKey } from '../src/mapping/identity.ts';
import { checkCompanyRecord, checkContactRecord, type WrittenRecordCheck } from '../src/reconcile/check-crm-records.ts';
import type { SlotFinding } from '../src/reconcile/slot-findings.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { SlotRange } from './reconcile-slots.ts';
import { findMissingLinks, type ExpectedLink, keyOf, prospectOf, readWritten } from './written-records.ts';

interface SlotWithOutcomes {
  readonly position: number;
  readonly slot: Slot;
  readonly outcomes: readonly OutcomeRow[];
}

export async function reconcileCrm(dependencies: ActivityDependencies, range: SlotRange): Promise<SlotFinding[]> {
  const slots = await readSlots(dependencies, range);
  const records = await readRecords(dependencies, slots);
  const toOwner = await readOrderOwners(dependencies, range.orderId, records);
  const missingLinks = await findMissingLinks(dependencies.hubspot, toExpectedLinks(slots, records));
  return [
    ...slots.flatMap((slot) => checkSlot(slot, records, toOwner)),
    ...missingLinks.map((position) => ({ code: 'crm_link_missing', position })),
  ];
}

async function readSlots(
  { ledger }: ActivityDependencies,
  { orderId, from, to }: SlotRange,
): Promise<SlotWithOutcomes[]> {
  const outcomes = await ledger.outcomes.read(orderId, { from, to });
  const byPosition = Map.groupBy(outcomes, ({ position }) => position);
  const slots = await ledger.slots.readParsed(orderId, { from, to });
  return slots.map(({ position, slot }) => ({
    position,
    slot,
    outcomes: byPosition.get(position) ?? [],
  }));
}

/** By the record ids of the outcomes; a merged record has another id now. */
interface ReadBackRecords {
  readonly companies: ReadonlyMap<string, CrmRecord>;
  readonly contacts: ReadonlyMap<string, CrmRecord>;
}

async function readRecords(
  { hubspot }: ActivityDependencies,
  slots: readonly SlotWithOutcomes[],
): Promise<ReadBackRecords> {
  const written = slots.flatMap(({ slot, outcomes }) =>
    outcomes.flatMap(({ outcome, recordId, item }) =>
      recordId === null || !isWritten(outcome) ? [] : [{ recordId, key: keyOf(slot, item), item }],
    ),
  );
  const companies = written.filter(({ item }) => item === 'company');
  const contacts = written.filter(({ item }) => item !== 'company');
  return {
    companies: await readWritten(hubspot, 'companies', companies),
    contacts: await readWritten(hubspot, 'contacts', contacts),
  };
}

/** Each written contact is linked to the record of its slot's company, also when another slot wrote that record. */
function toExpectedLinks(slots: readonly SlotWithOutcomes[], { companies, contacts }: ReadBackRecords): ExpectedLink[] {
  return slots.flatMap(({ position, slot, outcomes }) => {
    const company = outcomes.find(({ item }) => item === 'company');
    const companyId = company?.recordId ?? null;
    // A missing company record has a finding of its own.
    if (company === undefined || companyId === null || (isWritten(company.outcome) && !companies.has(companyId)))
      return [];
    const currentId = companies.get(companyId)?.id ?? companyId;
    const companyKey = keyOf(slot, 'company');
    return outcomes.flatMap(({ item, outcome, recordId }): ExpectedLink[] => {
      const contact = item === 'company' || !isWritten(outcome) ? undefined : contacts.get(recordId ?? '');
      return contact === undefined ? [] : [{ position, contactId: contact.id, companyId: currentId, companyKey }];
    });
  });
}

function checkSlot(
  row: SlotWithOutcomes,
  records: ReadBackRecords,
  toOwner: WrittenRecordCheck['toOwner'],
): SlotFinding[] {
  const { position, slot, outcomes } = row;
  const hasCompany = outcomes.some(({ item }) => item === 'company');
  const hasAllContacts = outcomes.length - 1 === (slot.company?.prospects?.length ?? 0);
  const gap = isErased(slot['raw']) || (hasCompany && hasAllContacts) ? [] : ['outcome_missing'];
  const codes = outcomes.flatMap((outcome) => checkOutcome(slot, outcome, records, toOwner) ?? []);
  return [...gap, ...codes].map((code) => ({ code, position }));
}

/** Finding code, or null. */
function checkOutcome(
  slot: Slot,
  { item, outcome, recordId, matchedBy }: OutcomeRow,
  { companies, contacts }: ReadBackRecords,
  toOwner: WrittenRecordCheck['toOwner'],
): string | null {
  if (isErasedItem(slot, item)) return null;
  if (outcome === null) return 'outcome_missing';
  if (outcome === 'failed') return 'crm_write_failed';
  if (outcome === 'quarantined') return item === 'company' ? 'crm_company_quarantined' : 'crm_contact_quarantined';
  if (!isWritten(outcome)) return null;
  if (item === 'company') {
    const record = companies.get(recordId ?? '');
    return checkCompanyRecord(slot, { record, expectedKey: keyOf(slot, item), matchedBy, toOwner });
  }
  const prospect = prospectOf(slot.company, item);
  if (prospect === undefined || slot.company === null) return 'prospect_missing';
  const record = contacts.get(recordId ?? '');
  return checkContactRecord({ record, expectedKey: contactKey(prospect, slot.company), matchedBy, toOwner });
}

/** The record of who was forgotten is not compared: the ledger no longer has its key. */
function isErasedItem({ raw, company }: Slot, item: Item): boolean {
  return isErased(raw) || (item !== 'company' && isErased(prospectOf(company, item)?.['raw']));
}

/** A record may name a later order of the ledger, which has updated it since. */
async function readOrderOwners(
  { ledger }: ActivityDependencies,
  orderId: string,
  { companies, contacts }: ReadBackRecords,
): Promise<WrittenRecordCheck['toOwner']> {
  const named = [...companies.values(), ...contacts.values()].map(
    ({ properties }) => properties['prospect_sync_order_id'] ?? orderId,
  );
  const known = new Set<string>();
  for (const id of new Set(named)) if ((await ledger.orders.get(id)) !== undefined) known.add(id);
  return (id) => {
    if (id === orderId) return 'this';
    return id !== null && known.has(id) ? 'other' : 'unknown';
  };
}
