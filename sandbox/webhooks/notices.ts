/** The emails that the service sends about webhooks, as records. */
import { limits } from '../../src/contract/index.ts';
import type { Organization } from '../store/organization.ts';
import type { EndReason, PauseReason, StoredAction, StoredAddress, StoredNotice } from '../store/webhook-records.ts';

const onceIn = limits.webhook.failureNoticeHours * 3_600_000;

interface Failure {
  readonly action: StoredAction;
  readonly deliveryId: string;
  readonly reason: EndReason;
  readonly now: number;
}

/** To whoever added the action, at most once a day for it and the reason. */
export function tellOfFailure(organization: Organization, { action, deliveryId, reason, now }: Failure): void {
  const subject = `${action.id}/${reason}`;
  const last = organization.webhooks.lastNotices.get(subject);
  if (last !== undefined && now - last < onceIn) return;
  organization.webhooks.lastNotices.set(subject, now);
  const about = { addressId: action.addressId, actionId: action.id, deliveryId };
  record(organization, { kind: 'delivery_failed', to: action.addedBy, reason, ...about, at: now });
}

/** To whoever added the address (A73). */
export function tellOfPause(organization: Organization, address: StoredAddress, reason: PauseReason, now: number) {
  const about = { addressId: address.id, actionId: null, deliveryId: null };
  record(organization, { kind: 'address_paused', to: address.addedBy, reason, ...about, at: now });
}

function record(organization: Organization, notice: Omit<StoredNotice, 'id'>): void {
  const id = organization.nextId('webhook notice');
  organization.webhooks.notices.set(id, { id, ...notice });
}
