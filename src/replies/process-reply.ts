/**
 * The effects of one reply: suppression in the ledger, then the contact, note, task and state in HubSpot. Each step can be repeated: the
 * inbox row records the completed steps, and HubSpot is read before a record is created.
 */
import { createItemOnce } from '../delivery/crm/create-item-once.ts';
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import { CONTACT_KEY, managedProperties, propertyGroup, replyProperties } from '../hubspot/managed-properties.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReplyItem, ReplyRow } from '../ledger/reply-store.ts';
import { addressKey } from '../ledger/identity.ts';
import { toMarker, toNewContact, toNote, toReplier, toTask } from './reply-content.ts';
import { taskDueMs } from '../delivery/mapping/task-content.ts';
import { isReplyClass } from '../config/reply-policy.ts';
import { matchContacts } from '../delivery/crm/match-contacts.ts';
import { writeContactState, type ReplyDependencies } from './contact-state.ts';
import { readStoredReply, type ReplyData } from './read-reply.ts';
import { toSuppressed } from './refusal.ts';

const readProperties = [
  ...replyProperties.map(({ name }) => name),
  CONTACT_KEY,
  'email',
  'hs_lead_status',
  'hubspot_owner_id',
];

export interface Suppressed {
  /** Number of people and companies that were not suppressed before. */
  readonly suppressed: number;
  /** Number of those whose suppression a person has removed since this reply suppressed them: they stay so. */
  readonly stayRemoved: number;
  /** Time of the suppression; null if the reply is no do_not_contact. */
  readonly suppressedAt: string | null;
}

/** Runs first, so that a person who opted out is never ordered or written again. */
export async function suppressReplier(
  { ledger, now, policy }: ReplyDependencies,
  reply: ReplyRow,
): Promise<Suppressed> {
  const data = readStoredReply(reply);
  if (data === null || reply.classification !== 'do_not_contact')
    return { suppressed: 0, stayRemoved: 0, suppressedAt: reply.suppressedAt };
  const at = now().toISOString();
  const by = `reply ${reply.webhookId}`;
  const suppression = { at, by, reason: 'do_not_contact', repliedBefore: reply.suppressedAt };
  let [suppressed, stayRemoved] = [0, 0];
  for (const identifier of toSuppressed(data, policy)) {
    if (await ledger.suppressions.add({ identifier, ...suppression })) suppressed += 1;
    else if (!(await ledger.suppressions.isSuppressed(identifier))) stayRemoved += 1;
  }
  return { suppressed, stayRemoved, suppressedAt: await ledger.replies.saveSuppressed(reply.webhookId, at) };
}

/** The effects of a reply. `existing`: an earlier attempt or process created the record. */
export interface ReplyEffects {
  readonly state: 'processed' | 'quarantined';
  readonly reason: 'forgotten' | 'unreadable' | 'unknown_person' | 'no_contact' | 'lead_status_refused' | null;
  readonly contact: 'found' | 'created' | null;
  readonly note: 'created' | 'existing' | null;
  readonly task: 'created' | 'existing' | null;
}

const noEffects = { contact: null, note: null, task: null } as const;

export async function writeReply(dependencies: ReplyDependencies, reply: ReplyRow): Promise<ReplyEffects> {
  const { ledger, policy } = dependencies;
  const data = readStoredReply(reply);
  const { classification, replyAt, webhookId } = reply;
  if (reply.body === null && reply.reason === 'forgotten')
    return { ...noEffects, state: 'quarantined', reason: 'forgotten' };
  if (data === null || !isReplyClass(classification) || replyAt === null)
    return { ...noEffects, state: 'quarantined', reason: 'unreadable' };
  const judged = await judgeReply(dependencies, data, classification);
  if (judged.reason === 'forgotten') await ledger.replies.eraseBody(webhookId);
  if (judged.state === 'processed' && classification === 'do_not_contact' && policy.unsubscribe)
    await unsubscribe(dependencies, data);
  if (judged.reason !== null) return { ...noEffects, ...judged };
  const { email } = judged;
  const contact = judged.contact ?? (await createContact(dependencies, data, email));
  await ledger.replies.saveContact(webhookId, contact.id);
  const { isLeadStatusRefused } = await writeContactState(dependencies, { contact, email });
  const { note, task } = policy.classes[classification];
  const ownerId = contact.properties['hubspot_owner_id'] || null;
  const dueAt = new Date(Date.parse(reply.receivedAt) + taskDueMs).toISOString();
  return {
    state: 'processed',
    reason: isLeadStatusRefused ? 'lead_status_refused' : null,
    contact: judged.contact === null ? 'created' : 'found',
    note: note ? await createOnce(dependencies, reply, contact, 'note', toNote(data, { webhookId, replyAt })) : null,
    task: task
      ? await createOnce(dependencies, reply, contact, 'task', toTask(data, { webhookId, dueAt, ownerId }))
      : null,
  };
}

/** Creates the properties that replies are written to, and those by which contacts are found. */
export async function prepareReplies({ properties }: Pick<HubSpotClient, 'properties'>): Promise<void> {
  const needed = [...managedProperties.contacts, ...replyProperties];
  await properties.ensure('contacts', { group: propertyGroup, properties: needed, mustExist: [] });
}

/** Finds the contact by key, email or secondary email, in this order; null if there is none. */
async function findContact(
  dependencies: Pick<ReplyDependencies, 'hubspot' | 'ledger' | 'now' | 'signal'>,
  email: string,
): Promise<CrmRecord | null> {
  const [match] = await matchContacts(dependencies, [{ key: addressKey(email), email }], readProperties);
  return match?.record ?? null;
}

/** The contact of a reply, null if one is created for a prospect that an order delivered, or the reason why there is none. */
export type JudgedReply =
  | { readonly state: 'processed'; readonly reason: null; readonly email: string; readonly contact: CrmRecord | null }
  | { readonly state: 'processed'; readonly reason: 'no_contact' }
  | { readonly state: 'quarantined'; readonly reason: 'forgotten' | 'unknown_person' };

/** Reads the ledger and HubSpot, and changes nothing. */
export async function judgeReply(
  dependencies: Omit<ReplyDependencies, 'policy'>,
  data: ReplyData,
  classification: string,
): Promise<JudgedReply> {
  const { ledger } = dependencies;
  const { email, answeredBy } = toReplier(data);
  if (email === null) return { state: 'quarantined', reason: 'unknown_person' };
  if (await isForgotten(ledger, [email, answeredBy])) return { state: 'quarantined', reason: 'forgotten' };
  const contact = await findContact(dependencies, email);
  if (contact !== null) return { state: 'processed', reason: null, email, contact };
  // A person who opted out and has no contact is not written to HubSpot; the suppression is complete.
  if (classification === 'do_not_contact') return { state: 'processed', reason: 'no_contact' };
  const delivered = await ledger.outcomeQueries.trace({ contactKey: addressKey(email) });
  if (delivered.length === 0 || (await ledger.suppressions.isSuppressed({ kind: 'email', value: email })))
    return { state: 'quarantined', reason: 'unknown_person' };
  return { state: 'processed', reason: null, email, contact };
}

/** Unsubscribes the people of a refusal from all email, except those whose suppression a person has removed. */
async function unsubscribe({ hubspot, ledger, signal }: ReplyDependencies, data: ReplyData): Promise<void> {
  const { email, answeredBy } = toReplier(data);
  for (const address of [email, answeredBy])
    if (address !== null && (await ledger.suppressions.isSuppressed({ kind: 'email', value: address })))
      await hubspot.subscriptions.unsubscribeAll(address, signal);
}

/** The upsert by key prevents duplicates in a retry. */
async function createContact(
  { hubspot, signal }: ReplyDependencies,
  data: ReplyData,
  email: string,
): Promise<CrmRecord> {
  const key = addressKey(email);
  const properties = { ...toNewContact(data, email), [CONTACT_KEY]: key };
  const [written] = await hubspot.objects.upsert('contacts', CONTACT_KEY, [{ id: key, properties }], signal);
  if (written === undefined) throw new RangeError('an upsert of one contact returned no result');
  if (!written.ok) throw written.error;
  return { id: written.id, properties };
}

/** At most one note and one task for each reply. */
async function createOnce(
  dependencies: ReplyDependencies,
  { webhookId }: Pick<ReplyRow, 'webhookId'>,
  contact: CrmRecord,
  item: ReplyItem,
  properties: Readonly<Record<string, string>>,
): Promise<'created' | 'existing'> {
  const { replies } = dependencies.ledger;
  const known = await replies.item(webhookId, item);
  const memory = {
    known,
    claim: (at: string) => replies.claim(webhookId, item, { seen: known.sentAt, at }),
    save: (id: string | null) => replies.saveItem(webhookId, item, id),
  };
  return createItemOnce(dependencies, memory, {
    type: item === 'note' ? 'notes' : 'tasks',
    name: `${item} of the reply`,
    parent: { object: 'contacts', id: contact.id },
    marker: toMarker(webhookId),
    properties,
  });
}

async function isForgotten({ tombstones }: Ledger, addresses: readonly (string | null)[]): Promise<boolean> {
  const test = await tombstones.test();
  if (test === null) return false;
  return addresses.some((value) => value !== null && test({ kind: 'email', value }));
}
