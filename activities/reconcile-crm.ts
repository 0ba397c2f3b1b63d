import type { Company, Prospect, Slot } from '../src/contract/index.ts';
import type { HubSpotClient } from '../src/hubspot/client.ts';
import type { CrmRecord, ObjectType } from '../src/hubspot/record.ts';
import { companyKey, contactKey } from '../src/mapping/identity.ts';
import { keyProperties } from '../src/projection/find-by-key.ts';
import type { Item, OutcomeRow } from '../src/ledger/outcomes.ts';
import type { Findings } from '../src/reconcile/findings.ts';
import {
  checkCompanyRecord,
  checkContactRecord,
  checkedProperties,
  type OrderCheck,
} from '../src/reconcile/record-check.ts';
import type { Clients } from './clients.ts';
import { cancellation, reached } from './progress.ts';
import type { ReconcileRange } from './reconcile.ts';

interface CheckedSlot {
  readonly position: number;
  readonly slot: Slot;
  readonly outcomes: readonly OutcomeRow[];
}

interface WrittenRecord {
  readonly item: Item;
  readonly recordId: string;
  readonly key: string | null;
}

/** So many slots are read back together: HubSpot's batches of 100 are then full. */
const slotsPerBatch = 1_000;

const writtenOutcomes = ['created', 'updated', 'unchanged'];

/** Every slot has an outcome, and every record that was written says what it should. */
export async function reconcileCrm(
  clients: Clients,
  { orderId, from, to }: ReconcileRange,
  findings: Findings,
  bad: Set<number>,
): Promise<void> {
  const isOurOrder = createOrderCheck(clients, orderId);
  const readSlot = await clients.ledger.shapes.slotReader(orderId);
  for (let start = from; start < to; start += slotsPerBatch) {
    const range = { from: start, to: Math.min(start + slotsPerBatch, to) };
    const stored = await clients.ledger.slots.read(orderId, range);
    const outcomes = Map.groupBy(
      await clients.ledger.outcomes.read(orderId, 'hubspot', range),
      ({ position }) => position,
    );
    const slots = stored.map(({ position, json }): CheckedSlot => {
      return { position, slot: readSlot(json), outcomes: outcomes.get(position) ?? [] };
    });
    for (const { position, code } of await checkSlots(clients, slots, isOurOrder)) {
      findings.add(code, position);
      bad.add(position);
    }
    reached(range.to);
  }
}

async function checkSlots(
  { hubspot }: Clients,
  slots: readonly CheckedSlot[],
  isOurOrder: (ids: readonly (string | null)[]) => Promise<OrderCheck>,
) {
  const written = slots.flatMap(({ slot, outcomes }) =>
    outcomes.flatMap(({ item, outcome, recordId }): WrittenRecord[] =>
      recordId === null || !writtenOutcomes.includes(outcome ?? '') ? [] : [{ item, recordId, key: keyOf(slot, item) }],
    ),
  );
  const [ofCompanies, ofContacts] = [true, false].map((isCompany) =>
    written.filter(({ item }) => (item === 'company') === isCompany),
  );
  const companies = await readWritten(hubspot, 'companies', ofCompanies ?? []);
  const contacts = await readWritten(hubspot, 'contacts', ofContacts ?? []);
  const owners = [...companies.values(), ...contacts.values()].map(
    ({ properties }) => properties['prospect_sync_order_id'] ?? null,
  );
  const check = await isOurOrder(owners);

  return slots.flatMap(({ position, slot, outcomes }) => {
    const codes = outcomes.map(({ item, outcome, recordId, matchedBy }) => {
      if (outcome === null) return 'outcome_missing';
      if (outcome === 'failed') return 'crm_write_failed';
      if (outcome === 'quarantined') return item === 'company' ? 'crm_company_quarantined' : 'crm_contact_quarantined';
      if (!writtenOutcomes.includes(outcome)) return null;
      if (item === 'company') return checkCompanyRecord(slot, companies.get(recordId ?? ''), check, { matchedBy });
      const prospect = prospectOf(slot.company, item);
      return prospect === undefined || slot.company === null
        ? 'prospect_missing'
        : checkContactRecord({ prospect, company: slot.company }, contacts.get(recordId ?? ''), check, { matchedBy });
    });
    const hasCompany = outcomes.some(({ item }) => item === 'company');
    const hasPeople = outcomes.length - 1 === (slot.company?.prospects?.length ?? 0);
    const gap = hasCompany && hasPeople ? [] : ['outcome_missing'];
    return [...gap, ...codes.filter((code) => code !== null)].map((code) => ({ position, code }));
  });
}

function keyOf({ status, company }: Slot, item: Item): string | null {
  if (company === null || status !== 'ENRICHED') return null;
  if (item === 'company') return companyKey(company);
  const prospect = prospectOf(company, item);
  return prospect === undefined ? null : contactKey(prospect, company);
}

function prospectOf(company: Company | null, item: Item): Prospect | undefined {
  return company?.prospects?.[Number(item.slice('contact:'.length))];
}

/** Records by the id that they were written under; a merge gives them another one, under which their key finds them. */
async function readWritten(
  hubspot: HubSpotClient,
  type: ObjectType,
  written: readonly WrittenRecord[],
): Promise<Map<string, CrmRecord>> {
  const properties = checkedProperties[type];
  const signal = cancellation();
  const found = await hubspot.objects.read(type, { ids: written.map(({ recordId }) => recordId), properties, signal });
  const lost = written.filter(({ recordId, key }) => !found.has(recordId) && key !== null);
  const ids = lost.flatMap(({ key }) => key ?? []);
  const byKey = await hubspot.objects.read(type, { ids, idProperty: keyProperties[type], properties, signal });
  for (const { recordId, key } of lost) {
    const record = byKey.get(key ?? '');
    if (record !== undefined) found.set(recordId, record);
  }
  return found;
}

/** A record may say the name of a later order: then that one answers for it. Looks each order up once. */
function createOrderCheck({ ledger }: Clients, orderId: string) {
  const known = new Map<string, boolean>();
  return async (ids: readonly (string | null)[]): Promise<OrderCheck> => {
    for (const id of new Set(ids)) {
      if (id !== null && id !== orderId && !known.has(id)) known.set(id, (await ledger.orders.get(id)) !== undefined);
    }
    return (id) => {
      if (id === orderId) return 'this';
      return id !== null && known.get(id) === true ? 'other' : 'unknown';
    };
  };
}
