import { operations, features as allFeatures, type Order, limits } from '../../src/service/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { findBlacklist } from './blacklist-routes.ts';
import {
  startLifecycle,
  initialLifecycle,
  advanceByPoll,
  stageAt,
  type Lifecycle,
  type Progression,
} from '../status-lifecycle.ts';
import { parseMagicInputs } from '../magic-inputs.ts';
import { findProfile } from './profile-routes.ts';
import type { Publications } from '../results/publications.ts';
import { refuseScopes, refuseUnknown, Refusal } from '../service-refusal.ts';
import { readId, route, type AnyCall, type CreationContext, type Route } from './operation-route.ts';
import type { Organization } from '../state/organization.ts';
import type { Answer, StoredOrder } from '../state/stored-records.ts';

/** Sends the status changes of an order to its webhook_url. */
export interface OrderNotifier {
  /** Throws a Refusal (422) that names webhook_url. */
  readonly checkUrl: (webhookUrl: string | undefined) => void;
  /** Call it inside the transaction that creates an order, or changes its status without the clock. */
  readonly orderChanged: (organization: Organization, orderId: string) => void;
}

interface OrderRouteDependencies {
  readonly progressionOf: (call: CreationContext) => Progression;
  readonly publications: Publications;
  readonly notifier: OrderNotifier;
}

const { scopesWithBlacklists } = operations.createOrder;

export function createOrderRoutes({ progressionOf, publications, notifier }: OrderRouteDependencies): readonly Route[] {
  return [
    {
      current: replayOrder,
      ...route(operations.createOrder, ({ organization, key, now, body }) => {
        if (body.blacklist_ids?.length && !scopesWithBlacklists.every((scope) => key.scopes.includes(scope))) {
          throw refuseScopes(scopesWithBlacklists, key.scopes);
        }
        notifier.checkUrl(body.webhook_url);
        const profile = findProfile(organization, body.profile_id, now);
        if (!profile) throw refuseUnknown('PROFILE_NOT_FOUND', body.profile_id);
        for (const id of body.blacklist_ids ?? []) findBlacklist(organization, id);
        const { companies, ...input } = body;
        const order: StoredOrder = {
          id: organization.nextId('order'),
          profileId: profile.profileId,
          input,
          submitted: companies?.length ?? null,
          life: lifeOf(body.title, { start: now, progression: progressionOf({ organization, key }) }),
          publishes: parseMagicInputs(body.title).outcome !== 'UNPUBLISHED',
          published: null,
        };
        organization.orders.set(order.id, order);
        if (companies) organization.submissions.set(order.id, companies);
        organization.unfinished.set(order.id, order.id);
        publications.orderChanged(organization);
        notifier.orderChanged(organization, order.id);
        // The answer is always RECEIVED, also with immediate progression.
        return { status: 201, body: toOrder({ ...order, life: initialLifecycle(order.life) }, now) };
      }),
    },

    route(operations.listOrders, ({ organization, now, query }) => {
      const { limit = 50, offset = 0 } = query;
      const newest = organization.orders.values().toReversed();
      const orders = newest.slice(offset, offset + limit).map((order) => toOrder(order, now));
      const { length: total } = newest;
      return { status: 200, body: { orders, total, limit, offset, has_more: offset + orders.length < total } };
    }),

    route(operations.getOrder, ({ organization, now, params }) => {
      const order = findOrder(organization, params.order_id);
      const life = advanceByPoll(order.life, now);
      if (life === order.life) return { status: 200, body: toOrder(order, now) };
      organization.orders.set(order.id, { ...order, life });
      publications.orderChanged(organization);
      publications.publishDue(organization, now);
      notifier.orderChanged(organization, order.id);
      return { status: 200, body: toOrder(findOrder(organization, order.id), now) };
    }),
  ];
}

function replayOrder({ organization, now }: AnyCall, first: Answer): Answer {
  const order = organization.orders.get(readId(first.body, 'order_id'));
  return order ? { ...first, body: toOrder(order, now) } : first;
}

export function findOrder(organization: Organization, id: string): StoredOrder {
  const order = organization.orders.get(id.toLowerCase());
  if (!order) throw refuseUnknown('ORDER_NOT_FOUND', id);
  return order;
}

export function toOrder({ id, profileId, input, submitted, life, published }: StoredOrder, now: number): Order {
  const { status, at } = stageAt(life, now);
  return {
    order_id: id,
    status,
    briefing_quantity: submitted ?? input.briefing_quantity ?? 0,
    available_briefing_quantity: published?.total ?? 0,
    results_published: published !== null,
    result_summary: published?.summary ?? null,
    order_type: input.order_type,
    profile_id: profileId,
    title: input.title ?? null,
    features: input.features ?? [...allFeatures],
    created_at: toTimestamp(life.stages[0].at),
    updated_at: toTimestamp(at),
  };
}

type LifecycleStart = { readonly start: number; readonly progression: Progression };

/** ACCEPTED is short: "a poll normally observes IN_PROGRESS directly". */
function lifeOf(title: string | undefined, beginning: LifecycleStart): Lifecycle {
  const { outcome, stay } = parseMagicInputs(title);
  if (outcome === 'REJECTED') return startLifecycle('RECEIVED', { ...beginning, steps: [['REJECTED', 0.3]], stay });
  const unsuccessful = outcome === 'FAILED' || outcome === 'CANCELLED';
  return startLifecycle('RECEIVED', {
    ...beginning,
    steps: [
      ['ACCEPTED', 0.3],
      ['IN_PROGRESS', 0.35],
      [unsuccessful ? outcome : 'COMPLETED', 1],
    ],
    stay,
  });
}

export interface ResultSettings {
  /** Status of ORDER_RESULTS_NOT_READY (A04). */
  readonly results_not_ready_status: number;
}

export function createResultRoutes(
  { results_not_ready_status }: ResultSettings,
  { publishedSet }: Pick<Publications, 'publishedSet'>,
): readonly Route[] {
  return [
    route(operations.listResults, ({ organization, params, query }) => {
      const order = findOrder(organization, params.order_id);
      const published = publishedSet(organization, order);
      if (!published) throw refuseUnpublished(order, results_not_ready_status);
      const { limit = limits.resultsPage.default, offset = 0 } = query;
      const { total, summary } = published;
      const length = Math.max(0, Math.min(limit, total - offset));
      const slots = Array.from({ length }, (_, place) => published.slotAt(offset + place));
      const body = { summary, total, has_more: offset + length < total, items: slots };
      return { status: 200, body };
    }),
  ];
}

export function refuseUnpublished(order: StoredOrder, status: number): Refusal {
  const message = 'The result set of this order is not published.';
  return new Refusal(status, { code: 'ORDER_RESULTS_NOT_READY', message, order_id: order.id });
}
