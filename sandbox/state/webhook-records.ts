/** What the sender stores: plain data, so that a snapshot holds all of it. Times are milliseconds since 1970. */
import type { replyClassifications } from '../../src/contract/index.ts';
import type { Documents } from './document-store.ts';

/** All of it that one organisation has. */
export interface WebhookDocuments {
  readonly addresses: Documents<StoredAddress>;
  /** By address, and by organisation for its order notifications. */
  readonly signingSecrets: Documents<StoredSecrets>;
  readonly actions: Documents<StoredAction>;
  readonly deliveries: Documents<StoredDelivery>;
  /** Ids of deliveries that are pending or kept. */
  readonly openDeliveries: Documents<string>;
  readonly notices: Documents<StoredNotice>;
  /** Action and reason -> time of the last notice */
  readonly lastNotices: Documents<number>;
  readonly watchedOrders: Documents<StoredWatch>;
  /** How many orders were published before -> order_id */
  readonly publishedOrders: Documents<string>;
  /** Domain of a delivered company -> its latest delivery */
  readonly deliveredDomains: Documents<StoredDomain>;
  /** The next slot to list; one document. */
  readonly listedSlots: Documents<{ readonly order: number; readonly slot: number }>;
}

export function openWebhookDocuments(open: <T>(kind: string) => Documents<T>): WebhookDocuments {
  return {
    addresses: open('webhook address'),
    signingSecrets: open('webhook secrets'),
    actions: open('webhook action'),
    deliveries: open('webhook delivery'),
    openDeliveries: open('open webhook delivery'),
    notices: open('webhook notice'),
    lastNotices: open('last webhook notice'),
    watchedOrders: open('watched order'),
    publishedOrders: open('published order'),
    deliveredDomains: open('delivered domain'),
    listedSlots: open('listed slots'),
  };
}

export type ReplyClassification = (typeof replyClassifications)[number];

export interface StoredAddress {
  readonly id: string;
  readonly url: string;
  /** What the receiver asks for beside the signature; the value is encrypted and never shown. */
  readonly key: { readonly name: string; readonly sealed: string } | null;
  readonly state: 'active' | 'paused';
  readonly pausedBecause: PauseReason | null;
  /** Deliveries that failed since the last one that was delivered. */
  readonly failing: { readonly since: number; readonly deliveries: number } | null;
  readonly addedBy: string;
  readonly createdAt: number;
}

export type PauseReason = 'gone' | 'failing_for_days';

export interface StoredAction {
  readonly id: string;
  readonly campaignId: string;
  readonly campaignName: string;
  readonly flowName: string;
  readonly addressId: string;
  readonly classifications: readonly ReplyClassification[];
  readonly addedBy: string;
  readonly createdAt: number;
}

/** Of one address, or of an organisation's order notifications. */
export interface StoredSecrets {
  /** How many there were. */
  readonly made: number;
  /** The newest first; `expiresAt` is null for that one. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: number | null }[];
}

/**
 * `private_address`: on a private network, found in the address or when it was resolved. `invalid_address`: no https
 * address, or one with a user name. `protocol`: something answered, but neither TLS nor HTTP could be made of it.
 */
export type DeliveryError =
  | 'timeout'
  | 'dns'
  | 'connect'
  | 'reset'
  | 'certificate'
  | 'protocol'
  | 'private_address'
  | 'invalid_address';

export type DeliveryReason =
  | 'answered'
  | 'receiver_timed_out'
  | 'too_many_requests'
  | 'server_error'
  | 'no_answer_in_time'
  | 'unreachable'
  | 'no_usable_answer'
  | 'redirected'
  | 'receiver_wants_key'
  | 'not_found'
  | 'gone'
  | 'receiver_queue_full'
  | 'refused'
  | 'invalid_certificate'
  | 'private_address'
  | 'invalid_address';

export type DeliveryOutcome = 'delivered' | 'retry' | 'failed' | 'failed_and_pause';

export const attemptTriggers = ['auto', 'manual', 'test'] as const;
export type AttemptTrigger = (typeof attemptTriggers)[number];
export const deliveryStates = ['pending', 'delivered', 'failed', 'kept', 'expired'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/**
 * Why a delivery was not delivered. Two reasons no receiver gave: `address_removed`, and `sender_failed` where an attempt
 * could not be made or written down, so that what the receiver did is unknown.
 */
export type EndReason = DeliveryReason | 'address_removed' | 'sender_failed';

type DeliverySubject =
  | { readonly kind: 'reply' | 'test'; readonly actionId: string; readonly addressId: string }
  | { readonly kind: 'order_status'; readonly orderId: string; readonly url: string };

export interface StoredDelivery {
  /** The webhook-id, of every attempt. */
  readonly id: string;
  readonly subject: DeliverySubject;
  readonly type: string;
  /** Serialised once; every attempt sends these characters. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly reason: EndReason | null;
  readonly createdAt: number;
  /** The attempts that belong together: retries count from the first of them. */
  readonly series: {
    readonly trigger: AttemptTrigger;
    readonly attempts: number;
    readonly firstAttemptAt: number | null;
  };
  /** Set while pending. */
  readonly nextAttemptAt: number | null;
  /** Set while kept. */
  readonly keptUntil: number | null;
  readonly attempts: readonly StoredAttempt[];
}

export interface StoredAttempt {
  readonly number: number;
  readonly trigger: AttemptTrigger;
  readonly startedAt: number;
  /** By the machine's clock: the time that a receiver takes is real. */
  readonly durationMs: number;
  readonly outcome: DeliveryOutcome;
  readonly reason: DeliveryReason;
  /** Null without an answer. */
  readonly status: number | null;
  readonly error: DeliveryError | null;
  readonly text: string;
  /** Where a redirect pointed. */
  readonly location: string | null;
  readonly nextAttemptAt: number | null;
}

/** An email that the service would have sent. */
export interface StoredNotice {
  readonly id: string;
  readonly kind: 'delivery_failed' | 'address_paused';
  readonly to: string;
  readonly reason: EndReason | PauseReason;
  readonly addressId: string;
  readonly actionId: string | null;
  readonly deliveryId: string | null;
  readonly at: number;
}

/** An order with a webhook_url. */
export interface StoredWatch {
  readonly orderId: string;
  /** Number of stages that need no more notification. */
  readonly told: number;
}

/** The order as the number in `publishedOrders`; the slot as its place in the published set. */
export type StoredPlace = readonly [order: number, slot: number];

export interface StoredDomain {
  readonly company: StoredPlace;
  /** Where the company came with people; null when it never did. */
  readonly people: StoredPlace | null;
}
