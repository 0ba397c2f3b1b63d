/** The history of what was sent, and sending again by hand. */
import { Refusal } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import { findAddress, requireActive } from './receiver-addresses.ts';
import { toPending } from './delivery-state.ts';
import type { DeliveryState, StoredDelivery, WebhookDocuments } from '../state/webhook-records.ts';
import { toDelivery, toNotice, type DeliveryView, type NoticeView } from './webhook-views.ts';
import type { WebhookContext } from './webhook-context.ts';
import type { Sender } from './webhook-sender.ts';

/** All that are given have to fit. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly address_id?: string | undefined;
  readonly action_id?: string | undefined;
  readonly order_id?: string | undefined;
}

export interface DeliveryPage {
  /** Default 100. */
  readonly limit?: number | undefined;
  /** How many of the newest are left out. Default 0. */
  readonly offset?: number | undefined;
}

interface Wait {
  readonly count: number;
  readonly timeoutMs: number;
}

export interface Deliveries {
  get(organizationId: string, deliveryId: string): DeliveryView;
  /** The newest first; one that is sent again stays in its place. */
  list(organizationId: string, filter?: DeliveryFilter, page?: DeliveryPage): DeliveryView[];
  /** `satisfied`: whether enough deliveries matched before the timeout. False without deliveries when the sandbox closes. */
  wait(
    organizationId: string,
    filter: DeliveryFilter,
    wait: Wait,
  ): Promise<{ readonly satisfied: boolean; readonly deliveries: DeliveryView[] }>;
  /** One more attempt with the same webhook-id. Refused (409) unless it has failed and its address is active. */
  resend(organizationId: string, deliveryId: string): DeliveryView;
  /** The emails that would have been sent, oldest first. */
  notices(organizationId: string): NoticeView[];
}

export function createDeliveries({ withOrganization, clock, sender }: WebhookContext): Deliveries {
  const list: Deliveries['list'] = (organizationId, filter = {}, { limit = usualLimit, offset = 0 } = {}) =>
    withOrganization(organizationId, ({ webhooks }) =>
      newestFirst(webhooks)
        .filter((delivery) => fits(delivery, filter))
        .drop(offset)
        .take(limit)
        .map(toDelivery)
        .toArray(),
    );
  return {
    get: (organizationId, deliveryId) =>
      withOrganization(organizationId, (organization) => toDelivery(findDelivery(organization, deliveryId))),
    list,
    async wait(organizationId, filter, { count, timeoutMs }) {
      const { id, webhooks } = withOrganization(organizationId, (organization) => organization);
      const wanted = (delivery: StoredDelivery) => fits(delivery, filter);
      const end = await waitForDeliveries({
        sender,
        organizationId: id,
        count,
        timeoutMs,
        fits: wanted,
        fitting: () =>
          newestFirst(webhooks)
            .filter(wanted)
            .map((delivery) => delivery.id),
      });
      // A store that is closed is not read.
      if (end === 'closed') return { satisfied: false, deliveries: [] };
      const deliveries = list(organizationId, filter, { limit: Math.max(count, usualLimit) });
      return { satisfied: end === 'enough', deliveries };
    },
    resend: (organizationId, deliveryId) =>
      withOrganization(organizationId, (organization) => {
        const delivery = findDelivery(organization, deliveryId);
        requireResendable(organization, delivery);
        const again = toPending(delivery, { now: clock.now(), trigger: 'manual' });
        sender.save(organization, again);
        return toDelivery(again);
      }),
    notices: (organizationId) =>
      withOrganization(organizationId, ({ webhooks }) => webhooks.notices.values().map(toNotice)),
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

const usualLimit = 100;
const readAtOnce = 100;

/** Read from the end in stretches, so that a page of the newest costs no more than they are. */
function* newestFirst({ deliveries }: WebhookDocuments): Generator<StoredDelivery> {
  for (let end = deliveries.size; end > 0; end -= readAtOnce) {
    const offset = Math.max(0, end - readAtOnce);
    yield* deliveries.values({ limit: end - offset, offset }).toReversed();
  }
}

function fits({ subject, state }: StoredDelivery, filter: DeliveryFilter): boolean {
  const { addressId, actionId, orderId } = { addressId: null, actionId: null, orderId: null, ...subject };
  return (
    (filter.state ?? state) === state &&
    (filter.address_id ?? addressId) === addressId &&
    (filter.action_id ?? actionId) === actionId &&
    (filter.order_id ?? orderId) === orderId
  );
}

interface Wanted {
  readonly sender: Pick<Sender, 'listen'>;
  readonly organizationId: string;
  readonly count: number;
  /** By the machine's clock: a receiver's time is real. */
  readonly timeoutMs: number;
  readonly fits: (delivery: StoredDelivery) => boolean;
  /** Ids of the stored deliveries that fit. Called at the beginning, and when everything was replaced. */
  readonly fitting: () => Iterable<string>;
}

export type WaitEnd = 'enough' | 'time over' | 'closed';

/** Resolves when so many deliveries fit, the time is over, or the sender closes. Keeps no process alive. */
async function waitForDeliveries({ sender, organizationId, count, timeoutMs, fits, fitting }: Wanted) {
  const { promise, resolve } = Promise.withResolvers<WaitEnd>();
  let found = new Set(fitting());
  const judge = () => {
    if (found.size >= count) resolve('enough');
  };
  const timer = setTimeout(() => resolve('time over'), timeoutMs).unref();
  const stop = sender.listen((event) => {
    if (event.kind === 'closed') return resolve('closed');
    if (event.kind === 'replaced') found = new Set(fitting());
    else if (event.organizationId === organizationId) {
      if (fits(event.delivery)) found.add(event.delivery.id);
      else found.delete(event.delivery.id);
    }
    judge();
  });
  judge();
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}
