/**
 * The webhooks of the service: receiver addresses, campaign actions, replies, deliveries, and order notifications.
 * Arguments and results are JSON (schemas: webhook-inputs.ts). Errors are thrown as a Refusal with a status; an unknown
 * organisation or id is a 404.
 */
import type { KeptState } from '../state/data-folder.ts';
import type { Store } from '../state/sandbox-store.ts';
import { createActions, type Actions } from './campaign-actions.ts';
import { createAddresses, type Addresses } from './receiver-addresses.ts';
import { createDeliveredDomains } from './delivered-domains.ts';
import { createDeliveries, type Deliveries } from './delivery-history.ts';
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts';
import type { Deliver } from './send-attempt.ts';
import { createOrderNotifications, type OrderNotifications } from './order-notifications.ts';
import { postWebhook } from './post-webhook.ts';
import { parseAllowance, type AddressAllowance } from '../../src/base/http/public-address.ts';
import { createReplies, type Replies } from './replies.ts';
import { createSender } from './webhook-sender.ts';
import { createSecretStore } from './secret-store.ts';
import type { WebhookContext } from './webhook-context.ts';
import { createWithOrganization } from '../state/with-organization.ts';

export interface ReceiverOptions {
  /** Private addresses that may receive webhooks. Default: none. */
  readonly allowed?: AddressAllowance;
  /** Default: HTTP requests to public and allowed addresses. */
  readonly deliver?: Deliver;
  /**
   * The clock of webhook-timestamp. Default: the machine's clock, because a receiver refuses a timestamp that differs
   * by more than five minutes from its own.
   */
  readonly signing_clock?: 'wall' | 'virtual';
  /** The machine's time in milliseconds; tests replace it. */
  readonly wallNow?: () => number;
}

export interface Webhooks {
  readonly addresses: Addresses;
  readonly actions: Actions;
  readonly replies: Replies;
  readonly deliveries: Deliveries;
  readonly orders: OrderNotifications;
  readonly faults: DeliveryFaults;
  /** Drops running work and schedules the stored deliveries. Call it after a reset or a restored snapshot. */
  readonly restart: () => void;
  readonly close: () => void;
}

interface WebhookDependencies extends Pick<
  WebhookContext,
  'seed' | 'clock' | 'publications' | 'sendsUnknownReplyTypes'
> {
  readonly store: Store;
  readonly receivers?: ReceiverOptions | undefined;
  readonly kept?: KeptState | undefined;
}

export function createWebhooks({ receivers = {}, kept, ...given }: WebhookDependencies): Webhooks {
  const { seed, clock, store, publications } = given;
  const { allowed = parseAllowance([]), signing_clock = 'wall', wallNow = Date.now } = receivers;
  const { deliver = (request) => postWebhook({ ...request, allowed }) } = receivers;
  const faults = createDeliveryFaults(kept?.value('delivery faults'));
  const secretStore = createSecretStore(kept?.value('secret key'));
  const receiverNow = signing_clock === 'wall' ? wallNow : clock.now;
  const sender = createSender({ seed, clock, store, deliver, faults, secretStore, receiverNow, stopwatch: wallNow });
  const domains = createDeliveredDomains({ transaction: store.transaction, publications });
  publications.onPublished((organization) => {
    // Organisations without an action need no index.
    if (organization.webhooks.actions.size > 0) void domains.list(organization);
  });
  const dependencies = {
    ...given,
    withOrganization: createWithOrganization(store),
    allowed,
    sender,
    secretStore,
    domains,
  };
  const orders = createOrderNotifications(dependencies);
  return {
    addresses: createAddresses(dependencies),
    actions: createActions(dependencies),
    replies: createReplies(dependencies),
    deliveries: createDeliveries(dependencies),
    orders,
    faults,
    restart() {
      sender.restart();
      orders.restart();
    },
    close() {
      sender.close();
      orders.close();
      domains.close();
    },
  };
}
