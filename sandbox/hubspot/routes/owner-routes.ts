import type { CollectionResponsePublicOwnerForwardPaging } from '@hubspot/api-client/lib/codegen/crm/owners/models/CollectionResponsePublicOwnerForwardPaging.js';
import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-environment.ts';
import { invalid, notFound } from '../api-error.ts';
import { queryLimit } from '../request-bodies.ts';
import { requireScope } from '../scopes.ts';
import type { Wire } from '../json-model.ts';

/** Owners of records, relative to `/crm/v3/owners`. */
export function ownerRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.use((c, next) => {
    requireScope(c.var.scopes, ['crm.objects.owners.read']);
    return next();
  });
  routes.get('/', (c) => {
    const limit = queryLimit(c.req, 100, 500);
    const after = c.req.query('after') || '0';
    if (!/^\d+$/.test(after)) throw invalid(`Invalid value for after: ${after}`);
    const email = c.req.query('email')?.toLowerCase();
    const archived = c.req.query('archived') === 'true';
    const found = c.var.portal.owners.filter(
      (owner) => owner.archived === archived && (email === undefined || owner.email === email),
    );
    const following = found.filter(({ id }) => Number(id) > Number(after));
    const results = following.slice(0, limit);
    const last = results.at(-1)?.id;
    const body: Wire<CollectionResponsePublicOwnerForwardPaging> = { results };
    if (last !== undefined && results.length < following.length) body.paging = { next: { after: last } };
    return c.json(body);
  });
  routes.get('/:id', (c) => {
    const id = c.req.param('id');
    const archived = c.req.query('archived') === 'true';
    const key = c.req.query('idProperty') === 'userId' ? 'userId' : 'id';
    const owner = c.var.portal.owners.find((owner) => owner.archived === archived && String(owner[key]) === id);
    if (!owner) throw notFound(`No owner ${id} exists.`, { ownerId: [id] });
    return c.json(owner);
  });
  return routes;
}
