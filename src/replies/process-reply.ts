/**
 * The effects of one reply: suppression in the ledger, then the contact, note, task and state in HubSpot. Each step can be repeated: the
 * inbox row records the completed steps, and HubSpot is read before a record is created.
 */
import { createItemsOnce } from '../delivery/crm/create-items-once.ts';
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import { CONTACT_KEY, managedProperties, propertyGroup, replyProperties } from '../hubspot/managed-properties.ts';
import type { ReplyItem, ReplyRow } from '../ledger/reply-store.ts';
import { addressKey } from '../ledger/identity.ts';
import { toMarker, toNewContact, toNote, toTask, type Replier } from './reply-content.ts';
import { taskDueMs } from '../delivery/mapping/task-content.ts';
import { isReplyClass, type ReplyClass } from '../config/reply-policy.ts';
import { writeContactState, type ReplyDependencies } from './contact-state.ts';
import { judgeReply, toRefusing } from './judge-reply.ts';
import { readStoredReply, type ReplyData } from './read-reply.ts';
import { toSuppressed } from './refusal.ts';

export interface Suppressed {
  /** Number of people and companies that the reply keeps suppressed. */
  readonly suppressed: number;
  /** Number of those whose suppression a person has removed since this reply suppressed them: they stay so. */
  readonly stayRemoved: number;
  /** Time of the suppression; null if the reply suppresses nobody. */
  readonly suppressedAt: string | null;
}

/** Repeats what was done at receipt, by the settings of now, and keeps the names of a company. Runs first, so that a person who opted out is never ordered or written again. */
export async function suppressReplier(
  { ledger, now, policy }: ReplyDependencies,
  reply: ReplyRow,
): Promise<Suppressed> {
  const data = reply.classification === 'do_not_contact' ? readStoredReply(reply) : null;
  if (data === null) return { suppressed: 0, stayRemoved: 0, suppressedAt: reply.suppressedAt };
  const at = now().toISOString();
  const identifiers = toSuppressed(data, policy);
  const { company_name: name } = data;
  let [suppressed, stayRemoved] = [0, 0];
  for (const identifier of identifiers) {
    // Whoever has undone a part of what this reply did has decided about it: nothing is added, by whatever policy there is now.
    if (stayRemoved > 0) break;
    await ledger.suppressions.add({ identifier, name, ...toSuppression(reply, at) });
    if (await ledger.suppressions.isSuppressed(identifier)) suppressed += 1;
    else stayRemoved += 1;
  }
  const suppressedAt = identifiers.length === 0 ? null : await ledger.replies.saveSuppressed(reply.webhookId, at);
  return { suppressed, stayRemoved, suppressedAt };
}

function toSuppression({ webhookId, suppressedAt }: ReplyRow, at: string) {
  return { at, by: `reply ${webhookId}`, reason: 'do_not_contact', repliedBefore: suppressedAt };
}

/** The effects of a reply. `existing`: an earlier attempt or process created the record, also one that would not be created now. */
export interface ReplyEffects {
  readonly state: 'processed' | 'quarantined';
  readonly reason:
    | 'forgotten'
    | 'unreadable'
    | 'no_address'
    | 'unknown_person'
    | 'no_contact'
    | 'suppressed'
    | 'lead_status_refused'
    | null;
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
  if (judged.state === 'quarantined') return { ...noEffects, ...judged };
  const contact = judged.reason === null ? judged.contact : null;
  const refusing =
    classification === 'do_not_contact' ? await suppressContact(dependencies, reply, toRefusing(data, contact)) : [];
  const effects =
    judged.reason === null
      ? await writeContact(dependencies, { ...judged, reply, data, classification, replyAt })
      : { ...noEffects, ...judged };
  // Last, since it needs a scope of its own: note and lead status do not wait for it.
  if (policy.unsubscribe)
    for (const address of refusing)
      await dependencies.hubspot.subscriptions.unsubscribeAll(address, dependencies.signal);
  return effects;
}

interface WrittenReply {
  readonly reply: ReplyRow;
  readonly data: ReplyData;
  readonly classification: ReplyClass;
  readonly replyAt: string;
  readonly replier: Replier & { readonly email: string };
  /** null: the contact is created. */
  readonly contact: CrmRecord | null;
}

async function writeContact(
  dependencies: ReplyDependencies,
  { reply, data, classification, replyAt, replier, contact: found }: WrittenReply,
): Promise<ReplyEffects> {
  const { ledger, policy } = dependencies;
  const { webhookId, receivedAt } = reply;
  const contact = found ?? (await createContact(dependencies, data, replier.email));
  await ledger.replies.saveContact(webhookId, contact.id);
  const weight = await writeContactState(dependencies, { contact, replier }, reply);
  const { isSuppressed, isSuperseded, isLeadStatusRefused } = weight;
  const { note, task } = policy.classes[classification];
  const isTaskDue = task && !isSuppressed && !isSuperseded;
  // A person closes it: prospect-sync changes no task.
  const hasEarlierTask =
    classification === 'do_not_contact' &&
    (await ledger.replies.ofContact(contact.id)).some(({ taskId }) => taskId !== null);
  const ownerId = contact.properties['hubspot_owner_id'] || null;
  const dueAt = new Date(Date.parse(receivedAt) + taskDueMs).toISOString();
  return {
    state: 'processed',
    reason: isSuppressed ? 'suppressed' : isLeadStatusRefused ? 'lead_status_refused' : null,
    contact: found === null ? 'created' : 'found',
    note: await createOnce(dependencies, reply, contact, {
      item: 'note',
      properties: note ? toNote(data, { webhookId, replyAt, hasEarlierTask }) : null,
    }),
    task: await createOnce(dependencies, reply, contact, {
      item: 'task',
      properties: isTaskDue ? toTask(data, { webhookId, dueAt, ownerId }) : null,
    }),
  };
}

/** Creates the properties that replies are written to, and those by which contacts are found. */
export async function prepareReplies({ properties }: Pick<HubSpotClient, 'properties'>): Promise<void> {
  const needed = [...managedProperties.contacts, ...replyProperties];
  await properties.ensure('contacts', { group: propertyGroup, properties: needed, mustExist: [] });
}

/**
 * @param addresses that of the prospect first: if a person has taken it off the list since, nothing is added
 * @returns the addresses that are suppressed now
 */
async function suppressContact(
  { ledger, now }: Pick<ReplyDependencies, 'ledger' | 'now'>,
  reply: ReplyRow,
  addresses: Iterable<string>,
): Promise<string[]> {
  const suppressed: string[] = [];
  for (const value of addresses) {
    const identifier = { kind: 'email', value } as const;
    await ledger.suppressions.add({ identifier, ...toSuppression(reply, now().toISOString()) });
    if (await ledger.suppressions.isSuppressed(identifier)) suppressed.push(value);
    else if (suppressed.length === 0) break;
  }
  return suppressed;
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

/** At most one note and one task for each reply. `properties`: null if the reply does not create this item now. */
async function createOnce(
  dependencies: ReplyDependencies,
  { webhookId }: Pick<ReplyRow, 'webhookId'>,
  contact: CrmRecord,
  { item, properties }: { readonly item: ReplyItem; readonly properties: Readonly<Record<string, string>> | null },
): Promise<'created' | 'existing' | null> {
  const { replies } = dependencies.ledger;
  const known = await replies.item(webhookId, item);
  if (properties === null) return known.id === null ? null : 'existing';
  const memory = {
    known,
    claim: (at: string) => replies.claim(webhookId, item, { seen: known.sentAt, at }),
    save: (id: string | null) => replies.saveItem(webhookId, item, id),
  };
  const created = { memory, name: `${item} of the reply`, marker: toMarker(webhookId), properties };
  const parent = { object: 'contacts', id: contact.id } as const;
  const [result] = await createItemsOnce(dependencies, item === 'note' ? 'notes' : 'tasks', [{ ...created, parent }]);
  if (result instanceof Error) throw result;
  return result ?? null;
}
