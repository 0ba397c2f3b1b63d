/** Lists deliveries, waits for them, and resends failed ones. */
import { Refusal } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import { findAddress, requireActive } from './receiver-addresses.ts';
import { toPending } from './delivery-state.ts';
import type { DeliveryState, StoredDelivery, WebhookDocuments } from '../state/webhook-records.ts';
import { toDelivery, toNotice, type DeliveryView, type NoticeView } from './webhook-views.ts';
import type { WebhookContext } from './webhook-context.ts';
import type { Sender } from './webhook-sender.ts';

/** A delivery must match every given field. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly address_id?: string | undefined;
  readonly action_id?: string | undefined;
  readonly order_id?: string | undefined;
}

export interface DeliveryPage {
  /** Default 100. */
  readonly limit?: number | undefined;
  /** Number of the newest deliveries to skip. Default 0. */
  readonly offset?: number | undefined;
}

interface Wait {
  readonly count: number;
  readonly timeoutMs: number;
}

export interface Deliveries {
  get(organizationId: string, deliveryId: string): DeliveryView;
  /** Newest first; a resent delivery keeps its place. */
  list(organizationId: string, filter?: DeliveryFilter, page?: DeliveryPage): DeliveryView[];
  /** `satisfied`: whether enough deliveries matched before the timeout. False without deliveries when the sandbox closes. */
  wait(
    organizationId: string,
    filter: DeliveryFilter,
    wait: Wait,
  ): Promise<{ readonly satisfied: boolean; readonly deliveries: DeliveryView[] }>;
  /** Sends a failed delivery again with the same webhook-id. Refused (409) unless it has failed and its address is active. */
  resend(organizationId: string, deliveryId: string): DeliveryView;
  /** Emails that the service would have sent, oldest first. */
  notices(organizationId: string): NoticeView[];
}

export function createDeliveries({ withOrganization, clock, sender }: WebhookContext): Deliveries {
  const list: Deliveries['list'] = (organizationId, filter = {}, { limit = defaultLimit, offset = 0 } = {}) =>
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
        matchesFilter: wanted,
        fitting: () =>
          newestFirst(webhooks)
            .filter(wanted)
            .map((delivery) => delivery.id),
      });
      // The store is closed and cannot be read.
      if (end === 'closed') return { satisfied: false, deliveries: [] };
      const deliveries = list(organizationId, filter, { limit: Math.max(count, defaultLimit) });
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

const defaultLimit = 100;
const deliveriesPerRead = 100;

/** Reads backwards in batches, so that a page of the newest deliveries does not read all of them. */
function* newestFirst({ deliveries }: WebhookDocuments): Generator<StoredDelivery> {
  for (let end = deliveries.size; end > 0; end -= deliveriesPerRead) {
    const offset = Math.max(0, end - deliveriesPerRead);
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

interface DeliveryWait {
  readonly sender: Pick<Sender, 'listen'>;
  readonly organizationId: string;
  readonly count: number;
  /** On the machine's clock, because receivers run in real time. */
  readonly timeoutMs: number;
  readonly matchesFilter: (delivery: StoredDelivery) => boolean;
  /** Ids of the stored deliveries that match. Called at the start, and after a reset or restored snapshot. */
  readonly fitting: () => Iterable<string>;
}

export type WaitEnd = 'enough' | 'timeout' | 'closed';

/** Resolves when enough deliveries match, after the timeout, or when the sender closes. */
async function waitForDeliveries({ sender, organizationId, count, timeoutMs, matchesFilter, fitting }: DeliveryWait) {
  const { promise, resolve } = Promise.withResolvers<WaitEnd>();
  let found = new Set(fitting());
  const check = () => {
    if (found.size >= count) resolve('enough');
  };
  const timer = setTimeout(() => resolve('timeout'), timeoutMs).unref();
  const stop = sender.listen((event) => {
    if (event.kind === 'closed') return resolve('closed');
    if (event.kind === 'replaced') found = new Set(fitting());
    else if (event.organizationId === organizationId) {
      if (matchesFilter(event.delivery)) found.add(event.delivery.id);
      else found.delete(event.delivery.id);
    }
    check();
  });
  check();
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}
