/** Applies the end of a delivery to its receiver address: failure count, pause, and emails to its owners. */
import type { Organization } from '../state/organization.ts';
import { toKept } from './delivery-state.ts';
import type {
  PauseReason,
  StoredAddress,
  StoredDelivery,
  EndReason,
  StoredAction,
  StoredNotice,
} from '../state/webhook-records.ts';
import { limits } from '../../src/service/contract/index.ts';

interface DeliveryEnd {
  readonly before: StoredDelivery;
  readonly after: StoredDelivery;
  readonly now: number;
}

/** Returns the deliveries to keep because the address is now paused. The caller saves them. */
export function applyDeliveryOutcome(
  organization: Organization,
  { before, after, now }: DeliveryEnd,
): StoredDelivery[] {
  const { subject } = after;
  const address = subject.kind === 'order_status' ? undefined : organization.webhooks.addresses.get(subject.addressId);
  if (!address || subject.kind === 'order_status') return [];
  if (after.state === 'delivered') {
    organization.webhooks.addresses.set(address.id, withoutFailures(address));
    return [];
  }
  if (after.state !== 'failed' || before.state === 'failed') return [];
  const action = organization.webhooks.actions.get(subject.actionId);
  if (action && subject.kind === 'reply' && after.reason !== null) {
    recordFailureNotice(organization, { action, deliveryId: after.id, reason: after.reason, now });
  }
  // Tests and manual resends do not count towards pausing an address (A70).
  const counts = after.series.trigger === 'auto';
  const failed = counts ? withOneMoreFailure(address, now) : address;
  if (counts) organization.webhooks.addresses.set(address.id, failed);
  if (after.attempts.at(-1)?.outcome === 'failed_and_pause') return pause(organization, failed, 'gone', now);
  return counts && hasFailedForDays(failed, now) ? pause(organization, failed, 'failing_for_days', now) : [];
}

/** Pauses an address. Its pending deliveries and later replies are kept (A68). */
function pause(organization: Organization, address: StoredAddress, reason: PauseReason, now: number) {
  if (address.state === 'paused') return [];
  organization.webhooks.addresses.set(address.id, toPaused(address, reason));
  recordPauseNotice(organization, address, reason, now);
  return openDeliveriesTo(organization, address.id)
    .filter(({ state }) => state === 'pending')
    .map((delivery) => toKept(delivery, now));
}

/** Pending and kept replies of an address. */
export function openDeliveriesTo(organization: Organization, addressId: string): StoredDelivery[] {
  return openReplies(organization).filter((reply) => addressIdOf(reply) === addressId);
}

/** Pending and kept replies of all addresses. It reads all of them, so call it once for several addresses. */
export function openReplies(organization: Organization): StoredDelivery[] {
  return organization.webhooks.openDeliveries
    .values()
    .flatMap((id) => organization.webhooks.deliveries.get(id) ?? [])
    .filter(({ subject }) => subject.kind === 'reply');
}

/** Null for an order's webhook_url. */
export function addressIdOf({ subject }: StoredDelivery): string | null {
  return subject.kind === 'order_status' ? null : subject.addressId;
}

const { pauseAfterDays, pauseAfterDeliveries } = limits.webhook;

function withoutFailures(address: StoredAddress): StoredAddress {
  return address.failing === null ? address : { ...address, failing: null };
}

function withOneMoreFailure(address: StoredAddress, now: number): StoredAddress {
  const { since, deliveries } = address.failing ?? { since: now, deliveries: 0 };
  return { ...address, failing: { since, deliveries: deliveries + 1 } };
}

/** Whether at least three deliveries failed over three days, and none succeeded. */
function hasFailedForDays({ failing }: StoredAddress, now: number): boolean {
  if (failing === null || failing.deliveries < pauseAfterDeliveries) return false;
  return now - failing.since >= pauseAfterDays * 24 * 3_600_000;
}

function toPaused(address: StoredAddress, reason: PauseReason): StoredAddress {
  return { ...address, state: 'paused', pausedBecause: reason };
}

export function toActive(address: StoredAddress): StoredAddress {
  return { ...address, state: 'active', pausedBecause: null };
}

const noticeIntervalMs = limits.webhook.failureNoticeHours * 3_600_000;

interface Failure {
  readonly action: StoredAction;
  readonly deliveryId: string;
  readonly reason: EndReason;
  readonly now: number;
}

/** An email to the person who added the action, at most once a day for each action and reason. */
function recordFailureNotice(organization: Organization, { action, deliveryId, reason, now }: Failure): void {
  const subject = `${action.id}/${reason}`;
  const last = organization.webhooks.lastNotices.get(subject);
  if (last !== undefined && now - last < noticeIntervalMs) return;
  organization.webhooks.lastNotices.set(subject, now);
  const about = { addressId: action.addressId, actionId: action.id, deliveryId };
  record(organization, { kind: 'delivery_failed', to: action.addedBy, reason, ...about, at: now });
}

/** An email to the person who added the address (A73). */
function recordPauseNotice(organization: Organization, address: StoredAddress, reason: PauseReason, now: number) {
  const about = { addressId: address.id, actionId: null, deliveryId: null };
  record(organization, { kind: 'address_paused', to: address.addedBy, reason, ...about, at: now });
}

function record(organization: Organization, notice: Omit<StoredNotice, 'id'>): void {
  const id = organization.nextId('webhook notice');
  organization.webhooks.notices.set(id, { id, ...notice });
}
