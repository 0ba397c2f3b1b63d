/**
 * The service's webhooks, whole: receiver addresses, campaign actions, replies, deliveries, and the notifications of orders.
 * Arguments and views are JSON as a control plane would carry it (schemas: inputs.ts). What is refused throws a Refusal with its
 * status; an unknown organisation or id is a 404.
 */
import type { Store } from '../service/store/store.ts';
import { createActions, type Actions } from './actions.ts';
import { createAddresses, type Addresses } from './addresses.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts';
import type { Deliver } from './exchange.ts';
import { createOrderNotifications, type OrderNotifications } from './order-notifications.ts';
import { postWebhook } from './post-webhook.ts';
import { parseAllowance, type ReceiverAllowance } from './public-address.ts';
import { createReplies, type Replies } from './replies.ts';
import { createSender } from './sender.ts';
import { createVault } from './vault.ts';
import type { WebhookParts } from './webhook-parts.ts';
import { createWithin } from './within.ts';

export interface ReceiverOptions {
  /** Receivers of this machine or network that may be written to. Default none. */
  readonly allowed?: ReceiverAllowance;
  /** Default: over HTTP, to public addresses and what is allowed. */
  readonly deliver?: Deliver;
  /**
   * What webhook-timestamp says. By default the machine's time, whatever the stand-in's clock says: a receiver refuses a
   * timestamp that is five minutes off its own.
   */
  readonly signing_clock?: 'wall' | 'virtual';
  /** The machine's time in milliseconds; a seam for tests. */
  readonly wallNow?: () => number;
}

export interface Webhooks {
  readonly addresses: Addresses;
  readonly actions: Actions;
  readonly replies: Replies;
  readonly deliveries: Deliveries;
  readonly orders: OrderNotifications;
  readonly faults: DeliveryFaults;
  /** To be called when everything was replaced: what is stored now is planned anew, what was under way is given up. */
  readonly restart: () => void;
  readonly close: () => void;
}

interface Parts extends Pick<WebhookParts, 'seed' | 'clock' | 'publications' | 'driftOf'> {
  readonly store: Store;
  readonly receivers?: ReceiverOptions | undefined;
}

export function createWebhooks({ receivers = {}, ...given }: Parts): Webhooks {
  const { seed, clock, store } = given;
  const { allowed = parseAllowance([]), signing_clock = 'wall', wallNow = Date.now } = receivers;
  const { deliver = (request) => postWebhook({ ...request, allowed }) } = receivers;
  const faults = createDeliveryFaults();
  const vault = createVault();
  const receiverNow = signing_clock === 'wall' ? wallNow : clock.now;
  const sender = createSender({ seed, clock, store, deliver, faults, vault, receiverNow, stopwatch: wallNow });
  const parts = { ...given, within: createWithin(store), allowed, sender, vault };
  const orders = createOrderNotifications(parts);
  return {
    addresses: createAddresses(parts),
    actions: createActions(parts),
    replies: createReplies(parts),
    deliveries: createDeliveries(parts),
    orders,
    faults,
    restart() {
      sender.restart();
      orders.restart();
    },
    close() {
      sender.close();
      orders.close();
    },
  };
}
