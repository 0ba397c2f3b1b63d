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

interface LinkOptions<Link> {
  /** The links that were made before: a person has removed them, and they stay so. Called only with links that are missing. */
  readonly findMade?: (missing: readonly Link[]) => Promise<ReadonlySet<Link>>;
  readonly signal: AbortSignal;
}

/** Keeps existing links and labels. */
export async function linkContacts<Link extends ContactLink>(
  associations: HubSpotClient['associations'],
  links: readonly Link[],
  { findMade = () => Promise.resolve(new Set()), signal }: LinkOptions<Link>,
): Promise<Map<Link, LinkOutcome>> {
  const contactIds = links.flatMap(({ contactId, isNew }) => (isNew ? [] : [contactId]));
  const linkedCompanies = await associations.read('contacts', 'companies', contactIds, signal);
  const linksOf = ({ isNew, contactId }: Link) => (isNew ? [] : (linkedCompanies.get(contactId) ?? []));
  const linkTo = (link: Link) => linksOf(link).find(({ id }) => id === link.companyId);
  const missing = links.filter((link) => !link.isNew && linkTo(link) === undefined);
  const made = missing.length === 0 ? new Set<Link>() : await findMade(missing);
  const outcomes = new Map<Link, LinkOutcome>();
  const primaryLinks: { link: Link; types: LinkType[]; isExisting: boolean }[] = [];
  const plainLinks: Link[] = [];
  for (const link of links) {
    const existing = linkTo(link);
    const hasPrimary = linksOf(link).some(({ types }) =>
      types.some((type) => isSameType(type, contactToPrimaryCompany)),
    );
    if (made.has(link)) outcomes.set(link, 'removed');
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
