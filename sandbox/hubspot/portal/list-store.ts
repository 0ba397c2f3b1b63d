import type { PublicObjectList } from '@hubspot/api-client/lib/codegen/crm/lists/models/PublicObjectList.js';
import type { ObjectType } from '../object-types.ts';
import type { ObjectStore } from './object-store.ts';
import type { Predicate } from '../search/search-filters.ts';
import type { Wire } from '../json-model.ts';
import { createRoster, type Membership, type Roster } from './roster.ts';

export type ListFacts = Omit<Wire<PublicObjectList>, 'filterBranch'> & { filterBranch?: unknown };

/** A list of records of one type. A dynamic one has whatever fits its filters. */
export interface CrmList {
  readonly facts: ListFacts;
  readonly type: ObjectType;
  readonly members: Roster | Predicate;
}

/** The lists of one portal. */
export interface ListStore {
  all(): CrmList[];
  get(id: string): CrmList | undefined;
  /** A static list where no predicate is given. */
  add(type: ObjectType, facts: Omit<ListFacts, 'listId'>, fits: Predicate | undefined): CrmList;
  /** Puts the record that others were merged into in their place. */
  merge(type: ObjectType, ids: readonly string[], into: string): void;
}

export function createListStore(): ListStore {
  const lists = new Map<string, CrmList>();
  return {
    all: () => [...lists.values()],
    get: (id) => lists.get(id),
    add(type, facts, fits) {
      const listId = String(lists.size + 1);
      const list = { type, facts: { ...facts, listId }, members: fits ?? createRoster() };
      lists.set(listId, list);
      return list;
    },
    merge(type, ids, into) {
      for (const list of lists.values()) {
        if (list.type === type && typeof list.members !== 'function') list.members.replace(ids, into);
      }
    },
  };
}

/** Who is on a list, in the order of record ids. Archived records leave every list. */
export function membersOf({ members }: CrmList, records: ObjectStore): readonly Membership[] {
  if (typeof members !== 'function') {
    return members.inOrder().filter(({ recordId }) => records.get(recordId)?.id === recordId);
  }
  // When a record began to fit is not kept: it is taken to be its last change.
  return records
    .page(undefined, Number.POSITIVE_INFINITY, false)
    .records.filter(({ properties }) => members(properties))
    .map(({ id, updatedAt }) => ({ recordId: id, membershipTimestamp: updatedAt }));
}
