/** Reads the records that an order wrote, and their associations, as they are now. */
import type { Company, Prospect, Slot } from '../../service/contract/index.ts';
import type { ProofContext } from './proof-context.ts';
import type { CrmRecord, ObjectType } from '../../hubspot/hubspot-record.ts';
import type { Item } from '../../ledger/outcome-store.ts';
import { companyKey, contactKey } from '../../ledger/identity.ts';
import { keyProperties } from '../../delivery/crm/record-match.ts';

export interface RecordOfOrder {
  readonly recordId: string;
  /** `prospect_sync_company_key` or `prospect_sync_contact_key`; null if the item has no key. */
  readonly key: string | null;
}

/** A merge changes record ids, so records that are not found by id are read by key. @returns records by the id that was written */
export async function readWritten(
  { hubspot, signal }: ProofContext,
  type: ObjectType,
  written: readonly RecordOfOrder[],
  properties: readonly string[],
): Promise<Map<string, CrmRecord>> {
  const records = await hubspot.objects.read(type, {
    ids: written.map(({ recordId }) => recordId),
    properties,
    signal,
  });
  const missing = written.filter(({ recordId, key }) => !records.has(recordId) && key !== null);
  const ids = missing.flatMap(({ key }) => key ?? []);
  const byKey = await hubspot.objects.read(type, { ids, idProperty: keyProperties[type], properties, signal });
  for (const { recordId, key } of missing) {
    const record = byKey.get(key ?? '');
    if (record !== undefined) records.set(recordId, record);
  }
  return records;
}

export function keyOf({ status, company }: Slot, item: Item): string | null {
  if (company === null || status !== 'ENRICHED') return null;
  if (item === 'company') return companyKey(company);
  const prospect = prospectOf(company, item);
  return prospect === undefined ? null : contactKey(prospect, company);
}

export function prospectOf(company: Company | null, item: Item): Prospect | undefined {
  return company?.prospects?.[Number(item.slice('contact:'.length))];
}

/** An association that a projection has created or found. Ids are the current ones, also after a merge. */
export interface ExpectedLink {
  readonly position: number;
  readonly contactId: string;
  readonly companyId: string;
  /** Identity key of the company; null without one. */
  readonly companyKey: string | null;
}

export interface MissingLink extends ExpectedLink {
  /** The companies that the contact is associated with. */
  readonly linkedTo: readonly string[];
}

/**
 * The associations that are missing. Other associations of a contact, and labels, are not checked: users of the CRM
 * may change them.
 */
export async function findMissingLinks(
  context: ProofContext,
  expected: readonly ExpectedLink[],
): Promise<MissingLink[]> {
  const contactIds = expected.map(({ contactId }) => contactId);
  const linked = await context.hubspot.associations.read('contacts', 'companies', contactIds, context.signal);
  const isLinked = (contactId: string, companyId: string) =>
    linked.get(contactId)?.some(({ id }) => id === companyId) === true;
  const unlinked = expected.filter(({ contactId, companyId }) => !isLinked(contactId, companyId));
  // The company may have been merged since: its associations are kept under its new id.
  const companies = await readWritten(
    context,
    'companies',
    unlinked.map(({ companyId, companyKey }) => ({ recordId: companyId, key: companyKey })),
    [],
  );
  return unlinked.flatMap((link) => {
    const { contactId, companyId } = link;
    if (isLinked(contactId, companies.get(companyId)?.id ?? companyId)) return [];
    return [{ ...link, linkedTo: (linked.get(contactId) ?? []).map(({ id }) => id) }];
  });
}
