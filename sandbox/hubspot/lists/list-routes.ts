import { Hono, type Context } from 'hono';
import type { SandboxEnvironment } from '../request-environment.ts';
import { notFound } from '../api-error.ts';
import { readBody } from '../request-bodies.ts';
import { requireScope } from '../scopes.ts';
import { changeSchema, createSchema, idsSchema, searchSchema } from './list-bodies.ts';
import type { CrmList } from '../portal/list-store.ts';
import { createList, searchLists, viewList } from './lists.ts';
import { byJoining, byRecord, changeMembers, pageOfMembers } from './memberships.ts';

/** Lists and who is on them, relative to `/crm/v3/lists`. */
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
