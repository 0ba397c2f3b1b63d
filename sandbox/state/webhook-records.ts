/** Types of the stored webhook data: plain JSON, so a snapshot contains all of it. Times are milliseconds since 1970. */
import type { replyClassifications } from '../../src/service/contract/index.ts';
import type { Documents } from './document-store.ts';

/** Webhook data of one organisation. */
export interface WebhookDocuments {
  readonly addresses: Documents<StoredAddress>;
  /** Address id -> secrets; organisation id -> secrets of its order notifications. */
  readonly signingSecrets: Documents<StoredSecrets>;
  readonly actions: Documents<StoredAction>;
  readonly deliveries: Documents<StoredDelivery>;
  /** Ids of deliveries that are pending or kept. */
  readonly openDeliveries: Documents<string>;
  readonly notices: Documents<StoredNotice>;
  /** Action and reason -> time of the last notice */
  readonly lastNotices: Documents<number>;
  readonly watchedOrders: Documents<StoredWatch>;
  /** Number of orders published earlier -> order_id */
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
  /** The key header that the receiver requires; the value is encrypted and never shown. */
  readonly key: { readonly name: string; readonly sealed: string } | null;
  readonly state: 'active' | 'paused';
  readonly pausedBecause: PauseReason | null;
  /** Failed deliveries since the last successful one. */
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

/** Signing secrets of an address, or of an organisation's order notifications. */
export interface StoredSecrets {
  /** Number of secrets generated so far. */
  readonly made: number;
  /** Newest first; `expiresAt` is null for the newest. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: number | null }[];
}

/**
 * `private_address`: the address is, or resolves to, an address of a private network. `invalid_address`: not an https
 * address, or one with a user name. `protocol`: the answer is neither TLS nor HTTP.
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
 * Why a delivery ended without success. Two reasons do not come from the receiver: `address_removed`, and `sender_failed`
 * if an attempt could not be sent or stored, so its result is unknown.
 */
export type EndReason = DeliveryReason | 'address_removed' | 'sender_failed';

type DeliverySubject =
  | { readonly kind: 'reply' | 'test'; readonly actionId: string; readonly addressId: string }
  | { readonly kind: 'order_status'; readonly orderId: string; readonly url: string };

export interface StoredDelivery {
  /** The webhook-id of every attempt. */
  readonly id: string;
  readonly subject: DeliverySubject;
  readonly type: string;
  /** Serialised once; every attempt sends this text. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly reason: EndReason | null;
  readonly createdAt: number;
  /** The current series of attempts; the retry schedule counts from its first attempt. */
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
  /** Measured with the machine's clock, because the receiver runs in real time. */
  readonly durationMs: number;
  readonly outcome: DeliveryOutcome;
  readonly reason: DeliveryReason;
  /** Null without an answer. */
  readonly status: number | null;
  readonly error: DeliveryError | null;
  readonly text: string;
  /** The Location header of a redirect. */
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
  /** Number of stages that were already notified. */
  readonly reportedStages: number;
}

/** Key of the order in `publishedOrders`, and place of the slot in the published set. */
export type StoredPlace = readonly [order: number, slot: number];

export interface StoredDomain {
  readonly company: StoredPlace;
  /** The latest slot that had contacts; null if none had. */
  readonly people: StoredPlace | null;
}
