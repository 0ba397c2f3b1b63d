/** Links people to their company: as their primary one, unless they have another. */
import { isSameType, toHubSpotType } from '../hubspot/association-types.ts';
import type { LinkType } from '../hubspot/association-types.ts';
import type { Tools } from './projection.ts';

export interface ContactLink {
  readonly contactId: string;
  readonly companyId: string;
  /** Made by this pass: it has no links that somebody else made. */
  readonly isNew: boolean;
}

/** `stood`: nobody had to make it, although it may have become the primary one. */
export type LinkOutcome = 'stood' | 'made' | 'refused';

/** Rule of a person whose record is there, and whose link to the company is not. */
export const linkRefused = 'company_link_refused';
/** Rule of a person whose link an earlier pass had made, and somebody had removed since. */
export const linkRestored = 'company_link_restored';

const primary = toHubSpotType('contactToPrimaryCompany');

/** @returns what became of each link; existing links and labels of others are kept */
export async function linkContacts(
  { hubspot: { associations }, signal }: Tools,
  links: readonly ContactLink[],
): Promise<LinkOutcome[]> {
  const existing = links.flatMap(({ contactId, isNew }) => (isNew ? [] : [contactId]));
  const known = await associations.read('contacts', 'companies', existing, signal);
  const outcomes = new Map<ContactLink, LinkOutcome>();
  const label: { of: ContactLink; types: LinkType[]; isThere: boolean }[] = [];
  const plain: ContactLink[] = [];
  for (const of of links) {
    const linked = of.isNew ? [] : (known.get(of.contactId) ?? []);
    const own = linked.find(({ id }) => id === of.companyId);
    const hasPrimary = linked.some(({ types }) => types.some((type) => isSameType(type, primary)));
    // The labels that are sent replace those that stand there.
    if (!hasPrimary) label.push({ of, types: [...(own?.types ?? []), primary], isThere: own !== undefined });
    else if (own === undefined) plain.push(of);
    else outcomes.set(of, 'stood');
  }
  const labelled = await associations.label(
    'contacts',
    'companies',
    label.map(({ of, types }) => ({ fromId: of.contactId, toId: of.companyId, types })),
    signal,
  );
  for (const [index, { of, isThere }] of label.entries()) {
    outcomes.set(of, labelled[index]?.ok !== true ? 'refused' : isThere ? 'stood' : 'made');
  }
  const linked = await associations.associate(
    'contacts',
    'companies',
    plain.map(({ contactId, companyId }) => ({ fromId: contactId, toId: companyId })),
    signal,
  );
  for (const [index, of] of plain.entries()) outcomes.set(of, linked[index]?.ok === true ? 'made' : 'refused');
  return links.map((link) => outcomes.get(link) ?? 'refused');
}
