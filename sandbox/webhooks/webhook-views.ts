/** Converts stored webhook data to JSON responses. No response contains the value of a key header. */
import { toTimestamp } from '../timestamp.ts';
import type {
  StoredAction,
  StoredAddress,
  StoredAttempt,
  StoredDelivery,
  StoredNotice,
  StoredSecrets,
} from '../state/webhook-records.ts';

export type AddressView = ReturnType<typeof toAddress>;
export type SecretView = ReturnType<typeof toSecret>;
export type ActionView = ReturnType<typeof toAction>;
export type DeliveryView = ReturnType<typeof toDelivery>;
export type NoticeView = ReturnType<typeof toNotice>;

/** `keptReplies`: number of replies that can be sent when the address is active again. */
export function toAddress(address: StoredAddress, keptReplies: number) {
  const { id, url, key, state, pausedBecause, failing, addedBy, createdAt } = address;
  return {
    address_id: id,
    url,
    key_header: key?.name ?? null,
    state,
    paused_because: pausedBecause,
    first_failure_at: failing && toTimestamp(failing.since),
    failed_deliveries: failing?.deliveries ?? 0,
    kept_replies: keptReplies,
    added_by: addedBy,
    created_at: toTimestamp(createdAt),
  };
}

/** `older`: expiry of each earlier secret that still signs. */
export function toSecret({ secrets: [newest, ...older] }: StoredSecrets, now: number) {
  return {
    secret: newest?.secret ?? '',
    older: older.flatMap(({ expiresAt }) => {
      return expiresAt !== null && expiresAt > now ? [{ expires_at: toTimestamp(expiresAt) }] : [];
    }),
  };
}

export function toAction(action: StoredAction, address: StoredAddress) {
  return {
    action_id: action.id,
    type: 'send-to-a-webhook',
    campaign_id: action.campaignId,
    campaign_name: action.campaignName,
    flow_name: action.flowName,
    address_id: action.addressId,
    address_state: address.state,
    classifications: [...action.classifications],
    added_by: action.addedBy,
    created_at: toTimestamp(action.createdAt),
  };
}

/** `body` is exactly the text that is sent. */
export function toDelivery(delivery: StoredDelivery) {
  const { subject } = delivery;
  const order = subject.kind === 'order_status' ? subject : null;
  const action = subject.kind === 'order_status' ? null : subject;
  return {
    delivery_id: delivery.id,
    kind: subject.kind,
    type: delivery.type,
    action_id: action?.actionId ?? null,
    address_id: action?.addressId ?? null,
    order_id: order?.orderId ?? null,
    state: delivery.state,
    reason: delivery.reason,
    body: delivery.body,
    created_at: toTimestamp(delivery.createdAt),
    next_attempt_at: toTimestampOrNull(delivery.nextAttemptAt),
    kept_until: toTimestampOrNull(delivery.keptUntil),
    attempts: delivery.attempts.map(toAttempt),
  };
}

function toAttempt(attempt: StoredAttempt) {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: toTimestamp(attempt.startedAt),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    reason: attempt.reason,
    status: attempt.status,
    error: attempt.error,
    text: attempt.text,
    location: attempt.location,
    next_attempt_at: toTimestampOrNull(attempt.nextAttemptAt),
  };
}

export function toNotice(notice: StoredNotice) {
  return {
    notice_id: notice.id,
    kind: notice.kind,
    to: notice.to,
    reason: notice.reason,
    address_id: notice.addressId,
    action_id: notice.actionId,
    delivery_id: notice.deliveryId,
    at: toTimestamp(notice.at),
  };
}

function toTimestampOrNull(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}
