import type { Slot } from '../src/contract/index.ts';
import type { CrmRecord } from '../src/hubspot/hubspot-record.ts';
import type { OutcomeRow } from '../src/ledger/outcomes.ts';
import type { Findings } from '../src/reconcile/findings.ts';
import { checkCompanyRecord, checkContactRecord, type OrderCheck } from '../src/reconcile/record-check.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { ReconcileRange } from './reconcile.ts';
import { findMissingLinks, type ExpectedLink } from './reconcile-links.ts';
import { keyOf, prospectOf, readWritten, type WrittenRecord } from './written-records.ts';

interface CheckedSlot {
  readonly position: number;
  readonly slot: Slot;
  readonly outcomes: readonly OutcomeRow[];
}

const writtenOutcomes = ['created', 'updated', 'unchanged'];

/** Every slot has an outcome, every record that was written says what it should, and people are linked to their companies. */
export async function reconcileCrm(
  clients: ActivityDependencies,
  { orderId, from, to }: ReconcileRange,
  findings: Findings,
  bad: Set<number>,
): Promise<void> {
  const { ledger, hubspot } = clients;
  const outcomes = Map.groupBy(await ledger.outcomes.read(orderId, { from, to }), ({ position }) => position);
  const slots = (await ledger.slots.readParsed(orderId, { from, to })).map(({ position, slot }): CheckedSlot => {
    return { position, slot, outcomes: outcomes.get(position) ?? [] };
  });
  const records = await readRecords(clients, slots);
  const found = checkSlots(slots, records, await createOrderCheck(clients, orderId, records));
  const missing = await findMissingLinks(hubspot, toExpectedLinks(slots, records));
  for (const { position, code } of [...found, ...missing.map((position) => ({ position, code: 'crm_link_missing' }))]) {
    findings.add(code, position);
    bad.add(position);
  }
}

/** By the ids under which they were written. */
interface Records {
  readonly companies: ReadonlyMap<string, CrmRecord>;
  readonly contacts: ReadonlyMap<string, CrmRecord>;
}

async function readRecords({ hubspot }: ActivityDependencies, slots: readonly CheckedSlot[]): Promise<Records> {
  const written = slots.flatMap(({ slot, outcomes }) =>
    outcomes.flatMap((row): (WrittenRecord & { isCompany: boolean })[] =>
      row.recordId === null || !isWritten(row)
        ? []
        : [{ recordId: row.recordId, key: keyOf(slot, row.item), isCompany: row.item === 'company' }],
    ),
  );
  const companies = written.filter(({ isCompany }) => isCompany);
  const contacts = written.filter(({ isCompany }) => !isCompany);
  return {
    companies: await readWritten(hubspot, 'companies', companies),
    contacts: await readWritten(hubspot, 'contacts', contacts),
  };
}

/** Whoever was written was linked to the record of the row's company, also where another row has that record. */
function toExpectedLinks(slots: readonly CheckedSlot[], { companies, contacts }: Records): ExpectedLink[] {
  return slots.flatMap(({ position, slot, outcomes }) => {
    const company = outcomes.find(({ item }) => item === 'company');
    const companyId = company?.recordId ?? null;
    // That a record is missing is a finding of its own.
    if (company === undefined || companyId === null || (isWritten(company) && !companies.has(companyId))) return [];
    const people = outcomes.filter((row) => row.item !== 'company' && isWritten(row));
    return people.flatMap(({ recordId }): ExpectedLink[] => {
      const contact = contacts.get(recordId ?? '');
      const current = companies.get(companyId)?.id ?? companyId;
      return contact === undefined
        ? []
        : [{ position, contactId: contact.id, companyId: current, companyKey: keyOf(slot, 'company') }];
    });
  });
}

function isWritten({ outcome }: OutcomeRow): boolean {
  return writtenOutcomes.includes(outcome ?? '');
}

function checkSlots(slots: readonly CheckedSlot[], { companies, contacts }: Records, check: OrderCheck) {
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

/** A record may say the name of a later order: then that one answers for it. */
async function createOrderCheck(
  { ledger }: ActivityDependencies,
  orderId: string,
  { companies, contacts }: Records,
): Promise<OrderCheck> {
  const known = new Set<string>();
  const named = [...companies.values(), ...contacts.values()].map(
    ({ properties }) => properties['prospect_sync_order_id'] ?? orderId,
  );
  for (const id of new Set(named)) if ((await ledger.orders.get(id)) !== undefined) known.add(id);
  return (id) => {
    if (id === orderId) return 'this';
    return id !== null && known.has(id) ? 'other' : 'unknown';
  };
}
