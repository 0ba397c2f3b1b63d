/** The moment at which an order's result set comes to be, once and for all. */
import { activeOrderStatuses, type Entry } from '../../contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { publishDiscovery } from './discovery.ts';
import { publishEnrichment } from './enrichment.ts';
import { wishesIn } from './magic-inputs.ts';
import { searchIdOf } from './profiles.ts';
import type { PublishedSet } from './published-set.ts';
import { stageAt } from './stages.ts';
import type { OrderRecord, Organization } from './store.ts';

/**
 * Publishes what became due up to `now`. Called before anything else is done for an organisation, so that a blacklist
 * counts as it was when the order completed, not as it is when somebody looks.
 */
export function settle(seed: number, organization: Organization, now: number): void {
  for (const order of organization.unpublished) {
    const { status, at } = stageAt(order.stages, now);
    if (isActive(status)) continue;
    organization.unpublished.delete(order);
    if (status === 'COMPLETED' && order.publishes) order.published = publish(seed, order, toTimestamp(at));
  }
}

export function isActive(status: string): boolean {
  return activeOrderStatuses.some((active) => active === status);
}

function publish(seed: number, order: OrderRecord, deliveredAt: string): PublishedSet {
  const { input, profile } = order;
  const { outcome, found } = wishesIn(input.title);
  const historical = outcome === 'HISTORICAL';
  if (input.companies) return publishEnrichment({ seed, rows: input.companies, historical, deliveredAt });
  return publishDiscovery({
    seed,
    criteria: { ...profile.input, target_countries: input.target_countries ?? profile.input.target_countries },
    requested: input.briefing_quantity ?? 0,
    atMost: outcome === 'EMPTY' ? 0 : found,
    beyond: outcome === 'RESULT_LIMIT_EXCEEDED' ? 3 : 0,
    historical,
    deliveredAt,
    entries: blacklistedEntries(order),
  });
}

/** Attached to the order or assigned to the prospect search; a blacklist that was deleted meanwhile excludes nothing. */
function* blacklistedEntries({ organization, input, profile }: OrderRecord): Generator<Entry> {
  const assigned = organization.assignments.get(searchIdOf(profile)) ?? [];
  const attached = (input.blacklist_ids ?? []).map((id) => id.toLowerCase());
  for (const id of new Set([...attached, ...assigned])) yield* organization.blacklists.get(id)?.entries ?? [];
}
