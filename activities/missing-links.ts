/** Links between the people of an order and their companies, read back. */
import type { HubSpotClient } from '../src/hubspot/hubspot-client.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { readWritten } from './written-records.ts';

/** A link that a pass has made, or found. Ids are those of the records now. */
export interface ExpectedLink {
  readonly position: number;
  readonly contactId: string;
  readonly companyId: string;
  /** Our own key of the company; null where it has none. */
  readonly companyKey: string | null;
}

/**
 * Positions whose link is not there, each as often as it lacks one. What else a contact is linked to is a matter of the
 * people of the CRM, and so are the labels.
 */
export async function findMissingLinks(hubspot: HubSpotClient, expected: readonly ExpectedLink[]): Promise<number[]> {
  const contactIds = expected.map(({ contactId }) => contactId);
  const linked = await hubspot.associations.read('contacts', 'companies', contactIds, cancellationSignal());
  const isLinked = (contactId: string, companyId: string) =>
    linked.get(contactId)?.some(({ id }) => id === companyId) === true;
  const open = expected.filter(({ contactId, companyId }) => !isLinked(contactId, companyId));
  // The company of another row may have been merged since: its links are kept under its new id.
  const companies = await readWritten(
    hubspot,
    'companies',
    open.map(({ companyId, companyKey }) => ({ recordId: companyId, key: companyKey })),
  );
  return open.flatMap(({ position, contactId, companyId }) =>
    isLinked(contactId, companies.get(companyId)?.id ?? companyId) ? [] : [position],
  );
}
