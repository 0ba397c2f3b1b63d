import type { ListSearchResponse } from '@hubspot/api-client/lib/codegen/crm/lists/models/ListSearchResponse.js';
import type { z } from 'zod';
import { invalid } from '../api-error.ts';
import { objectTypes } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import type { Wire } from '../json-model.ts';
import type { ListCreate, searchSchema } from './list-bodies.ts';
import { toListPredicate } from './list-filters.ts';
import { membersOf, type CrmList, type ListFacts } from '../portal/list-store.ts';

/** MANUAL lists have no filters, DYNAMIC ones need some, SNAPSHOT lists take whoever fits theirs once. */
export function createList(portal: Portal, body: ListCreate): CrmList {
  const { name, objectTypeId, processingType, filterBranch } = body;
  const type = objectTypes.find(({ typeId }) => typeId === objectTypeId);
  if (!type) throw invalid(`Lists of objectTypeId ${objectTypeId} are not supported.`);
  if (portal.lists.all().some(({ facts }) => facts.name === name))
    throw invalid(`A list named ${name} already exists.`);
  if (processingType === 'MANUAL' && filterBranch) throw invalid('A MANUAL list has no filterBranch.');
  if (processingType === 'DYNAMIC' && !filterBranch) throw invalid('A DYNAMIC list needs a filterBranch.');
  const fits = filterBranch && toListPredicate(portal.store(type).properties, filterBranch);
  const now = portal.clock().toISOString();
  const list = portal.lists.add(
    type,
    {
      name,
      objectTypeId,
      processingType,
      processingStatus: 'COMPLETE',
      listVersion: 1,
      createdAt: now,
      updatedAt: now,
      filtersUpdatedAt: now,
      ...(filterBranch && { filterBranch }),
    },
    processingType === 'DYNAMIC' ? fits : undefined,
  );
  if (fits && typeof list.members !== 'function') {
    const { records } = portal.store(type).page(undefined, Number.POSITIVE_INFINITY, false);
    const ids = records.filter(({ properties }) => fits(properties)).map(({ id }) => id);
    list.members.join(ids, now);
  }
  return list;
}

export function viewList(portal: Portal, list: CrmList, includeFilters: boolean): ListFacts {
  const { filterBranch, ...facts } = list.facts;
  return {
    ...facts,
    size: sizeOf(portal, list),
    ...(includeFilters && filterBranch !== undefined && { filterBranch }),
  };
}

export function searchLists(portal: Portal, search: z.infer<typeof searchSchema>): Wire<ListSearchResponse> {
  const { query, listIds, processingTypes, offset, count } = search;
  const found = portal.lists
    .all()
    .filter(
      ({ facts }) =>
        facts.name.toLowerCase().includes(query.toLowerCase()) &&
        (listIds?.includes(facts.listId) ?? true) &&
        (processingTypes?.includes(facts.processingType) ?? true),
    );
  const lists = found.slice(offset, offset + count).map((list) => {
    const { filterBranch: _, ...facts } = list.facts;
    return { ...facts, additionalProperties: { hs_list_size: String(sizeOf(portal, list)) } };
  });
  return { offset: offset + lists.length, hasMore: offset + lists.length < found.length, total: found.length, lists };
}

function sizeOf(portal: Portal, list: CrmList): number {
  return membersOf(list, portal.store(list.type)).length;
}
