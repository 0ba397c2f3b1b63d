/** Links people to their company: as their primary one, unless they have another. */
import { isSameType, toOwnType } from '../hubspot/association-types.ts';
import type { LinkType } from '../hubspot/association-types.ts';
import type { Tools } from './projection.ts';

export interface ContactLink {
  readonly contactId: string;
  readonly companyId: string;
  /** Made by this pass: it has no links that somebody else made. */
  readonly isNew: boolean;
}

const primary = toOwnType('contactToPrimaryCompany');

/** @returns for each link whether it stands now; existing links and labels of others are kept */
export async function linkContacts(
  { hubspot: { associations }, signal }: Tools,
  links: readonly ContactLink[],
): Promise<boolean[]> {
  const existing = links.flatMap(({ contactId, isNew }) => (isNew ? [] : [contactId]));
  const known = await associations.read('contacts', 'companies', existing, signal);
  const stand = new Map<ContactLink, boolean>();
  const label: { of: ContactLink; types: LinkType[] }[] = [];
  const plain: ContactLink[] = [];
  for (const of of links) {
    const linked = of.isNew ? [] : (known.get(of.contactId) ?? []);
    const own = linked.find(({ id }) => id === of.companyId);
    const hasPrimary = linked.some(({ types }) => types.some((type) => isSameType(type, primary)));
    // The labels that are sent replace those that stand there.
    if (!hasPrimary) label.push({ of, types: [...(own?.types ?? []), primary] });
    else if (own === undefined) plain.push(of);
    else stand.set(of, true);
  }
  const labelled = await associations.label(
    'contacts',
    'companies',
    label.map(({ of, types }) => ({ fromId: of.contactId, toId: of.companyId, types })),
    signal,
  );
  for (const [index, { of }] of label.entries()) stand.set(of, labelled[index]?.ok === true);
  const linked = await associations.associate(
    'contacts',
    'companies',
    plain.map(({ contactId, companyId }) => ({ fromId: contactId, toId: companyId })),
    signal,
  );
  for (const [index, of] of plain.entries()) stand.set(of, linked[index]?.ok === true);
  return links.map((link) => stand.get(link) === true);
}
