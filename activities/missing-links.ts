/** Reads the associations between the contacts of an order and their companies. */
import type { HubSpotClient } from '../src/hubspot/hubspot-client.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { readWritten } from './written-records.ts';

/** An association that a projection has created or found. Ids are the current ones, also after a merge. */
export interface ExpectedLink {
  readonly position: number;
  readonly contactId: string;
  readonly companyId: string;
  /** Identity key of the company; null without one. */
  readonly companyKey: string | null;
}

/**
 * Positions with missing associations, one entry for each. Other associations of a contact, and labels, are not checked: users of the CRM
 * may change them.
 */
export async function findMissingLinks(hubspot: HubSpotClient, expected: readonly ExpectedLink[]): Promise<number[]> {
  const contactIds = expected.map(({ contactId }) => contactId);
  const linked = await hubspot.associations.read('contacts', 'companies', contactIds, cancellationSignal());
  const isLinked = (contactId: string, companyId: string) =>
    linked.get(contactId)?.some(({ id }) => id === companyId) === true;
  const unlinked = expected.filter(({ contactId, companyId }) => !isLinked(contactId, companyId));
  // The company may have been merged since: its associations are kept under its new id.
  const companies = await readWritten(
    hubspot,
    'companies',
    unlinked.map(({ companyId, companyKey }) => ({ recordId: companyId, key: companyKey })),
  );
  return unlinked.flatMap(({ position, contactId, companyId }) =>
    isLinked(contactId, companies.get(companyId)?.id ?? companyId) ? [] : [position],
  );
}
