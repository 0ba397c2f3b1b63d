/**
 * Index of the delivered companies of an organisation by domain, so that the sender of a reply is found with one look-up.
 * One row per company is enough, because its people and addresses follow from its domain (company-generator.ts).
 * Published orders are indexed in slices in the background; a reply that arrives earlier indexes the rest (30 µs a slot).
 */
import { setImmediate } from 'node:timers/promises';
import type { Company } from '../../src/service/contract/index.ts';
import type { Publications } from '../results/publications.ts';
import type { Organization } from '../state/organization.ts';
import type { Store } from '../state/sandbox-store.ts';
import type { StoredDomain } from '../state/webhook-records.ts';

export interface DeliveredDomains {
  /** Indexes published orders in the background; resolves when that is complete or was stopped. */
  readonly list: (organization: Organization) => Promise<void>;
  /** Indexes the rest at once. Call it inside a transaction. */
  readonly complete: (organization: Organization) => void;
  readonly close: () => void;
}

interface DomainDependencies {
  readonly transaction: Store['transaction'];
  readonly publications: Pick<Publications, 'publishedSet'>;
}

const slotsPerSlice = 200;

export function createDeliveredDomains({ transaction, publications }: DomainDependencies): DeliveredDomains {
  const listing = new Set<string>();
  const closing = new AbortController();
  return {
    async list(organization) {
      if (listing.has(organization.id)) return;
      listing.add(organization.id);
      try {
        // The caller is inside a transaction.
        do await setImmediate(undefined, { ref: false });
        while (!closing.signal.aborted && transaction(() => listSlice(organization, publications)));
      } catch {
        // The next reply indexes the rest and reports the error.
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

/** Indexes the next slots, in the order of publication; false if there are none. */
function listSlice(organization: Organization, { publishedSet }: DomainDependencies['publications']): boolean {
  const { publishedOrders, listedSlots } = organization.webhooks;
  const { order: number, slot } = listedSlots.get(positionKey) ?? { order: 0, slot: 0 };
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
  listedSlots.set(positionKey, end < total ? { order: number, slot: end } : { order: number + 1, slot: 0 });
  return true;
}

const positionKey = 'next';

interface Delivery {
  readonly company: Company;
  readonly order: number;
  readonly slot: number;
}

/** Keeps the latest order and in it the first slot, because a duplicate has no people. */
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
