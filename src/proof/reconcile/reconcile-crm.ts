/** Reads back the CRM records of slots: every slot has an outcome, its records hold its values, and contacts are linked to companies. */
import { setTimeout as sleep } from 'node:timers/promises';
import { rejectOnAbort } from '../../base/host/reject-on-abort.ts';
import type { Slot } from '../../service/contract/index.ts';
import type { Item, OutcomeRow } from '../../ledger/outcome-store.ts';
import type { ParsedSlot } from '../../ledger/slots.ts';
import { isWritten } from '../../ledger/crm-outcomes.ts';
import { isErased } from '../../base/json/erased-mark.ts';
import { linkRemoved } from '../../delivery/crm/slot-batch.ts';
import { entriesOf, toFigures } from '../checks/read-back.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { ReadBackFigures } from '../report/read-back-figures.ts';
import type { FindingDetail, SlotFinding } from '../checks/slot-findings.ts';
import type { SlotSample } from '../checks/slot-sample.ts';
import type { ProofContext } from './proof-context.ts';
import {
  findOwnRecords,
  readBackRecords,
  typeOf,
  type ReadBackRecord,
  type ReadBackRecords,
  type SlotWithOutcomes,
} from './read-back-records.ts';
import type { SlotRange } from '../../ledger/stored-slot.ts';
import { readBackItems } from './read-back-items.ts';
import { findMissingLinks, type ExpectedLink, keyOf, type MissingLink, prospectOf } from './written-records.ts';

export interface CrmReadBack {
  readonly findings: readonly SlotFinding[];
  /** The values that were edited later, which are kept. */
  readonly edits: readonly SlotFinding[];
  readonly figures: ReadBackFigures;
}

interface CrmReadBackInput {
  readonly range: SlotRange;
  /** The slots of the range. */
  readonly slots: readonly ParsedSlot[];
  /** Slots whose records are read back. */
  readonly sample: SlotSample;
}

/** Reads the outcomes of all slots from the ledger, and the records of the sample from HubSpot. */
export async function reconcileCrm(
  context: ProofContext,
  { range, slots: parsed, sample }: CrmReadBackInput,
): Promise<CrmReadBack> {
  const slots = await addOutcomes(context, range, parsed);
  const chosen = slots.filter(({ position }) => sample.has(position));
  const records = await readSettled(context, chosen);
  const missingLinks = await findMissingLinks(context, toExpectedLinks(chosen, records));
  // Records that a newer order wrote are checked by the reconciliation of that order.
  const own = await findOwnRecords(context, range.orderId, records);
  const all = [...own.companies.values(), ...own.contacts.values()];
  const comparisons = all.map(({ comparison }) => comparison);
  return {
    findings: [...slots.flatMap((slot) => checkSlot(slot, own)), ...missingLinks.map(toLinkFinding)],
    edits: slots.flatMap((slot) => listEdits(slot, own)),
    figures: toFigures(comparisons, {
      sampled: sample.size === null ? null : chosen.length,
      items: await readBackItems(context, range, sample.has),
    }),
  };
}

const inFlightMs = 1_000;

/** Reads wrong values a second time before they count, because another order may be writing the record. */
async function readSettled(context: ProofContext, chosen: readonly SlotWithOutcomes[]): Promise<ReadBackRecords> {
  const records = await readBackRecords(context, chosen);
  const isWrong = ({ comparison }: ReadBackRecord) => comparison.state === 'wrong';
  if (![...records.companies.values(), ...records.contacts.values()].some(isWrong)) return records;
  await rejectOnAbort(sleep(inFlightMs), context.signal);
  return readBackRecords(context, chosen);
}

export async function addOutcomes(
  { ledger }: ProofContext,
  { orderId, from, to }: SlotRange,
  slots: readonly ParsedSlot[],
): Promise<SlotWithOutcomes[]> {
  const outcomes = await ledger.outcomes.read(orderId, { from, to });
  const byPosition = Map.groupBy(outcomes, ({ position }) => position);
  return slots.map(({ position, slot }) => ({
    position,
    slot,
    outcomes: byPosition.get(position) ?? [],
  }));
}

/** Each written contact is linked to the record of its slot's company, also when another slot wrote that record. */
function toExpectedLinks(slots: readonly SlotWithOutcomes[], { companies, contacts }: ReadBackRecords): ExpectedLink[] {
  return slots.flatMap(({ position, slot, outcomes }) => {
    const company = outcomes.find(({ item }) => item === 'company');
    const companyId = company?.recordId ?? null;
    if (company === undefined || companyId === null) return [];
    const current = companies.get(companyId)?.current;
    // A missing company record has a separate finding.
    if (isWritten(company.outcome) && current === undefined) return [];
    const companyKey = keyOf(slot, 'company');
    return outcomes.flatMap(({ item, outcome, rule, recordId }): ExpectedLink[] => {
      const isLinked = isWritten(outcome) && rule !== linkRemoved;
      const contact = item === 'company' || !isLinked ? undefined : contacts.get(recordId ?? '')?.current;
      if (contact === undefined) return [];
      return [{ position, contactId: contact.id, companyId: current?.id ?? companyId, companyKey }];
    });
  });
}

function toLinkFinding({ position, contactId, companyId, linkedTo }: MissingLink): SlotFinding {
  const record = { object: 'contacts', id: contactId } as const;
  const present = linkedTo.length === 0 ? null : linkedTo.join(' ');
  const detail = { record, property: 'company', written: companyId, present, by: null, at: null };
  return { code: 'crm_link_missing', position, details: [detail] };
}

function checkSlot({ position, slot, outcomes }: SlotWithOutcomes, records: ReadBackRecords): SlotFinding[] {
  const hasCompany = outcomes.some(({ item }) => item === 'company');
  const hasAllContacts = outcomes.length - 1 === (slot.company?.prospects?.length ?? 0);
  const gap = isErased(slot['raw']) || (hasCompany && hasAllContacts) ? [] : ['outcome_missing'];
  const isKnown = ({ item }: OutcomeRow) => item === 'company' || prospectOf(slot.company, item) !== undefined;
  const remaining = outcomes.filter(({ item }) => !isErasedItem(slot, item));
  const found = remaining.flatMap((outcome) =>
    isKnown(outcome) ? checkOutcome(outcome, records) : [{ code: 'prospect_missing', details: [] }],
  );
  const byCode = Map.groupBy([...gap.map((code) => ({ code, details: [] })), ...found], ({ code }) => code);
  return [...byCode].map(([code, all]) => ({ code, position, details: all.flatMap(({ details }) => details) }));
}

function listEdits({ position, slot, outcomes }: SlotWithOutcomes, records: ReadBackRecords): SlotFinding[] {
  const details = outcomes.flatMap(({ item, outcome, recordId }) => {
    const record = records[typeOf(item)].get(recordId ?? '');
    if (!isWritten(outcome) || record === undefined || isErasedItem(slot, item)) return [];
    return record.comparison.edited.map((property) => toDetail(typeOf(item), record, property));
  });
  return details.length === 0 ? [] : [{ code: 'edited', position, details }];
}

/** Records of forgotten people and companies are not compared: the ledger no longer has their keys. */
function isErasedItem({ raw, company }: Slot, item: Item): boolean {
  return isErased(raw) || (item !== 'company' && isErased(prospectOf(company, item)?.['raw']));
}

type OutcomeFinding = Required<Omit<SlotFinding, 'position'>>;

function checkOutcome({ item, outcome, recordId }: OutcomeRow, records: ReadBackRecords): OutcomeFinding[] {
  const subject = item === 'company' ? 'crm_company' : 'crm_contact';
  if (outcome === null) return [{ code: 'outcome_missing', details: [] }];
  if (outcome === 'failed') return [{ code: 'crm_write_failed', details: [] }];
  if (outcome === 'quarantined') return [{ code: `${subject}_quarantined`, details: [] }];
  const type = typeOf(item);
  const record = records[type].get(recordId ?? '');
  if (!isWritten(outcome) || record === undefined) return [];
  const { state, edited, wrong, isOfOtherInstallation } = record.comparison;
  const whole = [toDetail(type, record, null)];
  if (state === 'missing' || state === 'archived') return [{ code: `${subject}_${state}`, details: whole }];
  // They are stored before a record is written.
  if (record.stored === undefined) return [{ code: `${subject}_values_lost`, details: whole }];
  const detailsOf = (properties: readonly string[]) => properties.map((property) => toDetail(type, record, property));
  if (isOfOtherInstallation) return [{ code: `${subject}_written_elsewhere`, details: detailsOf(edited) }];
  const byCode = Map.groupBy(wrong, (property) => `${subject}_${wrongValueCodes.get(property) ?? 'property_wrong'}`);
  return [...byCode].map(([code, properties]) => ({ code, details: detailsOf(properties) }));
}

/** `property`: null for the record as a whole. */
function toDetail(
  object: ObjectType,
  { recordId, current, stored, histories }: ReadBackRecord,
  property: string | null,
): FindingDetail {
  const record = { object, id: current?.id ?? recordId };
  if (property === null) return { record, property, written: null, present: null, by: null, at: null };
  const [latest] = entriesOf(histories, property);
  return {
    record,
    property,
    written: stored?.values.get(property)?.value ?? null,
    present: getOwnProperty(current?.properties ?? {}, property) ?? null,
    by: latest?.source.trim() ?? null,
    at: latest === undefined ? null : new Date(latest.at).toISOString(),
  };
}

/** Wrong values of properties by which prospect-sync finds records and reads their order. */
const wrongValueCodes: ReadonlyMap<string, string> = new Map([
  ['prospect_sync_company_key', 'key_differs'],
  ['prospect_sync_contact_key', 'key_differs'],
  ['prospect_sync_order_id', 'order_differs'],
  ['prospect_sync_status', 'status_differs'],
]);
