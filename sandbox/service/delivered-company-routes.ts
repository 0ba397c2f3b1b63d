/**
 * The legacy listing of a profile: companies of all its orders, so it must not be used to reconcile a single order. It alone has those of orders
 * whose results were never published.
 * Companies are indexed in slices when the listing is first requested (A44).
 */
import { setImmediate } from 'node:timers/promises';
import { operations, type Company } from '../../src/service/contract/index.ts';
import { findProfile } from './profile-routes.ts';
import { searchIdOf } from '../results/publications.ts';
import type { Publications } from '../results/publications.ts';
import { applyDeliveryPolicy } from '../results/delivery-policy.ts';
import { refuseUnknown } from '../service-refusal.ts';
import { route, type Route } from './operation-route.ts';
import type { DeliveredCompany } from '../state/delivered-companies.ts';
import type { Organization } from '../state/organization.ts';
import { createWebsiteMarkdown } from './website-markdown.ts';

interface DeliveryRouteDependencies extends Pick<Publications, 'deliveredSet'> {
  readonly transaction: <T>(work: () => T) => T;
}

interface Delivered {
  readonly company: Company;
  readonly deliveredAt: string;
}

const defaultLimit = 50;
const slotsPerSlice = 200;

export function createDeliveryRoutes(dependencies: DeliveryRouteDependencies): readonly Route[] {
  const { deliveredSet } = dependencies;

  const deliveredAt = (organization: Organization, { order: orderId, slot }: DeliveredCompany): Delivered => {
    const order = organization.orders.get(orderId);
    const found = order && deliveredSet(organization, order)?.slotAt(slot);
    if (!found?.company) throw new Error('the delivered company is not in its order');
    return { company: found.company, deliveredAt: found.delivered_at };
  };

  return [
    route(
      operations.listDeliveredCompanies,
      ({ organization, now, params, query }) => {
        const searchId = requireSearch(organization, params.prospect_search_id, now);
        const { limit = defaultLimit, offset = 0 } = query;
        const { delivered } = organization;
        const page = delivered.page(searchId, { limit, offset });
        const total = delivered.count(searchId);
        const companies = page.map((delivery) => applyDeliveryPolicy(deliveredAt(organization, delivery).company));
        return { status: 200, body: { companies, total, limit, offset, has_more: offset + page.length < total } };
      },
      ({ organization, params }) => listDeliveries(dependencies, organization, params.prospect_search_id.toLowerCase()),
    ),

    route(
      operations.getWebsiteMarkdown,
      ({ organization, now, params }) => {
        const searchId = requireSearch(organization, params.prospect_search_id, now);
        const delivery = organization.delivered.find(searchId, params.company_id.toLowerCase());
        if (!delivery) throw refuseUnknown('COMPANY_NOT_FOUND', params.company_id);
        const { company, deliveredAt: at } = deliveredAt(organization, delivery);
        return { status: 200, body: createWebsiteMarkdown(company, at) };
      },
      ({ organization, params }) => listDeliveries(dependencies, organization, params.prospect_search_id.toLowerCase()),
    ),
  ];
}

/** Indexes the orders completed since the last request. */
async function listDeliveries(
  dependencies: DeliveryRouteDependencies,
  organization: Organization,
  searchId: string,
): Promise<void> {
  for (const [orderId] of organization.unlisted(searchId).entries()) {
    while (listSlice(dependencies, organization, { searchId, orderId })) await setImmediate();
  }
}

/** Indexes the next slots of an order; false if there are none. Concurrent requests share the work. */
function listSlice(
  { deliveredSet, transaction }: DeliveryRouteDependencies,
  organization: Organization,
  { searchId, orderId }: { readonly searchId: string; readonly orderId: string },
): boolean {
  return transaction(() => {
    const unlisted = organization.unlisted(searchId);
    const done = unlisted.get(orderId);
    const order = organization.orders.get(orderId);
    const set = order && deliveredSet(organization, order);
    if (done === undefined || !set) return false;
    const end = Math.min(done + slotsPerSlice, set.total);
    const found: DeliveredCompany[] = [];
    for (let slot = done; slot < end; slot += 1) {
      const { status, company } = set.slotAt(slot);
      if (status === 'ENRICHED' && company?.id) found.push({ company: company.id, order: orderId, slot });
    }
    organization.delivered.add(searchId, found);
    if (end < set.total) unlisted.set(orderId, end);
    else unlisted.delete(orderId);
    return end < set.total;
  });
}

function requireSearch(organization: Organization, id: string, now: number): string {
  const creation = findProfile(organization, id, now);
  if (!creation) throw refuseUnknown('PROSPECT_SEARCH_NOT_FOUND', id);
  return searchIdOf(creation);
}
