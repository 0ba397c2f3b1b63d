/** Finds the person who replied among the delivered prospects ("Events", rule 1). */
import type { Company, Prospect } from '../../src/service/contract/index.ts';
import type { Publications } from '../results/publications.ts';
import { Refusal } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredPlace } from '../state/webhook-records.ts';

export interface Replier {
  readonly email: string;
  readonly prospect: Prospect | null;
  readonly company: Company | null;
}

interface ProspectPlace {
  readonly order_id: string;
  /** Default: the first slot that has such a prospect. */
  readonly input_position?: number | undefined;
  readonly prospect?: number | undefined;
}

type PublishedSets = Pick<Publications, 'publishedSet'>;

/** Throws a Refusal (404) when the slot has no prospect. */
export function findReplierBySlot(
  organization: Organization,
  place: ProspectPlace,
  { publishedSet }: PublishedSets,
): Replier {
  const order = organization.orders.get(place.order_id.toLowerCase());
  const set = order && publishedSet(organization, order);
  const total = set?.total ?? 0;
  const first = place.input_position ?? 0;
  const end = place.input_position === undefined ? total : Math.min(first + 1, total);
  for (let slot = first; slot < end; slot += 1) {
    const company = set?.slotAt(slot).company ?? null;
    const prospect = company?.prospects?.[place.prospect ?? 0];
    if (prospect?.email) return { email: prospect.email, prospect, company };
  }
  throw new Refusal(404, { code: 'PROSPECT_NOT_FOUND', message: 'No prospect with an address was delivered there.' });
}

/**
 * Finds a delivered prospect with that address, else a delivered company with that address or domain, else returns an
 * unknown person (A75). It only searches `deliveredDomains`.
 */
export function findReplierByEmail(
  organization: Organization,
  email: string,
  { publishedSet }: PublishedSets,
): Replier {
  const address = email.trim().toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const { deliveredDomains, publishedOrders } = organization.webhooks;
  // The addresses of a company with a real domain are below `.example` (`reservedDomain` of company-generator.ts).
  const found = [domain, domain.replace(/\.example$/, '')].flatMap((name) => deliveredDomains.get(name) ?? []);
  const companyAt = ([number, slot]: StoredPlace): Company | null => {
    const order = organization.orders.get(publishedOrders.get(String(number)) ?? '');
    return (order && publishedSet(organization, order)?.slotAt(slot).company) ?? null;
  };
  for (const place of found.flatMap(({ people }) => (people ? [people] : [])).toSorted(latestFirst)) {
    const company = companyAt(place);
    const prospect = company?.prospects?.find((person) => person.email?.toLowerCase() === address);
    if (company && prospect) return { email, prospect, company };
  }
  for (const place of found.map(({ company }) => company).toSorted(latestFirst)) {
    const company = companyAt(place);
    const isSameCompany = company?.email?.toLowerCase() === address || company?.domain?.toLowerCase() === domain;
    if (company && isSameCompany) return { email, prospect: null, company };
  }
  return { email, prospect: null, company: null };
}

function latestFirst([order, slot]: StoredPlace, [otherOrder, otherSlot]: StoredPlace): number {
  return otherOrder - order || slot - otherSlot;
}
