import type { CollectionResponseAssociationSpecWithLabelNoPaging } from '@hubspot/api-client/lib/codegen/crm/associations/v4/schema/models/CollectionResponseAssociationSpecWithLabelNoPaging.js';
import { Hono, type Context, type HonoRequest } from 'hono';
import type { JsonOf } from '../json-model.ts';
import type { Portal } from '../portal/portal.ts';
import { readBody } from '../request-bodies.ts';
import { labelSchema } from './association-bodies.ts';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { findObjectType, objectTypeOf } from '../object-types.ts';
import { objectScopes, requireScope } from '../scopes.ts';
import { listAssociations, readAssociations, viewLegacyLink, viewLink, type ReadTypes } from './association-reads.ts';
import {
  archiveAssociations,
  archiveLabels,
  associateDefault,
  associateOne,
  createAssociations,
  labelOne,
  unlinkOne,
} from './association-writes.ts';
import { toAssociationSpecs, type AssociationPair } from '../built-in/association-types.ts';

/** Batches of links, relative to `/crm/v4/associations`. */
export function associationRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  const batch = '/:from/:to/batch';
  routes.post(`${batch}/associate/default`, (c) => associateDefault(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/create`, (c) => createAssociations(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/archive`, (c) => archiveAssociations(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/labels/archive`, (c) => archiveLabels(c.var.portal, pairFor(c, 'write'), c.req));
  routes.post(`${batch}/read`, (c) => readAssociations(c.var.portal, readTypes(c), c.req, viewLink));
  routes.post('/:from/:to/labels', (c) => createLabel(c.var.portal, pairFor(c, 'write'), c.req));
  routes.get('/:from/:to/labels', (c) => c.json({ results: toAssociationSpecs(pairFor(c, 'read')) }));
  return routes;
}

/** The links of one record, relative to `/crm/v4/objects`. */
export function recordAssociationRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.get('/:from/:id/associations/:to', (c) => listAssociations(c.var.portal, readTypes(c), c.req, viewLink));
  const link = '/:from/:id/associations/:to/:toId';
  routes.put('/:from/:id/associations/default/:to/:toId', (c) =>
    associateOne(c.var.portal, pairFor(c, 'write'), { from: c.req.param('id'), to: c.req.param('toId') }),
  );
  routes.put(link, (c) =>
    labelOne(c.var.portal, pairFor(c, 'write'), c.req, { from: c.req.param('id'), to: c.req.param('toId') }),
  );
  routes.delete(link, (c) =>
    unlinkOne(c.var.portal, pairFor(c, 'write'), { from: c.req.param('id'), to: c.req.param('toId') }),
  );
  return routes;
}

/** Reads of v3, relative to `/crm/v3/associations`. */
export function legacyAssociationRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.post('/:from/:to/batch/read', (c) => readAssociations(c.var.portal, readTypes(c), c.req, viewLegacyLink));
  routes.get('/:from/:to/types', (c) => {
    const { labels, unlabelled, unlabelledName } = pairFor(c, 'read');
    const types = [...labels, { typeId: unlabelled, name: unlabelledName }];
    return c.json({ results: types.map(({ typeId, name }) => ({ id: String(typeId), name })) });
  });
  return routes;
}

/** Links of one record as v3 shows them, relative to `/crm/v3/objects`. */
export function legacyRecordAssociationRoutes(): Hono<SandboxEnvironment> {
  const path = '/:from/:id/associations/:to';
  return new Hono<SandboxEnvironment>().get(path, (c) =>
    listAssociations(c.var.portal, readTypes(c), c.req, viewLegacyLink),
  );
}

/** Answers 501 for types without implementation. */
function pairFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): AssociationPair {
  const [from, to] = [objectTypeOf(c.req.param('from') ?? ''), objectTypeOf(c.req.param('to') ?? '')];
  for (const type of [from, to]) requireScope(c.var.scopes, objectScopes(type, access));
  return c.var.portal.associationTypes.pair(from, to);
}

function readTypes(c: Context<SandboxEnvironment>): ReadTypes {
  const names = { from: c.req.param('from') ?? '', to: c.req.param('to') ?? '' };
  const [from, to] = [findObjectType(names.from), findObjectType(names.to)];
  for (const type of [from, to]) if (type !== 'other') requireScope(c.var.scopes, objectScopes(type, 'read'));
  if (from === 'other' || to === 'other') return { from, names, pair: undefined };
  const pair = c.var.portal.associationTypes.known(from, to);
  return { from, names: { from: from.singular, to: to.singular }, pair };
}

/** Defines a custom label. */
async function createLabel(portal: Portal, pair: AssociationPair, request: HonoRequest): Promise<Response> {
  const defined = portal.associationTypes.define(pair, await readBody(request, labelSchema));
  const results = defined.map(({ category, typeId, text }) => ({ category, typeId, label: text }));
  return Response.json({ results } satisfies JsonOf<CollectionResponseAssociationSpecWithLabelNoPaging>);
}
