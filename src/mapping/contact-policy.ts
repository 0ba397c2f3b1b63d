/** Which people of a result become contacts. */
import type { Prospect } from '../contract/index.ts';
import { contactEmail } from './identity.ts';

export interface ContactPolicy {
  /** Leave out addresses that `email_client_deliverable` does not call deliverable; unknown is not deliverable. */
  readonly requireClientDeliverable: boolean;
  /** Words of `email_delivery_quality`, of which the service gives examples only. `only: null` takes every word and none. */
  readonly deliveryQualities: { readonly only: readonly string[] | null; readonly except: readonly string[] };
  readonly withoutEmail: 'skip' | 'create';
}

export const defaultContactPolicy: ContactPolicy = {
  requireClientDeliverable: false,
  deliveryQualities: { only: null, except: [] },
  withoutEmail: 'skip',
};

/** The rule by which a person is left out, or null. What is said about an address does not touch a person without one. */
export function findSkipRule(
  prospect: Prospect,
  { requireClientDeliverable, deliveryQualities, withoutEmail }: ContactPolicy,
): 'not_client_deliverable' | 'delivery_quality' | 'no_email' | null {
  // Without an address the id is all that a person is known by.
  if (contactEmail(prospect) === null) return withoutEmail === 'create' && prospect.id ? null : 'no_email';
  if (requireClientDeliverable && prospect.email_client_deliverable !== true) return 'not_client_deliverable';
  const { only, except } = deliveryQualities;
  const quality = comparableQuality(prospect.email_delivery_quality ?? '');
  const isWanted = only === null || only.map(comparableQuality).includes(quality);
  return isWanted && !except.map(comparableQuality).includes(quality) ? null : 'delivery_quality';
}

/** The words are free: a capital more or less must not decide who is written to. */
export function comparableQuality(word: string): string {
  return word.trim().toLowerCase();
}
