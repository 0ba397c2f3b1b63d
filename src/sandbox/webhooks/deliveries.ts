/** The history of what was sent, and sending again by hand. */
import { Refusal } from '../service/refusal.ts';
import type { Organization } from '../service/store/organization.ts';
import { findAddress, requireActive } from './addresses.ts';
import { toPending } from './delivery-state.ts';
import type { DeliveryState, StoredDelivery } from './records.ts';
import { toDelivery, toNotice, type DeliveryView, type NoticeView } from './views.ts';
import type { WebhookParts } from './webhook-parts.ts';

/** All that are given have to fit. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly address_id?: string | undefined;
  readonly action_id?: string | undefined;
  readonly order_id?: string | undefined;
}

export interface Deliveries {
  get(organizationId: string, deliveryId: string): DeliveryView;
  /** In the order in which they came to be. */
  list(organizationId: string, filter?: DeliveryFilter): DeliveryView[];
  /** One more attempt with the same webhook-id. Refused (409) unless it has failed and its address is active. */
  resend(organizationId: string, deliveryId: string): DeliveryView;
  /** The emails that would have been sent, oldest first. */
  notices(organizationId: string): NoticeView[];
}

export function createDeliveries({ within, clock, sender }: WebhookParts): Deliveries {
  return {
    get: (organizationId, deliveryId) =>
      within(organizationId, (organization) => toDelivery(findDelivery(organization, deliveryId))),
    list: (organizationId, filter = {}) =>
      within(organizationId, ({ webhooks }) =>
        webhooks.deliveries
          .values()
          .map(toDelivery)
          .filter((delivery) => fits(delivery, filter)),
      ),
    resend: (organizationId, deliveryId) =>
      within(organizationId, (organization) => {
        const delivery = findDelivery(organization, deliveryId);
        requireResendable(organization, delivery);
        const again = toPending(delivery, { now: clock.now(), trigger: 'manual' });
        sender.save(organization, again);
        return toDelivery(again);
      }),
    notices: (organizationId) => within(organizationId, ({ webhooks }) => webhooks.notices.values().map(toNotice)),
  };
}

function findDelivery({ webhooks }: Organization, id: string): StoredDelivery {
  const delivery = webhooks.deliveries.get(id);
  if (delivery) return delivery;
  throw new Refusal(404, { code: 'WEBHOOK_DELIVERY_NOT_FOUND', message: 'No such delivery.' });
}

function requireResendable(organization: Organization, { subject, state }: StoredDelivery): void {
  if (state !== 'failed' || subject.kind === 'test') {
    throw new Refusal(409, { code: 'DELIVERY_NOT_FAILED', message: 'Only a delivery that failed is sent again.' });
  }
  if (subject.kind === 'reply') requireActive(findAddress(organization, subject.addressId));
}

function fits(delivery: DeliveryView, filter: DeliveryFilter): boolean {
  const { state, address_id, action_id, order_id } = delivery;
  return (
    (filter.state ?? state) === state &&
    (filter.address_id ?? address_id) === address_id &&
    (filter.action_id ?? action_id) === action_id &&
    (filter.order_id ?? order_id) === order_id
  );
}
