/** Plans the contact writes of a batch: selects contacts by the policy, matches them, and chooses the values to write. */
import type { Prospect } from '../../service/contract/index.ts';
import type { CrmRecord } from '../../hubspot/hubspot-record.ts';
import { replyClassProperty } from '../../hubspot/managed-properties.ts';
import type { Item } from '../../ledger/outcome-store.ts';
import { isErased } from '../../base/json/erased-mark.ts';
import { findSkipRule } from '../mapping/contact-policy.ts';
import { toContactProperties, type CompanyRecord, type PropertiesByPolicy } from '../mapping/crm-properties.ts';
import { contactEmail, contactKey } from '../../ledger/identity.ts';
import { toRecordProperties } from '../mapping/written-content.ts';
import { matchContacts, type ContactIdentity } from './match-contacts.ts';
import { findDeletedRecords, propertyNames, type Match } from './record-match.ts';
import {
  isOfEarlierRow,
  isSettled,
  type BatchSlot,
  type Projection,
  type ProjectionDependencies,
  type RecordOutcome,
  type SlotBatch,
} from './slot-batch.ts';
import type { RecordWrite } from './record-write.ts';

export interface ContactPlan {
  readonly writes: readonly RecordWrite[];
  /** Outcomes of contacts that are not written. */
  readonly outcomes: readonly RecordOutcome[];
}

interface SelectedContact extends ContactIdentity {
  readonly slot: BatchSlot;
  readonly item: Item;
  readonly properties: PropertiesByPolicy;
}

/** `companyIds`: record ids of companies, by position of the slot. */
export async function planContacts(
  dependencies: ProjectionDependencies,
  batch: SlotBatch,
  companyIds: ReadonlyMap<number, string>,
): Promise<ContactPlan> {
  const { projection } = batch;
  const records = await readCompanyRecords(dependencies, batch, companyIds);
  const { contacts, outcomes } = selectContacts(batch, companyIds, records);
  const names = [...propertyNames('contacts', projection.plan.mapping), replyClassProperty];
  const matches = await matchContacts(dependencies, contacts, names);
  const owners = assignRecords(matches, projection.orderId);
  const unmatchedKeys = [...matches].flatMap(([{ key }, { record }]) => (record === null ? key : []));
  const deleted = await findDeletedRecords(dependencies, 'contacts', unmatchedKeys, projection);
  const optedOut = await findOptedOut(dependencies, matches);
  const writes: RecordWrite[] = [];
  for (const [contact, match] of matches) {
    const { record } = match;
    const deletedId = record === null ? deleted.get(contact.key) : undefined;
    if (deletedId !== undefined) {
      const skipped = toSkippedOutcome(contact.slot, contact.item, 'deleted_in_hubspot', contact.key);
      outcomes.push({ ...skipped, matchedBy: 'key', candidates: [deletedId] });
    } else if (record !== null && optedOut.has(contact.key)) {
      const suppressed = toSkippedOutcome(contact.slot, contact.item, 'suppressed', contact.key);
      outcomes.push({ ...suppressed, recordId: record.id, matchedBy: match.rule, candidates: match.candidates });
    } else if (record === null || owners.get(record.id) === contact) {
      const { slot, item, key, properties } = contact;
      writes.push({ slot, item, key, match, properties });
    } else {
      const skipped = toSkippedOutcome(contact.slot, contact.item, 'same_person', contact.key);
      const evidence = { matchedBy: match.rule, candidates: match.candidates };
      outcomes.push({ ...skipped, recordId: record.id, ...evidence });
    }
  }
  return { writes, outcomes };
}

/**
 * A new ledger does not know who opted out, but the matched contacts in HubSpot show it. A suppression that was removed from this ledger
 * ended since.
 */
async function findOptedOut(
  { ledger }: ProjectionDependencies,
  matches: ReadonlyMap<SelectedContact, Match>,
): Promise<Set<string>> {
  const keys = [...matches].flatMap(([{ key }, { record }]) =>
    record?.properties[replyClassProperty] === 'do_not_contact' ? key : [],
  );
  const ended = await ledger.suppressions.unsuppressedContacts(keys);
  return new Set(keys.filter((key) => !ended.has(key)));
}

type CompanyRecords = ReadonlyMap<string, Pick<CrmRecord, 'properties'>>;

/** The records of the companies, by id, where the mapping copies their properties to contacts. A merged record is found by its new id. */
async function readCompanyRecords(
  { hubspot, signal }: ProjectionDependencies,
  { projection, slots }: SlotBatch,
  companyIds: ReadonlyMap<number, string>,
): Promise<CompanyRecords> {
  const properties = toRecordProperties(projection.plan.mapping);
  if (properties.length === 0) return new Map();
  const withPeople = slots.filter(({ slot }) => (slot.company?.prospects ?? []).length > 0);
  const ids = new Set(withPeople.flatMap(({ position }) => companyIds.get(position) ?? []));
  return hubspot.objects.read('companies', {
    ids: [...ids].filter((id) => /^\d+$/.test(id)),
    properties,
    signal,
  });
}

function selectContacts(
  { projection, slots, suppressedContacts }: SlotBatch,
  companyIds: ReadonlyMap<number, string>,
  records: CompanyRecords,
): { contacts: SelectedContact[]; outcomes: RecordOutcome[] } {
  const contacts = new Map<string, SelectedContact>();
  const outcomes: RecordOutcome[] = [];
  for (const slot of slots) {
    for (const [index, prospect] of (slot.slot.company?.prospects ?? []).entries()) {
      const item: Item = `contact:${index}`;
      if (isSettled(slot, item)) continue;
      const companyId = companyIds.get(slot.position);
      const companyRecord = records.get(companyId ?? '')?.properties ?? {};
      const contact = selectContact({ slot, item, prospect, companyId, companyRecord, projection, suppressedContacts });
      const rule = typeof contact === 'string' ? contact : contacts.has(contact.key) ? 'same_person' : null;
      if (typeof contact !== 'string' && rule === null) contacts.set(contact.key, contact);
      else outcomes.push(toSkippedOutcome(slot, item, rule, keyOf(slot, prospect)));
    }
  }
  return { contacts: [...contacts.values()], outcomes };
}

/**
 * The contact that writes each record, by record id: the first one that matches it, and contacts matched by a secondary address last.
 * HubSpot may not find a secondary address in the first pass, and the ledger knows it in the second: both passes choose the same contact.
 */
function assignRecords(matches: ReadonlyMap<SelectedContact, Match>, orderId: string): Map<string, SelectedContact> {
  const owners = new Map<string, SelectedContact>();
  for (const isSecondary of [false, true]) {
    for (const [contact, { record, rule }] of matches) {
      if (record === null || (rule === 'secondary_email') !== isSecondary) continue;
      if (!owners.has(record.id) && !isOfEarlierRow(record, contact.slot, orderId)) owners.set(record.id, contact);
    }
  }
  return owners;
}

function toSkippedOutcome({ position }: BatchSlot, item: Item, rule: string | null, key: string | null): RecordOutcome {
  return { position, item, outcome: 'skipped', rule, recordId: null, matchKey: key };
}

/** `trace` finds skipped contacts by their address, too. */
function keyOf({ slot: { company } }: BatchSlot, prospect: Prospect): string | null {
  return company === null ? null : contactKey(prospect, company);
}

interface ContactToSelect {
  readonly slot: BatchSlot;
  readonly item: Item;
  readonly prospect: Prospect;
  readonly companyId: string | undefined;
  readonly companyRecord: CompanyRecord;
  readonly projection: Projection;
  readonly suppressedContacts: ReadonlySet<string>;
}

/** The contact to write, or the rule by which it is skipped. */
function selectContact({
  slot,
  item,
  prospect,
  companyId,
  companyRecord,
  projection,
  suppressedContacts,
}: ContactToSelect): SelectedContact | string {
  const { status, company } = slot.slot;
  const { plan, provenance } = projection;
  if (slot.isLeak) return 'exclusion_leak';
  if (isErased(prospect['raw'])) return 'forgotten';
  if (slot.isSuppressed) return 'suppressed';
  if (slot.rowMismatch !== null) return slot.rowMismatch;
  if (company === null || status !== 'ENRICHED') return 'not_enriched';
  const rule = findSkipRule(prospect, plan.contacts);
  if (rule !== null) return rule;
  if (companyId === undefined) return 'company_not_written';
  const key = contactKey(prospect, company);
  if (key !== null && suppressedContacts.has(key)) return 'suppressed';
  const properties = toContactProperties(
    { slot: slot.slot, prospect, company, companyRecord },
    provenance,
    plan.mapping,
  );
  if (properties === null || key === null) return 'no_email';
  return { slot, item, key, email: contactEmail(prospect), properties };
}
