/** Sends every status that an order reaches to its webhook_url (A60). */
import { refuseInput } from '../service-refusal.ts';
import type { Store } from '../state/sandbox-store.ts';
import { orderSecrets } from './send-attempt.ts';
import { type CallerRole, requireAdmin } from './webhook-inputs.ts';
import { checkPublicUrl } from '../../src/base/http/public-address.ts';
import { rotateSecrets } from './signing-secrets.ts';
import { toSecret, type SecretView } from './webhook-views.ts';
import type { WebhookContext } from './webhook-context.ts';
import { nextStageAt } from '../status-lifecycle.ts';
import { isActive, type Publications } from '../results/publications.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOrder } from '../state/stored-records.ts';
import type { Clock } from '../clock.ts';
import { newDelivery } from './delivery-state.ts';
import { createTaskQueue } from './task-queue.ts';
import type { Sender } from './webhook-sender.ts';
import { webhookApiVersion } from '../../src/service/contract/webhook-assumptions.ts';
import { toTimestamp } from '../timestamp.ts';

export interface OrderNotifications extends OrderStatusTracker {
  /** Throws a Refusal (422) that names webhook_url. */
  readonly checkUrl: (webhookUrl: string | undefined) => void;
  /** The signing secret, one for the whole organisation (A61). */
  readonly secret: (organizationId: string, by: CallerRole) => SecretView;
  readonly rotateSecret: (organizationId: string, by: CallerRole) => SecretView;
}

interface NotificationDependencies extends WebhookContext {
  readonly store: Store;
}

export function createOrderNotifications(dependencies: NotificationDependencies): OrderNotifications {
  const { clock, allowed, withOrganization, seed } = dependencies;
  return {
    ...createOrderStatusTracker(dependencies),
    checkUrl(webhookUrl) {
      const refusal = webhookUrl === undefined ? null : checkPublicUrl(webhookUrl, { allowed });
      if (refusal) throw refuseInput('body', 'webhook_url', `webhook_url: ${refusal.reason}`, 'receiver_address');
    },
    secret: (organizationId, { role }) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(role);
        return toSecret(orderSecrets(organization, seed), clock.now());
      }),
    rotateSecret: (organizationId, { role }) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(role);
        const { id, webhooks } = organization;
        const rotated = rotateSecrets(orderSecrets(organization, seed), { seed, id }, clock.now());
        webhooks.signingSecrets.set(id, rotated);
        return toSecret(rotated, clock.now());
      }),
  };
}

export interface OrderStatusTracker {
  /** Call it, inside a transaction, when an order was created, or changed other than by the clock. */
  readonly orderChanged: (organization: Organization, orderId: string) => void;
  /** Schedules the notifications of all stored orders. Call it after a reset or a restored snapshot. */
  readonly restart: () => void;
  readonly close: () => void;
}

interface TrackerDependencies {
  readonly clock: Clock;
  readonly store: Store;
  readonly publications: Pick<Publications, 'publishDue'>;
  readonly sender: Pick<Sender, 'save'>;
}

function createOrderStatusTracker({ clock, store, publications, sender }: TrackerDependencies): OrderStatusTracker {
  const tasks = createTaskQueue(clock);

  const orderChanged = (organization: Organization, orderId: string) => {
    const url = organization.orders.get(orderId)?.input.webhook_url;
    if (url === undefined) return;
    const now = clock.now();
    // The notification contains results_published.
    publications.publishDue(organization, now);
    const order = organization.orders.get(orderId);
    if (!order) return;
    // The first stage is RECEIVED, which the answer to the order has reported.
    const { reportedStages } = organization.webhooks.watchedOrders.get(orderId) ?? { reportedStages: 1 };
    const reached = order.life.stages.filter(({ at }) => at <= now).length;
    for (let stage = reportedStages; stage < reached; stage += 1) {
      const delivery = toNotification(organization, { order, stage, url, now });
      if (delivery) sender.save(organization, delivery);
    }
    organization.webhooks.watchedOrders.set(orderId, { orderId, reportedStages: reached });
    scheduleNextStage(organization, order);
  };
  const orderDue = (organization: Organization, id: string) =>
    tasks.runWithRetry(id, () => store.transaction(() => orderChanged(organization, id)));
  const scheduleNextStage = (organization: Organization, { id, life }: StoredOrder) => {
    const next = nextStageAt(life, clock.now());
    if (next === null) tasks.cancel(id);
    else tasks.schedule(id, next, () => orderDue(organization, id));
  };

  return {
    orderChanged,
    restart() {
      tasks.clear();
      for (const { id } of store.organizations.values()) {
        const organization = store.organization(id);
        for (const { orderId } of organization.webhooks.watchedOrders.values()) {
          store.transaction(() => orderChanged(organization, orderId));
        }
      }
    },
    close: tasks.clear,
  };
}

interface ReachedStage {
  readonly order: StoredOrder;
  /** Index in the stages of the order's lifecycle. */
  readonly stage: number;
  readonly url: string;
  readonly now: number;
}

/** Null if the status is unchanged: a manual step to the current status only holds the order there. */
function toNotification(organization: Organization, { order, stage, url, now }: ReachedStage) {
  const reached = order.life.stages[stage];
  if (!reached || reached.status === order.life.stages[stage - 1]?.status) return null;
  const id = organization.nextId('webhook delivery');
  const resultsPublished = !isActive(reached.status) && order.published !== null;
  const body = composeOrderStatusBody({ id, orderId: order.id, ...reached, resultsPublished });
  const subject = { kind: 'order_status', orderId: order.id, url } as const;
  return newDelivery({ id, subject, type: orderStatusType, body }, { now, trigger: 'auto' });
}

const orderStatusType = 'order.status_changed';

interface OrderStatusFacts {
  /** Id of the delivery. */
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  /** When the order reached it. */
  readonly at: number;
  readonly resultsPublished: boolean;
}

/** The specification shows no body. It has the envelope of a reply, without `test` (A60). */
function composeOrderStatusBody({ id, orderId, status, at, resultsPublished }: OrderStatusFacts): string {
  return JSON.stringify({
    id,
    type: orderStatusType,
    timestamp: toTimestamp(at),
    api_version: webhookApiVersion,
    data: { order_id: orderId, status, results_published: resultsPublished },
  });
}
