/** Links contacts to their companies, as the primary company where a contact has no other one. */
import { contactToPrimaryCompany, isSameType, type LinkType } from './associations.ts';
import type { HubSpotClient } from './hubspot-client.ts';

export interface ContactLink {
  readonly contactId: string;
  readonly companyId: string;
  /** True when the contact was just created, so that it has no links yet. */
  readonly isNew: boolean;
}

/** `existing`: the link was there before, although it may have become the primary one. `removed`: by a person. */
export type LinkOutcome = 'existing' | 'created' | 'refused' | 'removed';

/** Keeps existing links and labels. A missing link that was made before has been removed by a person, and stays so. */
export async function linkContacts<Link extends ContactLink>(
  associations: HubSpotClient['associations'],
  links: readonly Link[],
  { wasMade = () => false, signal }: { readonly wasMade?: (link: Link) => boolean; readonly signal: AbortSignal },
): Promise<Map<Link, LinkOutcome>> {
  const contactIds = links.flatMap(({ contactId, isNew }) => (isNew ? [] : [contactId]));
  const linkedCompanies = await associations.read('contacts', 'companies', contactIds, signal);
  const outcomes = new Map<Link, LinkOutcome>();
  const primaryLinks: { link: Link; types: LinkType[]; isExisting: boolean }[] = [];
  const plainLinks: Link[] = [];
  for (const link of links) {
    const linked = link.isNew ? [] : (linkedCompanies.get(link.contactId) ?? []);
    const existing = linked.find(({ id }) => id === link.companyId);
    const hasPrimary = linked.some(({ types }) => types.some((type) => isSameType(type, contactToPrimaryCompany)));
    if (existing === undefined && wasMade(link)) outcomes.set(link, 'removed');
    // HubSpot replaces the labels of a link by those that are sent.
    else if (!hasPrimary) {
      const types = [...(existing?.types ?? []), contactToPrimaryCompany];
      primaryLinks.push({ link, types, isExisting: existing !== undefined });
    } else if (existing === undefined) plainLinks.push(link);
    else outcomes.set(link, 'existing');
  }
  const labelled = await associations.label(
    'contacts',
    'companies',
    primaryLinks.map(({ link, types }) => ({ fromId: link.contactId, toId: link.companyId, types })),
    signal,
  );
  for (const [index, { link, isExisting }] of primaryLinks.entries()) {
    outcomes.set(link, labelled[index]?.ok !== true ? 'refused' : isExisting ? 'existing' : 'created');
  }
  const associated = await associations.associate(
    'contacts',
    'companies',
    plainLinks.map(({ contactId, companyId }) => ({ fromId: contactId, toId: companyId })),
    signal,
  );
  for (const [index, link] of plainLinks.entries()) {
    outcomes.set(link, associated[index]?.ok === true ? 'created' : 'refused');
  }
  return outcomes;
}
