/** Who replied, as far as the organisation was delivered with them ("Events", rule 1). */
import type { Company, Prospect } from '../../contract/index.ts';
import type { Publications } from '../service/publication.ts';
import type { PublishedSet } from '../service/published-set.ts';
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

/** A published slot costs some 15 µs to make; so many of each order are looked at, once. */
const indexedSlots = 20_000;
const indexes = new WeakMap<PublishedSet, ReadonlyMap<string, number>>();

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
  const sets = organization.orders
    .values()
    .toReversed()
    .flatMap((order) => publishedSet(organization, order) ?? []);
  for (const set of sets) {
    const company = find(set, ofPerson(address));
    const prospect = company?.prospects?.find((person) => person.email?.toLowerCase() === address);
    if (company && prospect) return { email, prospect, company };
  }
  const domain = address.slice(address.lastIndexOf('@') + 1);
  for (const set of sets) {
    const company = find(set, ofCompany(address)) ?? find(set, ofCompany(domain));
    if (company) return { email, prospect: null, company };
  }
  return { email, prospect: null, company: null };
}

function find(set: PublishedSet, key: string): Company | null {
  const index = indexes.get(set) ?? toIndex(set);
  indexes.set(set, index);
  const place = index.get(key);
  return place === undefined ? null : set.slotAt(place).company;
}

/** Address or domain -> the first place in the set that has it. */
function toIndex(set: PublishedSet): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  const add = (key: string, place: number) => {
    if (!index.has(key)) index.set(key, place);
  };
  for (let place = 0; place < Math.min(set.total, indexedSlots); place += 1) {
    const { company } = set.slotAt(place);
    if (company?.email) add(ofCompany(company.email), place);
    if (company?.domain) add(ofCompany(company.domain), place);
    for (const { email } of company?.prospects ?? []) if (email) add(ofPerson(email), place);
  }
  return index;
}

function ofPerson(email: string): string {
  return `person ${email.toLowerCase()}`;
}

function ofCompany(emailOrDomain: string): string {
  return `company ${emailOrDomain.toLowerCase()}`;
}
