/** Publishes the immutable result set of an order when the order completes. */
import { activeOrderStatuses, prospectSearchIdOf } from '../../src/service/contract/index.ts';
import type { SearchCriteria } from '../generated-data/candidate-companies.ts';
import { toTimestamp } from '../timestamp.ts';
import { createDiscoverySet, findExcluded } from './discovery-results.ts';
import { createEnrichmentSet } from './enrichment-results.ts';
import { stageAt } from '../status-lifecycle.ts';
import { parseMagicInputs } from '../magic-inputs.ts';
import type { PublishedSet } from './published-set.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredCreation, StoredOrder, StoredPublication } from '../state/stored-records.ts';

export interface Publications {
  /**
   * Publishes all orders that are due by `now`. Call it before any other work for an organisation: a blacklist counts
   * as it was when the order completed, not as it is at the next request.
   */
  readonly publishDue: (organization: Organization, now: number) => void;
  /** Call it when an order is created or changed without the clock, before the next `publishDue`. */
  readonly orderChanged: (organization: Organization) => void;
  /** The result set of an order, or null before its publication. */
  readonly publishedSet: (organization: Organization, order: StoredOrder) => PublishedSet | null;
  /** The same, also of a completed order whose results are never published: its companies are in the legacy listing only. */
  readonly deliveredSet: (organization: Organization, order: StoredOrder) => PublishedSet | null;
  /** Calls `listener` when an order is published, inside the same transaction. */
  readonly onPublished: (listener: (organization: Organization) => void) => void;
  /** Call it after a reset or a restored snapshot. */
  readonly clear: () => void;
}

export function createPublications(seed: number, leaksOf: (organization: Organization) => boolean): Publications {
  const sets = createRecentSets();
  /** Organisation id -> the next time at which an order completes. It saves every request a scan of all open orders. */
  const nextCompletionAt = new Map<string, number>();
  const listeners: ((organization: Organization) => void)[] = [];

  const searchOf = (organization: Organization, { profileId, input }: StoredOrder) => {
    const { outcome, found } = parseMagicInputs(input.title);
    return {
      seed,
      criteria: criteriaOf(organization, profileId, input.target_countries),
      requested: input.briefing_quantity ?? 0,
      maxFound: outcome === 'EMPTY' ? 0 : found,
      beyond: outcome === 'RESULT_LIMIT_EXCEEDED' ? 3 : 0,
      leaks: leaksOf(organization),
    };
  };
  const build = (organization: Organization, order: StoredOrder, stored: StoredPublication): PublishedSet => {
    const { deliveredAt, excluded } = stored;
    const historical = parseMagicInputs(order.input.title).outcome === 'HISTORICAL';
    const rows = order.submitted === null ? undefined : organization.submissions.get(order.id);
    if (rows) return createEnrichmentSet({ seed, rows, historical, deliveredAt });
    return createDiscoverySet({ ...searchOf(organization, order), historical, deliveredAt, excluded });
  };
  /** Results are computed and kept for the legacy listing, also where they are never published. */
  const complete = (organization: Organization, order: StoredOrder, at: number) => {
    const blacklistIds = blacklistsOf(organization, order);
    const excluded =
      order.submitted === null ? findExcluded(searchOf(organization, order), blacklistIds, organization.entries) : [];
    const stored = { deliveredAt: toTimestamp(at), excluded };
    const { total, summary } = build(organization, order, stored);
    organization.publications.set(order.id, stored);
    organization.unlisted(searchIdOf(order)).set(order.id, 0);
    if (!order.publishes) return;
    organization.orders.set(order.id, { ...order, published: { total, summary } });
    const { publishedOrders } = organization.webhooks;
    publishedOrders.set(String(organization.count('published order')), order.id);
  };

  const deliveredSet = (organization: Organization, order: StoredOrder) => {
    const known = sets.get(order.id);
    if (known) return known;
    const stored = organization.publications.get(order.id);
    if (!stored) return null;
    const set = build(organization, order, stored);
    sets.add(order.id, set);
    return set;
  };

  return {
    publishDue(organization, now) {
      if (now < (nextCompletionAt.get(organization.id) ?? -Infinity)) return;
      const open = organization.unfinished.values().flatMap((id) => organization.orders.get(id) ?? []);
      const ended = open.flatMap((order) => {
        const stage = stageAt(order.life, now);
        return isActive(stage.status) ? [] : [{ order, ...stage }];
      });
      // Cached only when nothing changed, because a change can still be rolled back.
      if (ended.length === 0) nextCompletionAt.set(organization.id, Math.min(Infinity, ...open.map(endTimeOf)));
      else nextCompletionAt.delete(organization.id);
      // In the order of completion.
      for (const { order, status, at } of ended.toSorted((a, b) => a.at - b.at)) {
        organization.unfinished.delete(order.id);
        if (status !== 'COMPLETED') continue;
        complete(organization, order, at);
        if (!order.publishes) continue;
        for (const listener of listeners) listener(organization);
      }
    },
    orderChanged: ({ id }) => void nextCompletionAt.delete(id),
    deliveredSet,
    publishedSet: (organization, order) => (order.published ? deliveredSet(organization, order) : null),
    onPublished: (listener) => void listeners.push(listener),
    clear() {
      sets.clear();
      nextCompletionAt.clear();
    },
  };
}

const maxSetsInMemory = 8;

/** Caches the most recently used sets, because building a large enrichment order for each page is slow. */
function createRecentSets() {
  /** Order id -> set, least recently used first. */
  const sets = new Map<string, PublishedSet>();
  const add = (orderId: string, set: PublishedSet) => {
    sets.delete(orderId);
    sets.set(orderId, set);
    const [unused] = sets.keys();
    if (sets.size > maxSetsInMemory && unused !== undefined) sets.delete(unused);
  };
  return {
    add,
    get(orderId: string): PublishedSet | undefined {
      const set = sets.get(orderId);
      if (set) add(orderId, set);
      return set;
    },
    clear: () => sets.clear(),
  };
}

/** When the clock ends an order; Infinity when polls or manual steps end it. */
function endTimeOf({ life }: StoredOrder): number {
  return life.stages.find(({ status }) => !isActive(status))?.at ?? Infinity;
}

export function isActive(status: string): boolean {
  return activeOrderStatuses.some((active) => active === status);
}

function criteriaOf(
  organization: Organization,
  profileId: string,
  countries: readonly string[] | undefined,
): SearchCriteria {
  const profile = organization.creations.get(organization.profiles.get(profileId) ?? '')?.input;
  return { ...profile, target_countries: countries ?? profile?.target_countries ?? [] };
}

/** The blacklists attached to the order or assigned to the prospect search, without deleted ones. */
function blacklistsOf(organization: Organization, { input, profileId }: StoredOrder): string[] {
  const assigned = organization.assignments.get(searchIdOf({ profileId })) ?? [];
  const attached = (input.blacklist_ids ?? []).map((id) => id.toLowerCase());
  return [...new Set([...attached, ...assigned])].filter((id) => organization.blacklists.get(id) !== undefined);
}

/** The id of the prospect search of a profile (A06). */
export function searchIdOf({ profileId }: Pick<StoredCreation, 'profileId'>): string {
  return prospectSearchIdOf({ profile_id: profileId });
}
