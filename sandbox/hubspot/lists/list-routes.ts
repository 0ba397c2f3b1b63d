import { Hono, type Context } from 'hono';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { notFound, validationError } from '../api-error.ts';
import { readBody, idSchema } from '../request-bodies.ts';
import { requireScope } from '../scopes.ts';
import { type CrmList, membersOf, type ListFacts } from '../portal/list-store.ts';
import { byJoining, byRecord, changeMembers, pageOfMembers } from './memberships.ts';
import type { ListSearchResponse } from '@hubspot/api-client/lib/codegen/crm/lists/models/ListSearchResponse.js';
import { z } from 'zod';
import { objectTypeOf } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import type { JsonOf } from '../json-model.ts';
import { toListPredicate, filterBranchSchema } from './list-filters.ts';

/** Lists and their members, relative to `/crm/v3/lists`. */
export function listRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.post('/', async (c) => {
    requireScope(c.var.scopes, ['crm.lists.write']);
    const list = createList(c.var.portal, await readBody(c.req, createSchema));
    return c.json({ list: viewList(c.var.portal, list, false) });
  });
  routes.post('/search', async (c) => {
    requireScope(c.var.scopes, ['crm.lists.read']);
    return c.json(searchLists(c.var.portal, await readBody(c.req, searchSchema)));
  });
  routes.get('/:listId', (c) =>
    c.json({ list: viewList(c.var.portal, listFor(c, 'read'), c.req.query('includeFilters') === 'true') }),
  );
  routes.get('/object-type-id/:objectTypeId/name/:listName', (c) => {
    requireScope(c.var.scopes, ['crm.lists.read']);
    const { objectTypeId, listName } = c.req.param();
    const list = c.var.portal.lists
      .all()
      .find(({ facts }) => facts.objectTypeId === objectTypeId && isSameName(facts.name, listName));
    if (!list) throw notFound(`List does not exist with name ${listName}.`, { listName: [listName] });
    return c.json({ list: viewList(c.var.portal, list, c.req.query('includeFilters') === 'true') });
  });
  addMemberships(routes);
  return routes;
}

function addMemberships(routes: Hono<SandboxEnvironment>): void {
  const memberships = '/:listId/memberships';
  routes.get(memberships, (c) => pageOfMembers(c.var.portal, listFor(c, 'read'), c.req, byRecord));
  routes.get(`${memberships}/join-order`, (c) => pageOfMembers(c.var.portal, listFor(c, 'read'), c.req, byJoining));
  routes.put(`${memberships}/add`, async (c) => {
    const list = listFor(c, 'write');
    return changeMembers(c.var.portal, list, { add: await readBody(c.req, idsSchema) });
  });
  routes.put(`${memberships}/remove`, async (c) => {
    const list = listFor(c, 'write');
    return changeMembers(c.var.portal, list, { remove: await readBody(c.req, idsSchema) });
  });
  routes.put(`${memberships}/add-and-remove`, async (c) => {
    const list = listFor(c, 'write');
    const { recordIdsToAdd, recordIdsToRemove } = await readBody(c.req, changeSchema);
    return changeMembers(c.var.portal, list, { add: recordIdsToAdd, remove: recordIdsToRemove });
  });
}

function listFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): CrmList {
  requireScope(c.var.scopes, [`crm.lists.${access}`]);
  const id = c.req.param('listId') ?? '';
  const list = c.var.portal.lists.get(id);
  if (!list) throw notFound(`List does not exist with ID ${id}.`, { listId: [id] });
  return list;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A MANUAL list has no filters. A DYNAMIC list needs filters. A SNAPSHOT list applies its filters once, when it is created. */
function createList(portal: Portal, body: ListCreate): CrmList {
  const { name, objectTypeId, processingType, filterBranch } = body;
  const type = objectTypeOf(objectTypeId);
  if (type.typeId !== objectTypeId) throw validationError(`objectTypeId must be an id such as 0-1: ${objectTypeId}`);
  if (portal.lists.all().some(({ facts }) => isSameName(facts.name, name)))
    throw validationError(`A list named ${name} already exists.`);
  if (processingType === 'MANUAL' && filterBranch) throw validationError('A MANUAL list has no filterBranch.');
  if (processingType === 'DYNAMIC' && !filterBranch) throw validationError('A DYNAMIC list needs a filterBranch.');
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

function viewList(portal: Portal, list: CrmList, includeFilters: boolean): ListFacts {
  const { filterBranch, ...facts } = list.facts;
  return {
    ...facts,
    size: sizeOf(portal, list),
    ...(includeFilters && filterBranch !== undefined && { filterBranch }),
  };
}

function searchLists(portal: Portal, search: z.infer<typeof searchSchema>): JsonOf<ListSearchResponse> {
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

export const createSchema = z.object({
  name: z.string().min(1),
  objectTypeId: z.string(),
  processingType: z.enum(['MANUAL', 'DYNAMIC', 'SNAPSHOT']),
  filterBranch: filterBranchSchema.optional(),
});
export type ListCreate = z.infer<typeof createSchema>;

const searchSchema = z.object({
  query: z.string().default(''),
  listIds: z.array(idSchema).optional(),
  processingTypes: z.array(z.string()).optional(),
  offset: z.number().int().min(0).default(0),
  count: z.number().int().min(1).max(500).default(20),
});

const idsSchema = z.array(idSchema);
const changeSchema = z.object({
  recordIdsToAdd: idsSchema.default([]),
  recordIdsToRemove: idsSchema.default([]),
});
