/** Who replied, as far as the organisation was delivered with them ("Events", rule 1). */
import { domainOf, type Company, type Prospect } from '../../contract/index.ts';
import type { Publications } from '../service/publication.ts';
import { Refusal } from '../service/refusal.ts';
import type { Organization } from '../service/store/organization.ts';

export interface Replier {
  readonly email: string;
  readonly prospect: Prospect | null;
  readonly company: Company | null;
}

interface ProspectPlace {
  readonly order_id: string;
  readonly input_position: number;
  readonly prospect?: number | undefined;
}

type Published = Pick<Publications, 'publishedSet'>;

/** A published slot costs some 15 µs to make; an address is looked for in so many of the newest ones. */
const searchedSlots = 20_000;

/** Throws a Refusal (404) when nobody was delivered there. */
export function replierAt(organization: Organization, place: ProspectPlace, { publishedSet }: Published): Replier {
  const order = organization.orders.get(place.order_id.toLowerCase());
  const set = order && publishedSet(organization, order);
  const company = set && place.input_position < set.total ? set.slotAt(place.input_position).company : null;
  const prospect = company?.prospects?.[place.prospect ?? 0];
  if (prospect?.email) return { email: prospect.email, prospect, company: company ?? null };
  throw new Refusal(404, { code: 'PROSPECT_NOT_FOUND', message: 'No prospect with an address was delivered there.' });
}

/** A delivered prospect with that address, else a delivered company with that address or domain, else nobody. */
export function replierWith(organization: Organization, email: string, { publishedSet }: Published): Replier {
  const address = email.trim().toLowerCase();
  const domain = domainOf(address.slice(address.lastIndexOf('@') + 1));
  let found: Company | null = null;
  let left = searchedSlots;
  for (const order of organization.orders.values().toReversed()) {
    const set = publishedSet(organization, order);
    const searched = Math.min(set?.total ?? 0, left);
    left -= searched;
    for (let place = 0; place < searched; place += 1) {
      const company = set?.slotAt(place).company;
      if (!company) continue;
      const prospect = company.prospects?.find((person) => person.email?.toLowerCase() === address);
      if (prospect) return { email, prospect, company };
      if (company.email?.toLowerCase() === address || (domain !== null && company.domain === domain)) found ??= company;
    }
  }
  return { email, prospect: null, company: found };
}
