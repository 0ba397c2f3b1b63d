/** The organization of the ledger. Another one does not have its orders ("Authentication", 7): no answer of the service names an organization. */
import { nonRetryable } from '../base/failures/application-failure.ts';
import type { ProspectingClient } from '../service/client/prospecting-client.ts';
import { isNotFound } from '../service/client/prospecting-error.ts';
import type { Ledger } from './ledger.ts';

/** Orders that are looked for. Usually the first is found. */
const soughtOrders = 3;

interface KnownOrganization {
  readonly prospecting: Pick<ProspectingClient, 'baseUrl'> & {
    readonly orders: Pick<ProspectingClient['orders'], 'get'>;
  };
  readonly ledger: { readonly orders: Pick<Ledger['orders'], 'newestIds'> };
}

/**
 * Call before anything is uploaded or bought. @returns an order of the ledger that the service has; null: the ledger has no orders yet
 * @throws OtherOrganization, non-retryable, when the service has no order of the ledger
 */
export async function assertKnownOrganization(
  { prospecting, ledger }: KnownOrganization,
  signal?: AbortSignal,
): Promise<string | null> {
  const orderIds = await ledger.orders.newestIds(soughtOrders);
  if (orderIds.length === 0) return null;
  for (const orderId of orderIds) {
    try {
      await prospecting.orders.get(orderId, signal === undefined ? {} : { signal });
      return orderId;
    } catch (error) {
      // Any web server answers 404, but not with a JSON object.
      if (!isNotFound(error) || typeof error.answer !== 'object' || error.answer === null) throw error;
    }
  }
  throw nonRetryable(
    'OtherOrganization',
    `the API key belongs to another organization than the ledger: the service at ${prospecting.baseUrl} does not have the newest orders of the ledger (${orderIds.join(', ')})`,
  );
}
