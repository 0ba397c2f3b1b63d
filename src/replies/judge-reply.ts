/** Whose reply it is, and what becomes of it. Reads the ledger and HubSpot, and changes nothing. */
import { matchContacts } from '../delivery/crm/match-contacts.ts';
import { ADDITIONAL_EMAILS, type CrmRecord } from '../hubspot/hubspot-record.ts';
import { CONTACT_KEY, replyProperties } from '../hubspot/managed-properties.ts';
import { addressKey, withAsciiHost } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addressesOf, isReplierSuppressed, type ReplyDependencies } from './contact-state.ts';
import { toProspect, toReplier, type Replier } from './reply-content.ts';
import type { ReplyData } from './read-reply.ts';

type JudgeDependencies = Omit<ReplyDependencies, 'policy'>;

const readProperties = [
  ...replyProperties.map(({ name }) => name),
  CONTACT_KEY,
  'email',
  ADDITIONAL_EMAILS,
  'hubspot_owner_id',
];

/** Finds the contact by key, email or secondary email, in this order; null if there is none. */
async function findContact(dependencies: JudgeDependencies, email: string): Promise<CrmRecord | null> {
  const { hubspot, signal } = dependencies;
  const key = addressKey(email);
  for (const spelling of new Set([email, withAsciiHost(email)])) {
    const matches = await matchContacts(dependencies, [{ key, email: spelling }], readProperties);
    for (const { record } of matches.values()) if (record !== null) return record;
  }
  const [record] = await hubspot.objects.findByAdditionalEmail(email, readProperties, signal);
  return record ?? null;
}

/** The contact of a reply, null if one is created for a prospect that an order delivered, or the reason why there is none. */
export type JudgedReply =
  | {
      readonly state: 'processed';
      readonly reason: null;
      readonly replier: Replier & { readonly email: string };
      readonly contact: CrmRecord | null;
    }
  | { readonly state: 'processed'; readonly reason: 'no_contact' | 'suppressed' }
  | { readonly state: 'quarantined'; readonly reason: 'forgotten' | 'no_address' | 'unknown_person' };

export async function judgeReply(
  dependencies: JudgeDependencies,
  data: ReplyData,
  classification: string,
): Promise<JudgedReply> {
  const { ledger } = dependencies;
  const { email, answeredBy } = toReplier(data);
  if (email === null) return { state: 'quarantined', reason: 'no_address' };
  if (await isForgotten(ledger, [email, answeredBy])) return { state: 'quarantined', reason: 'forgotten' };
  const replier = { email, answeredBy };
  const contact = await findContact(dependencies, email);
  if (contact !== null) return { state: 'processed', reason: null, replier, contact };
  // A person who opted out and has no contact is not written to HubSpot; the suppression is complete.
  if (classification === 'do_not_contact') return { state: 'processed', reason: 'no_contact' };
  if (await isReplierSuppressed(ledger, { contact, replier })) return { state: 'processed', reason: 'suppressed' };
  const delivered = await ledger.outcomeQueries.trace({ contactKey: addressKey(email) });
  return delivered.length === 0
    ? { state: 'quarantined', reason: 'unknown_person' }
    : { state: 'processed', reason: null, replier, contact };
}

/**
 * The addresses of the person who has refused: that of the prospect, and those of the contact. A sender who is not the prospect can be forged:
 * their reply goes no further than `toSuppressed`.
 */
export function toRefusing(data: ReplyData, contact: CrmRecord | null): Set<string> {
  const prospect = toProspect(data);
  return new Set(prospect === null ? [] : [prospect, ...(contact === null ? [] : addressesOf(contact))]);
}

async function isForgotten({ tombstones }: Ledger, addresses: readonly (string | null)[]): Promise<boolean> {
  const test = await tombstones.test();
  if (test === null) return false;
  return addresses.some((value) => value !== null && test({ kind: 'email', value }));
}
