/** Tells an order's webhook_url of every status that the order reaches, without anybody polling (A60). */
import { nextChange } from '../service/life.ts';
import { isActive } from '../service/publication.ts';
import { refuseInput } from '../service/refusal.ts';
import type { Organization } from '../service/store/organization.ts';
import type { StoredOrder } from '../service/store/records.ts';
import type { Store } from '../service/store/store.ts';
import { newDelivery } from './delivery-state.ts';
import { composeOrderStatusBody, orderStatusType } from './order-status-body.ts';
import { orderSecrets } from './exchange.ts';
import type { AskedBy } from './inputs.ts';
import { checkReceiverUrl } from './public-address.ts';
import { requireAdmin } from './roles.ts';
import { rotateSecrets } from './signing-secrets.ts';
import { toSecret, type SecretView } from './views.ts';
import type { WebhookParts } from './webhook-parts.ts';

export interface OrderNotifications {
  /** Throws a Refusal (422) that names webhook_url. */
  readonly checkUrl: (webhookUrl: string | undefined) => void;
  /** To be called, inside a transaction, when an order was made or moved otherwise than by the clock. */
  readonly orderMoved: (organization: Organization, orderId: string) => void;
  /** What signs them, one for the whole organisation (A61). */
  readonly secret: (organizationId: string, by: AskedBy) => SecretView;
  readonly rotateSecret: (organizationId: string, by: AskedBy) => SecretView;
  /** Plans anew from what is stored, after everything was replaced. */
  readonly restart: () => void;
  readonly close: () => void;
}

interface NotificationParts extends WebhookParts {
  readonly store: Store;
}

export function createOrderNotifications(parts: NotificationParts): OrderNotifications {
  const { clock, store, publications, sender, allowed, within, seed } = parts;
  /** Order id -> calls off its next change. */
  const planned = new Map<string, () => void>();

  const callOff = (orderId: string) => {
    planned.get(orderId)?.();
    planned.delete(orderId);
  };
  const callOffAll = () => {
    for (const id of planned.keys()) callOff(id);
  };
  const orderMoved = (organization: Organization, orderId: string) => {
    const url = organization.orders.get(orderId)?.input.webhook_url;
    if (url === undefined) return;
    const now = clock.now();
    // Whether there are results belongs to what is told.
    publications.settle(organization, now);
    const order = organization.orders.get(orderId);
    if (!order) return;
    // The first stage is RECEIVED: the answer to the order has told it.
    const { told } = organization.webhooks.watchedOrders.get(orderId) ?? { told: 1 };
    const reached = order.life.stages.filter(({ at }) => at <= now).length;
    for (let stage = told; stage < reached; stage += 1) tell(organization, { order, stage, url });
    organization.webhooks.watchedOrders.set(orderId, { orderId, told: reached });
    watch(organization, order);
  };
  const watch = (organization: Organization, { id, life }: StoredOrder) => {
    callOff(id);
    const next = nextChange(life, clock.now());
    if (next === null) return;
    const job = () => store.transaction(() => orderMoved(organization, id));
    planned.set(id, clock.schedule(next, job));
  };
  const tell = (
    organization: Organization,
    { order, stage, url }: { order: StoredOrder; stage: number; url: string },
  ) => {
    const reached = order.life.stages[stage];
    // A step to the status that it has holds an order there, and is no news.
    if (!reached || reached.status === order.life.stages[stage - 1]?.status) return;
    const id = organization.nextId('webhook delivery');
    const resultsPublished = !isActive(reached.status) && order.published !== null;
    const body = composeOrderStatusBody({ id, orderId: order.id, ...reached, resultsPublished });
    const subject = { kind: 'order_status', orderId: order.id, url } as const;
    const delivery = newDelivery({ id, subject, type: orderStatusType, body }, { now: clock.now(), trigger: 'auto' });
    sender.save(organization, delivery);
  };

  return {
    checkUrl(webhookUrl) {
      const refusal = webhookUrl === undefined ? null : checkReceiverUrl(webhookUrl, { allowed });
      if (refusal) throw refuseInput('body', 'webhook_url', `webhook_url: ${refusal.reason}`, 'receiver_address');
    },
    orderMoved,
    secret: (organizationId, { role }) =>
      within(organizationId, (organization) => {
        requireAdmin(role);
        return toSecret(orderSecrets(organization, seed), clock.now());
      }),
    rotateSecret: (organizationId, { role }) =>
      within(organizationId, (organization) => {
        requireAdmin(role);
        const { id, webhooks } = organization;
        const rotated = rotateSecrets(orderSecrets(organization, seed), { seed, id }, clock.now());
        webhooks.signingSecrets.set(id, rotated);
        return toSecret(rotated, clock.now());
      }),
    restart() {
      callOffAll();
      for (const { id } of store.organizations.values()) {
        const organization = store.organization(id);
        for (const { orderId } of organization.webhooks.watchedOrders.values()) {
          store.transaction(() => orderMoved(organization, orderId));
        }
      }
    },
    close: callOffAll,
  };
}
