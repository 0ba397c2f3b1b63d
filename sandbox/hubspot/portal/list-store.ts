import type { PublicObjectList } from '@hubspot/api-client/lib/codegen/crm/lists/models/PublicObjectList.js';
import type { ObjectType } from '../object-types.ts';
import type { ObjectStore } from './object-store.ts';
import type { RecordPredicate } from './crm-record.ts';
import type { JsonOf } from '../json-model.ts';

export type ListFacts = Omit<JsonOf<PublicObjectList>, 'filterBranch'> & { filterBranch?: unknown };

/** A list of records of one type. The members of a dynamic list match its filters. */
export interface CrmList {
  readonly facts: ListFacts;
  readonly type: ObjectType;
  readonly members: ListMembers | RecordPredicate;
}

/** The lists of one portal. */
export interface ListStore {
  all(): CrmList[];
  get(id: string): CrmList | undefined;
  /** Adds a list; a static one without a predicate. */
  add(type: ObjectType, facts: Omit<ListFacts, 'listId'>, fits: RecordPredicate | undefined): CrmList;
  /** Replaces merged records with the remaining record. */
  merge(type: ObjectType, ids: readonly string[], into: string): void;
}

export function createListStore(): ListStore {
  const lists = new Map<string, CrmList>();
  return {
    all: () => [...lists.values()],
    get: (id) => lists.get(id),
    add(type, facts, fits) {
      const listId = String(lists.size + 1);
      const list = { type, facts: { ...facts, listId }, members: fits ?? createListMembers() };
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

/** Members of a list in the order of record ids. Archived records leave every list. */
export function membersOf({ members }: CrmList, records: ObjectStore): readonly Membership[] {
  if (typeof members !== 'function') {
    return members.inOrder().filter(({ recordId }) => records.get(recordId)?.id === recordId);
  }
  // The time of joining is not stored: the last change of the record replaces it.
  return records
    .page(undefined, Number.POSITIVE_INFINITY, false)
    .records.filter(({ properties }) => members(properties))
    .map(({ id, updatedAt }) => ({ recordId: id, membershipTimestamp: updatedAt }));
}

/** A record on a list, and since when. */
export interface Membership {
  readonly recordId: string;
  readonly membershipTimestamp: string;
}

/** Members of a list that were added by hand. */
export interface ListMembers {
  /** @returns the ids that were not on the list before */
  join(ids: readonly string[], now: string): string[];
  /** @returns the ids that were on the list */
  leave(ids: readonly string[]): string[];
  /** Replaces several records with one. */
  replace(ids: readonly string[], by: string): void;
  inOrder(): readonly Membership[];
}

function createListMembers(): ListMembers {
  const joined = new Map<string, string>();
  // Sorted once, because long lists are read in many pages.
  let ordered: Membership[] | undefined;
  return {
    join(ids, now) {
      ordered = undefined;
      const added = [...new Set(ids)].filter((id) => !joined.has(id));
      for (const id of added) joined.set(id, now);
      return added;
    },
    leave(ids) {
      ordered = undefined;
      return ids.filter((id) => joined.delete(id));
    },
    replace(ids, by) {
      const since = ids.map((id) => joined.get(id)).find((time) => time !== undefined);
      if (since === undefined) return;
      ordered = undefined;
      for (const id of ids) joined.delete(id);
      joined.set(by, since);
    },
    inOrder() {
      ordered ??= [...joined]
        .map(([recordId, membershipTimestamp]) => ({ recordId, membershipTimestamp }))
        .sort((a, b) => Number(a.recordId) - Number(b.recordId));
      return ordered;
    },
  };
}
