import { operations, features as allFeatures, type Order, type OrderInput, type Scope } from '../../contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { findBlacklist } from './blacklists.ts';
import { wishesIn } from './magic-inputs.ts';
import { findProfile } from './profiles.ts';
import { refuseScopes, refuseUnknown } from './refusal.ts';
import { route, type Route } from './route.ts';
import { planStages, stageAt, type Stages } from './stages.ts';
import type { OrderRecord, Organization } from './store.ts';

interface OrderSettings {
  readonly orderSeconds: number;
}

/** What an order with blacklists needs beside orders:write ("Authentication", 4; A13). */
const scopesForBlacklists: readonly Scope[] = ['orders:read', 'orders:write', 'blacklists:read'];

export function createOrderRoutes({ orderSeconds }: OrderSettings): readonly Route[] {
  return [
    route(operations.createOrder, ({ organization, key, now, body }) => {
      if (body.blacklist_ids && !scopesForBlacklists.every((scope) => key.scopes.includes(scope))) {
        throw refuseScopes(scopesForBlacklists, key.scopes);
      }
      const profile = findProfile(organization, body.profile_id, now);
      if (!profile) throw refuseUnknown('PROFILE_NOT_FOUND', body.profile_id);
      for (const id of body.blacklist_ids ?? []) findBlacklist(organization, id);
      const order: OrderRecord = {
        id: organization.nextId('order'),
        organization,
        profile,
        input: body,
        stages: lifeOf(body, { start: now, seconds: orderSeconds }),
        publishes: wishesIn(body.title).outcome !== 'UNPUBLISHED',
        published: null,
      };
      organization.orders.set(order.id, order);
      organization.unpublished.add(order);
      // The answer says RECEIVED whatever the pace.
      return { status: 201, body: toOrder({ ...order, stages: [order.stages[0]] }, now) };
    }),

    route(operations.getOrder, ({ organization, now, params }) => ({
      status: 200,
      body: toOrder(findOrder(organization, params.order_id), now),
    })),
  ];
}

export function findOrder(organization: Organization, id: string): OrderRecord {
  const order = organization.orders.get(id.toLowerCase());
  if (!order) throw refuseUnknown('ORDER_NOT_FOUND', id);
  return order;
}

export function toOrder({ id, profile, input, stages, published }: OrderRecord, now: number): Order {
  const { status, at } = stageAt(stages, now);
  return {
    order_id: id,
    status,
    briefing_quantity: input.companies?.length ?? input.briefing_quantity ?? 0,
    available_briefing_quantity: published?.total ?? 0,
    results_published: published !== null,
    result_summary: published?.summary ?? null,
    order_type: input.order_type,
    profile_id: profile.profileId,
    title: input.title ?? null,
    features: input.features ?? [...allFeatures],
    created_at: toTimestamp(stages[0].at),
    updated_at: toTimestamp(at),
  };
}

/** ACCEPTED is short: "a poll normally observes IN_PROGRESS directly". */
function lifeOf({ title }: OrderInput, time: { start: number; seconds: number }): Stages {
  const { outcome, stay } = wishesIn(title);
  if (outcome === 'REJECTED') return planStages('RECEIVED', { ...time, steps: [['REJECTED', 0.3]], stay });
  const unsuccessful = outcome === 'FAILED' || outcome === 'CANCELLED';
  return planStages('RECEIVED', {
    ...time,
    steps: [
      ['ACCEPTED', 0.3],
      ['IN_PROGRESS', 0.35],
      [unsuccessful ? outcome : 'COMPLETED', 1],
    ],
    stay,
  });
}
