/** The state of a contact: its reply properties and lead status, of its replies and suppressions. */
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import { secondaryEmails, toComparable, type CrmRecord } from '../hubspot/hubspot-record.ts';
import { addressKey } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ContactReply } from '../ledger/reply-store.ts';
import { toReplyState, type Replier } from './reply-content.ts';
import { isNewer, isReplyClass, standingOf, type DatedReply, type ReplyPolicy } from '../config/reply-policy.ts';
import { isSame } from '../ledger/property-values.ts';
import { readStoredReply } from './read-reply.ts';

export interface ReplyDependencies {
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly policy: ReplyPolicy;
}

/** The contact of a reply, and the people whose suppression it obeys. */
export interface RepliedContact {
  readonly contact: CrmRecord;
  readonly replier: Replier;
}

/** The addresses of a contact, in lower case. */
export function addressesOf(contact: CrmRecord): string[] {
  const primary = toComparable(contact.properties['email'] ?? '');
  return [...(primary === '' ? [] : [primary]), ...secondaryEmails(contact)];
}

/** True if the contact, the person whose reply it is, or a company of theirs is suppressed. */
export async function isReplierSuppressed(
  { suppressions }: Pick<Ledger, 'suppressions'>,
  { contact, replier: { email, answeredBy } }: { readonly contact: CrmRecord | null; readonly replier: Replier },
): Promise<boolean> {
  const known = contact === null ? [] : addressesOf(contact);
  const addresses = [...known, ...[email, answeredBy].filter((address) => address !== null)];
  const people = await suppressions.suppressedContacts(addresses.map(addressKey));
  return people.size > 0 || (await suppressions.suppressedHosts(addresses)).size > 0;
}

/** What a reply may still do beside its note. */
export interface ReplyWeight {
  /** The contact is suppressed, and the reply is not the refusal: it sets no lead status and creates no task. */
  readonly isSuppressed: boolean;
  /** A newer reply has set the lead status: the reply creates no task. */
  readonly isSuperseded: boolean;
}

export function weigh(reply: DatedReply, isSuppressed: boolean, leading: DatedReply | undefined): ReplyWeight {
  return {
    isSuppressed: isSuppressed && reply.classification !== 'do_not_contact',
    isSuperseded: leading !== undefined && isNewer(leading, reply),
  };
}

/**
 * Writes the state of the contact, whichever reply is processed. The ledger is read again after each write, so that of several processes
 * the last one writes the newest state. A lead status is written once, so that a later change by a person stays.
 */
export async function writeContactState(
  dependencies: ReplyDependencies,
  replied: RepliedContact,
  reply: DatedReply,
): Promise<ReplyWeight & { readonly isLeadStatusRefused: boolean }> {
  const { ledger, policy } = dependencies;
  const { contact } = replied;
  let current = contact.properties;
  let isLeadStatusRefused = false;
  for (let led: string | null = null; ;) {
    const replies = await ledger.replies.ofContact(contact.id);
    const isSuppressed = await isReplierSuppressed(ledger, replied);
    const { newest, leading } = standingOf(replies, { isSuppressed, classes: policy.classes });
    const weight = weigh(reply, isSuppressed, leading);
    if (newest === undefined || isOfUnknownReply(current, replies, newest.replyAt ?? ''))
      return { ...weight, isSuppressed: weight.isSuppressed || hasRefused(current, reply), isLeadStatusRefused };
    const state = await toState(ledger, newest);
    // Another process may have written the newest status before this one wrote an older one.
    const isDue = leading !== undefined && leading.webhookId !== led && (leading.leadStatusAt === null || led !== null);
    if (!isDue && hasState(current, state)) return { ...weight, isLeadStatusRefused };
    const leadStatus = isDue ? leadStatusOf(leading, policy) : null;
    const isRefused = await writeProperties(dependencies, contact.id, { state, leadStatus });
    if (isDue) {
      led = leading.webhookId;
      if (!isRefused) await ledger.replies.saveLeadStatus(led, dependencies.now().toISOString());
      isLeadStatusRefused = isRefused;
    }
    current = { ...current, ...state };
  }
}

async function toState({ replies }: Ledger, { webhookId, classification, replyAt }: ContactReply) {
  const data = readStoredReply((await replies.get(webhookId)) ?? { body: null });
  const state: Record<string, string> = toReplyState(data, {
    classification: classification ?? '',
    replyAt: replyAt ?? '',
  });
  return state;
}

function leadStatusOf({ classification }: ContactReply, { classes }: ReplyPolicy): string | null {
  return isReplyClass(classification) ? classes[classification].leadStatus : null;
}

/** @returns true if the portal does not have this lead status: the other properties are still written */
async function writeProperties(
  { hubspot, signal }: ReplyDependencies,
  id: string,
  { state, leadStatus }: { readonly state: Readonly<Record<string, string>>; readonly leadStatus: string | null },
): Promise<boolean> {
  const properties = leadStatus === null ? state : { ...state, hs_lead_status: leadStatus };
  const [result] = await hubspot.objects.update('contacts', [{ id, properties }], signal);
  if (result?.ok !== false) return false;
  if (leadStatus === null || result.error.property !== 'hs_lead_status') throw result.error;
  const [again] = await hubspot.objects.update('contacts', [{ id, properties: state }], signal);
  if (again?.ok === false) throw again.error;
  return true;
}

/** True if the contact has a newer state, or an opt-out, of a reply that this ledger did not receive: it is kept. */
function isOfUnknownReply(
  current: CrmRecord['properties'],
  replies: readonly Pick<ContactReply, 'classification' | 'replyAt'>[],
  replyAt: string,
): boolean {
  const at = Date.parse(current['prospect_sync_reply_at'] ?? '');
  if (Number.isNaN(at)) return false;
  const isKnown = replies.some(
    (reply) => Date.parse(reply.replyAt ?? '') === at && reply.classification === current['prospect_sync_reply_class'],
  );
  return !isKnown && (at > Date.parse(replyAt) || current['prospect_sync_reply_class'] === 'do_not_contact');
}

function hasRefused(current: CrmRecord['properties'], { classification }: DatedReply): boolean {
  return current['prospect_sync_reply_class'] === 'do_not_contact' && classification !== 'do_not_contact';
}

function hasState(current: CrmRecord['properties'], state: Readonly<Record<string, string>>): boolean {
  return Object.entries(state).every(([name, value]) =>
    name === 'prospect_sync_reply_at'
      ? Date.parse(current[name] ?? '') === Date.parse(value)
      : isSame(value, (current[name] ?? '').trim()),
  );
}
