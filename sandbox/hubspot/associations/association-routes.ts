import type { CollectionResponseAssociationSpecWithLabelNoPaging } from '@hubspot/api-client/lib/codegen/crm/associations/v4/schema/models/CollectionResponseAssociationSpecWithLabelNoPaging.js';
import { Hono, type Context, type HonoRequest } from 'hono';
import type { JsonOf } from '../json-model.ts';
import type { Portal } from '../portal/portal.ts';
import { readBody } from '../request-bodies.ts';
import { labelSchema } from './association-bodies.ts';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { objectTypeOf } from '../object-types.ts';
import { objectScopes, requireScope } from '../scopes.ts';
import { listAssociations, readAssociations } from './association-reads.ts';
import { archiveAssociations, archiveLabels, associateDefault, createAssociations } from './association-writes.ts';
import { toAssociationSpecs, type AssociationPair } from '../built-in/association-types.ts';

/** Batches of links, relative to `/crm/v4/associations`. */
export function associationRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  const batch = '/:from/:to/batch';
  routes.post(`${batch}/associate/default`, (c) => associateDefault(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/create`, (c) => createAssociations(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/archive`, (c) => archiveAssociations(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/labels/archive`, (c) => archiveLabels(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/read`, (c) => readAssociations(c.var.portal, pairFor(c, 'read'), c.req));
  routes.post('/:from/:to/labels', (c) => createLabel(c.var.portal, pairFor(c, 'write'), c.req));
  routes.get('/:from/:to/labels', (c) => c.json({ results: toAssociationSpecs(pairFor(c, 'read')) }));
  return routes;
}

/** The links of one record, relative to `/crm/v4/objects`. */
export function recordAssociationRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.get('/:from/:id/associations/:to', (c) =>
    listAssociations(c.var.portal, pairFor(c, 'read'), c.req, c.req.param('id')),
  );
  return routes;
}

function pairFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): AssociationPair {
  const pair = c.var.portal.associationTypes.pair(
    objectTypeOf(c.req.param('from') ?? ''),
    objectTypeOf(c.req.param('to') ?? ''),
  );
  requireScope(c.var.scopes, objectScopes(pair.from, access));
  requireScope(c.var.scopes, objectScopes(pair.to, access));
  return pair;
}

/** Defines a custom label. */
async function createLabel(portal: Portal, pair: AssociationPair, request: HonoRequest): Promise<Response> {
  const defined = portal.associationTypes.define(pair, await readBody(request, labelSchema));
  const results = defined.map(({ category, typeId, text }) => ({ category, typeId, label: text }));
  return Response.json({ results } satisfies JsonOf<CollectionResponseAssociationSpecWithLabelNoPaging>);
}
