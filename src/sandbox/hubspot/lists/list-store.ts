import type { PublicObjectList } from '@hubspot/api-client/lib/codegen/crm/lists/models/PublicObjectList.js';
import type { ObjectType } from '../object-types.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Predicate } from '../search/filters.ts';
import type { Wire } from '../wire.ts';

export type ListFacts = Omit<Wire<PublicObjectList>, 'filterBranch'> & { filterBranch?: unknown };

/** A list of records of one type. A dynamic one has whatever fits its filters. */
export interface CrmList {
  readonly facts: ListFacts;
  readonly type: ObjectType;
  readonly fits?: Predicate;
}

export interface Membership {
  readonly recordId: string;
  readonly membershipTimestamp: string;
}

/** The lists of one portal. Archived records leave every list. */
export interface ListStore {
  all(): CrmList[];
  get(id: string): CrmList | undefined;
  add(list: (listId: string) => CrmList): CrmList;
  /** In the order of record ids. */
  members(list: CrmList, records: ObjectStore): Membership[];
  /** The ids that were not on the list before. */
  join(list: CrmList, ids: readonly string[], now: string): string[];
  /** The ids that were on the list. */
  leave(list: CrmList, ids: readonly string[]): string[];
  /** Puts the record that others were merged into in their place. */
  merge(type: ObjectType, ids: readonly string[], into: string): void;
}

export function createListStore(): ListStore {
  const lists = new Map<string, { list: CrmList; joined: Map<string, string> }>();
  const joinedOf = ({ facts }: CrmList) => lists.get(facts.listId)?.joined ?? new Map<string, string>();
  return {
    all: () => [...lists.values()].map(({ list }) => list),
    get: (id) => lists.get(id)?.list,
    add(create) {
      const list = create(String(lists.size + 1));
      lists.set(list.facts.listId, { list, joined: new Map() });
      return list;
    },
    members(list, records) {
      if (list.fits) return fittingMembers(list.fits, records);
      return [...joinedOf(list)]
        .filter(([id]) => records.get(id)?.id === id)
        .map(([recordId, membershipTimestamp]) => ({ recordId, membershipTimestamp }))
        .sort((a, b) => Number(a.recordId) - Number(b.recordId));
    },
    join(list, ids, now) {
      const joined = joinedOf(list);
      const added = [...new Set(ids)].filter((id) => !joined.has(id));
      for (const id of added) joined.set(id, now);
      return added;
    },
    leave: (list, ids) => [...new Set(ids)].filter((id) => joinedOf(list).delete(id)),
    merge(type, ids, into) {
      for (const { list, joined } of lists.values()) {
        const since =
          list.type === type ? ids.map((id) => joined.get(id)).find((time) => time !== undefined) : undefined;
        if (since === undefined) continue;
        for (const id of ids) joined.delete(id);
        joined.set(into, since);
      }
    },
  };
}

// When a record began to fit is not kept: it is taken to be its last change.
function fittingMembers(fits: Predicate, records: ObjectStore): Membership[] {
  return records
    .page(undefined, Number.POSITIVE_INFINITY, false)
    .records.filter(({ properties }) => fits(properties))
    .map(({ id, updatedAt }) => ({ recordId: id, membershipTimestamp: updatedAt }));
}
