/** Adds the records that an order has written to static lists of HubSpot. */
import { nonRetryable } from '../../base/failures/application-failure.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { suggestions } from '../../base/text/suggestions.ts';
import { partsOf } from '../../ledger/stored-slot.ts';
import { isWritten } from '../../ledger/crm-outcomes.ts';
import { withoutNewer, type SlotsToDeliver } from './own-records.ts';
import { toListName, type ListNames, type ListReport } from '../mapping/list-names.ts';

interface ListDependencies {
  readonly hubspot: Pick<HubSpotClient, 'lists'>;
  readonly ledger: Pick<Ledger, 'listMembers' | 'orderRequests' | 'orders' | 'outcomes' | 'writtenRecords'>;
  readonly signal: AbortSignal;
  readonly recordProgress: (position: number) => void;
}

/** Slots whose records are added by one call. */
const slotsPerCall = 500;

const objects = ['companies', 'contacts'] as const;

/**
 * Adds each record once: one that a person removes from the list is not added again. Can be repeated; an attempt that died after a call adds
 * the same records again, which changes nothing. Records that a newer order has written are left out.
 * @returns what the order has added of these slots, in this attempt or before
 */
export async function addToLists(
  dependencies: ListDependencies,
  { orderId, force, ...range }: SlotsToDeliver,
  names: ListNames,
): Promise<ListReport[]> {
  const { hubspot, ledger, signal, recordProgress } = dependencies;
  const order = await ledger.orderRequests.source(orderId);
  const lists: { object: ObjectType; listId: string; added: number; missing: number }[] = [];
  for (const object of objects) {
    const name = names[object];
    if (name === undefined) continue;
    const listName = toListName(name, order);
    if (listName === null) {
      const path = `hubspot_lists.${object}`;
      throw nonRetryable(
        'ListNameUnknown',
        `${path} is ${JSON.stringify(name)}, and order ${orderId} has no value for one of its fields, because this ledger did not place it. Name the list without that field, for example with {order.id}, then run: prospect-sync ingest ${orderId}`,
      );
    }
    const listId = await openList(hubspot, object, listName, signal);
    lists.push({ object, listId, added: 0, missing: 0 });
  }
  for (const part of partsOf(range, slotsPerCall)) {
    const outcomes = await ledger.outcomes.read(orderId, part);
    for (const list of lists) {
      const { object, listId } = list;
      const written = outcomes.flatMap(({ item, outcome, recordId }) =>
        recordId !== null && isWritten(outcome) && (item === 'company') === (object === 'companies') ? [recordId] : [],
      );
      const ids = await withoutNewer(ledger, { orderId, force }, object, written);
      const wanted = await ledger.listMembers.missing(listId, ids);
      const missing = new Set(wanted.length === 0 ? [] : await hubspot.lists.add(listId, wanted, signal));
      // A record that HubSpot does not have may be restored, and is tried again by the next pass.
      await ledger.listMembers.save(
        { listId, orderId },
        wanted.filter((id) => !missing.has(id)),
      );
      list.missing += missing.size;
      list.added += await ledger.listMembers.countAdded({ listId, orderId }, ids);
    }
    recordProgress(part.to);
  }
  return lists;
}

interface NewList {
  readonly object: ObjectType;
  readonly name: string;
}

/**
 * Checks before the order that the token can change lists, and that existing lists accept members.
 * @returns the lists that do not exist yet
 */
export async function checkLists(
  { lists }: Pick<HubSpotClient, 'lists'>,
  names: ListNames,
  signal: AbortSignal,
): Promise<NewList[]> {
  await lists.requireWriteScope(signal);
  const created: NewList[] = [];
  for (const object of objects) {
    const name = names[object];
    // A name with fields of the order is known when the order is placed.
    if (name === undefined || name.includes('{order.')) continue;
    if ((await findList(lists, object, name, signal)) === null) created.push({ object, name });
  }
  return created;
}

/** The run would create a list for a misspelt name too, and users would look for the records in the other list. */
export async function describeNewList(
  { lists }: Pick<HubSpotClient, 'lists'>,
  { object, name }: NewList,
  signal: AbortSignal,
): Promise<string> {
  const similar = suggestions(name, await lists.names(object, signal)).map((each) => JSON.stringify(each));
  return [
    `list ${JSON.stringify(name)} of hubspot_lists.${object} does not exist, and the run creates it`,
    ...(similar.length === 0 ? [] : [`a similar name exists: ${similar.join(', ')}`]),
    ...(/^\d+$/.test(name) ? ['an id of a list is not taken, write its name'] : []),
  ].join('; ');
}

/** The list of that name, which is created if there is none. */
async function openList(
  { lists }: Pick<HubSpotClient, 'lists'>,
  object: ObjectType,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const found = await findList(lists, object, name, signal);
  if (found !== null) return found;
  try {
    return await lists.create(object, name, signal);
  } catch (error) {
    // Another worker, or a call whose answer was lost, has created it.
    const created = await lists.findByName(object, name, signal);
    if (created === undefined) throw error;
    return assertStatic(created, object);
  }
}

/** The id of the list of that name; null if there is none. @throws ApplicationFailure ListNotStatic, ListNameTaken, non-retryable */
async function findList(
  lists: HubSpotClient['lists'],
  object: ObjectType,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  const found = await lists.findByName(object, name, signal);
  if (found !== undefined) return assertStatic(found, object);
  // HubSpot gives a name to one list only, whatever its members are: it would refuse to create this one.
  const other = object === 'companies' ? 'contacts' : 'companies';
  const taken = await lists.findByName(other, name, signal);
  if (taken !== undefined)
    throw refuseList(
      object,
      `list ${taken.id} of HubSpot, which is a list of ${other}. Choose the name of a list of ${object}, or one that no list has`,
    );
  const meant = /^\d+$/.test(name) ? await lists.get(name, signal) : undefined;
  if (meant !== undefined)
    throw refuseList(
      object,
      `${name}, which is the id of list ${JSON.stringify(meant.name)} of HubSpot. Write the name of a list`,
    );
  return null;
}

function refuseList(object: ObjectType, problem: string) {
  return nonRetryable('ListNameTaken', `hubspot_lists.${object} names ${problem}`);
}

function assertStatic({ id, processingType }: { id: string; processingType: string }, object: ObjectType): string {
  if (processingType !== 'DYNAMIC') return id;
  throw nonRetryable(
    'ListNotStatic',
    `hubspot_lists.${object} names list ${id} of HubSpot, which is DYNAMIC: its filters decide who is in it`,
  );
}
