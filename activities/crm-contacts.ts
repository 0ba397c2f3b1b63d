import type { Item } from '../src/ledger/outcomes.ts';
import { contactProperties, toContactProperties, type WantedProperties } from '../src/mapping/crm-properties.ts';
import { contactEmail, contactKey } from '../src/mapping/identity.ts';
import type { Clients } from './clients.ts';
import type { WrittenCompany } from './crm-companies.ts';
import { isSettled, type BatchSlot, type CrmBatch, type ItemOutcome, type Projection } from './crm-batch.ts';
import { findRecords, writeRecords } from './crm-records.ts';
import { cancellation } from './progress.ts';

interface Person {
  readonly of: BatchSlot;
  readonly item: Item;
  readonly key: string;
  readonly email: string;
  readonly wanted: WantedProperties;
  readonly companyId: string;
}

/** Writes the people of a batch's companies, links them, and records one outcome a person. */
export async function projectContacts(
  clients: Clients,
  batch: CrmBatch,
  slots: readonly BatchSlot[],
  companies: readonly WrittenCompany[],
): Promise<void> {
  const { people, skipped } = sortOut(batch.projection, slots, companies);
  const emails = new Map(people.map(({ key, email }) => [key, email]));
  const { found } = await findRecords(clients, {
    type: 'contacts',
    keys: [...emails.keys()],
    properties: contactProperties,
    adopt: async (missing) => {
      const ids = missing.flatMap((key) => emails.get(key) ?? []);
      const read = { ids, idProperty: 'email', properties: contactProperties, signal: cancellation() };
      const byEmail = await clients.hubspot.objects.read('contacts', read);
      return new Map(
        missing.flatMap((key) => {
          const record = byEmail.get(emails.get(key) ?? '');
          return record === undefined ? [] : [[key, [record]]];
        }),
      );
    },
  });
  const wants = people.map((person) => ({ ...person, record: found.get(person.key) ?? null }));
  const outcomes = await writeRecords(clients, batch, 'contacts', wants);
  const linked = await link(clients, people, outcomes);
  await batch.record([...skipped, ...linked]);
}

/** Who is to be written, and who is left out by which rule. */
function sortOut(projection: Projection, slots: readonly BatchSlot[], companies: readonly WrittenCompany[]) {
  const companyIds = new Map(companies.map(({ of, recordId }) => [of.position, recordId]));
  const people = new Map<string, Person>();
  const skipped: ItemOutcome[] = [];
  for (const of of slots) {
    for (const [index, prospect] of (of.slot.company?.prospects ?? []).entries()) {
      const item: Item = `contact:${index}`;
      if (isSettled(of, item)) continue;
      const skip = (rule: string) =>
        skipped.push({ position: of.position, item, outcome: 'skipped', rule, recordId: null });
      const companyId = companyIds.get(of.position);
      const [key, email] = [contactKey(prospect), contactEmail(prospect)];
      const wanted = toContactProperties(of.slot, prospect, projection.provenance);
      if (of.slot.status !== 'ENRICHED') skip('not_enriched');
      else if (companyId === undefined) skip('company_not_written');
      else if (wanted === null || key === null || email === null) skip('no_email');
      else if (people.has(key)) skip('same_person');
      else people.set(key, { of, item, key, email, wanted, companyId });
    }
  }
  return { people: [...people.values()], skipped };
}

/** Links come before the outcomes are recorded: a person whose link failed is not done. */
async function link(
  { hubspot }: Clients,
  people: readonly Person[],
  outcomes: readonly ItemOutcome[],
): Promise<ItemOutcome[]> {
  const linkable = people.flatMap(({ companyId }, index) => {
    const outcome = outcomes[index];
    return outcome?.recordId ? [{ outcome, fromId: outcome.recordId, toId: companyId }] : [];
  });
  const results = await hubspot.associations.associate('contacts', 'companies', linkable, cancellation());
  const refused = new Set(linkable.filter((_, index) => results[index]?.ok === false).map(({ outcome }) => outcome));
  return outcomes.map((outcome) =>
    refused.has(outcome) ? { ...outcome, outcome: 'failed', rule: 'company_link_refused' } : outcome,
  );
}
