import type { Prospect } from '../../service/contract/index.ts';
import { contactEmail } from '../../ledger/identity.ts';

/** Selects the people of a result that become contacts. */
export interface ContactPolicy {
  /** Skip people whose `email_client_deliverable` is not true; unknown counts as not deliverable. */
  readonly requireClientDeliverable: boolean;
  /** Values of `email_delivery_quality`, for which the service gives examples only. `only: null` accepts every value, and none. */
  readonly deliveryQualities: { readonly only: readonly string[] | null; readonly except: readonly string[] };
  readonly withoutEmail: 'skip' | 'create';
}

export const defaultContactPolicy: ContactPolicy = {
  requireClientDeliverable: false,
  deliveryQualities: { only: null, except: [] },
  withoutEmail: 'skip',
};

/** The rule by which a person is skipped, or null. Rules about addresses do not apply to a person without one. */
export function findSkipRule(
  prospect: Prospect,
  { requireClientDeliverable, deliveryQualities, withoutEmail }: ContactPolicy,
): 'not_client_deliverable' | 'delivery_quality' | 'no_email' | null {
  // Without an address, a person is identified by the id alone.
  if (contactEmail(prospect) === null) return withoutEmail === 'create' && prospect.id ? null : 'no_email';
  if (requireClientDeliverable && prospect.email_client_deliverable !== true) return 'not_client_deliverable';
  const { only, except } = deliveryQualities;
  const quality = comparableQuality(prospect.email_delivery_quality ?? '');
  const isWanted = only === null || only.map(comparableQuality).includes(quality);
  return isWanted && !except.map(comparableQuality).includes(quality) ? null : 'delivery_quality';
}

/** The service does not fix the spelling of the values, so letter case does not count. */
export function comparableQuality(quality: string): string {
  return quality.trim().toLowerCase();
}
