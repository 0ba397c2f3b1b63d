/**
 * Under which domain an organisation was delivered with which company, so that whose an address is costs one look-up,
 * however many orders there are and however large. A company's people and addresses follow from its domain (company-generator.ts):
 * one row is enough for all of them. Published orders are listed once, in slices beside other work; a reply that comes
 * earlier lists the rest itself, which takes some 30 µs a slot.
 */
import { setImmediate } from 'node:timers/promises';
import type { Company } from '../../src/contract/index.ts';
import type { Publications } from '../results/publications.ts';
import type { Organization } from '../state/organization.ts';
import type { Store } from '../state/sandbox-store.ts';
import type { StoredDomain } from '../state/webhook-records.ts';

export interface DeliveredDomains {
  /** Begins to list what was published; resolves when everything is, or when that was ended. */
  readonly list: (organization: Organization) => Promise<void>;
  /** Lists all the rest at once. To be called inside a transaction. */
  readonly complete: (organization: Organization) => void;
  readonly close: () => void;
}

interface DomainParts {
  readonly transaction: Store['transaction'];
  readonly publications: Pick<Publications, 'publishedSet'>;
}

const slotsPerSlice = 200;

export function createDeliveredDomains({ transaction, publications }: DomainParts): DeliveredDomains {
  const listing = new Set<string>();
  const closing = new AbortController();
  return {
    async list(organization) {
      if (listing.has(organization.id)) return;
      listing.add(organization.id);
      try {
        // Never within the transaction that gives rise to it.
        do await setImmediate(undefined, { ref: false });
        while (!closing.signal.aborted && transaction(() => listSlice(organization, publications)));
      } catch {
        // The next reply tries again and reports the error.
      } finally {
        listing.delete(organization.id);
      }
    },
    complete(organization) {
      while (listSlice(organization, publications));
    },
    close: () => closing.abort(),
  };
}

/** The next slots, order by order as they were published; false when there are none. */
function listSlice(organization: Organization, { publishedSet }: DomainParts['publications']): boolean {
  const { publishedOrders, listedSlots } = organization.webhooks;
  const { order: number, slot } = listedSlots.get(next) ?? { order: 0, slot: 0 };
  const id = publishedOrders.get(String(number));
  if (id === undefined) return false;
  const order = organization.orders.get(id);
  const set = order && publishedSet(organization, order);
  const total = set?.total ?? 0;
  const end = Math.min(slot + slotsPerSlice, total);
  for (let place = slot; place < end; place += 1) {
    const company = set?.slotAt(place).company;
    if (company?.domain) addCompany(organization, company.domain, { company, order: number, slot: place });
  }
  listedSlots.set(next, end < total ? { order: number, slot: end } : { order: number + 1, slot: 0 });
  return true;
}

const next = 'next';

interface Delivery {
  readonly company: Company;
  readonly order: number;
  readonly slot: number;
}

/** The latest order counts, and in it the first slot: what a duplicate repeats comes without people. */
function addCompany({ webhooks }: Organization, domain: string, { company, order, slot }: Delivery): void {
  const key = domain.toLowerCase();
  const known = webhooks.deliveredDomains.get(key);
  const hasPeople = (company.prospects ?? []).length > 0;
  const isFirst = known?.company[0] !== order;
  const isFirstWithPeople = hasPeople && known?.people?.[0] !== order;
  if (!isFirst && !isFirstWithPeople) return;
  const here = [order, slot] as const;
  const row: StoredDomain = {
    company: isFirst ? here : known.company,
    people: isFirstWithPeople ? here : (known?.people ?? null),
  };
  webhooks.deliveredDomains.set(key, row);
}
