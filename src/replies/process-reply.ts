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
    return { suppressed: 0, suppressedAt: reply.suppressedAt };
  const at = now().toISOString();
  const by = `reply ${reply.webhookId}`;
  let suppressed = 0;
  for (const identifier of toSuppressed(data, policy)) {
    if (await ledger.suppressions.add({ identifier, at, by, reason: 'do_not_contact' })) suppressed += 1;
  }
  return { suppressed, suppressedAt: await ledger.replies.saveSuppressed(reply.webhookId, at) };
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
  const { email, answeredBy } = toReplier(data);
  if (email === null) return { ...noEffects, state: 'quarantined', reason: 'unknown_person' };
  if (await isForgotten(ledger, [email, answeredBy])) {
    await ledger.replies.eraseBody(webhookId);
    return { ...noEffects, state: 'quarantined', reason: 'forgotten' };
  }
  if (classification === 'do_not_contact' && policy.unsubscribe)
    for (const address of [email, answeredBy])
      if (address !== null) await dependencies.hubspot.subscriptions.unsubscribeAll(address, dependencies.signal);
  const found = await findContact(dependencies, email);
  const isCreated = found === null;
  const contact = found ?? (await createKnownContact(dependencies, { data, email, classification }));
  if (contact === null) {
    const isRefusal = classification === 'do_not_contact';
    // A person who opted out and has no contact is not written to HubSpot; the suppression is complete.
    return isRefusal
      ? { ...noEffects, state: 'processed', reason: 'no_contact' }
      : { ...noEffects, state: 'quarantined', reason: 'unknown_person' };
  }
  await ledger.replies.saveContact(webhookId, contact.id);
  const { isLeadStatusRefused } = await writeContactState(dependencies, { contact, email });
  const { note, task } = policy.classes[classification];
  const ownerId = contact.properties['hubspot_owner_id'] || null;
  const dueAt = new Date(Date.parse(reply.receivedAt) + taskDueMs).toISOString();
  return {
    state: 'processed',
    reason: isLeadStatusRefused ? 'lead_status_refused' : null,
    contact: isCreated ? 'created' : 'found',
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
export async function findContact(
  dependencies: Pick<ReplyDependencies, 'hubspot' | 'ledger' | 'now' | 'signal'>,
  email: string,
): Promise<CrmRecord | null> {
  const [match] = await matchContacts(dependencies, [{ key: addressKey(email), email }], readProperties);
  return match?.record ?? null;
}

/** Creates a contact only for a prospect that an order delivered. The upsert by key prevents duplicates in a retry. */
async function createKnownContact(
  { hubspot, ledger, signal }: ReplyDependencies,
  { data, email, classification }: { data: ReplyData; email: string; classification: string },
): Promise<CrmRecord | null> {
  const key = addressKey(email);
  const delivered = await ledger.outcomeQueries.trace({ contactKey: key });
  if (delivered.length === 0 || classification === 'do_not_contact') return null;
  if (await ledger.suppressions.isSuppressed({ kind: 'email', value: email })) return null;
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
