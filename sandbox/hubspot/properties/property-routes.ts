import type { CollectionResponsePropertyGroupNoPaging } from '@hubspot/api-client/lib/codegen/crm/properties/models/CollectionResponsePropertyGroupNoPaging.js';
import type { CollectionResponsePropertyNoPaging } from '@hubspot/api-client/lib/codegen/crm/properties/models/CollectionResponsePropertyNoPaging.js';
import { Hono, type Context } from 'hono';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { objectTypeOf } from '../object-types.ts';
import { readBody } from '../request-bodies.ts';
import { requireScope, schemaScopes } from '../scopes.ts';
import type { JsonOf } from '../json-model.ts';
import { archiveProperties, createProperties, readProperties } from './property-batches.ts';
import {
  groupCreateSchema,
  groupUpdateSchema,
  propertyCreateSchema,
  propertyUpdateSchema,
  toChange,
  toDefinition,
} from './property-bodies.ts';
import { readOnlyDefinition, type PropertyRegistry } from '../portal/property-registry.ts';

/** Definitions of properties and of their groups, relative to `/crm/v3/properties`. */
export function propertyRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  addGroups(routes);
  routes.post('/:type/batch/create', (c) => createProperties(c.var.portal, registryFor(c, 'write'), c.req));
  routes.post('/:type/batch/read', (c) => readProperties(c.var.portal, registryFor(c, 'read'), c.req));
  routes.post('/:type/batch/archive', (c) => archiveProperties(c.var.portal, registryFor(c, 'write'), c.req));
  routes.get('/:type', (c) => {
    const results = registryFor(c, 'read').list(c.req.query('archived') === 'true');
    return c.json({ results } satisfies JsonOf<CollectionResponsePropertyNoPaging>);
  });
  routes.post('/:type', async (c) => {
    const registry = registryFor(c, 'write');
    const body = await readBody(c.req, propertyCreateSchema);
    return c.json(registry.create(toDefinition(c.var.portal, registry, body)), 201);
  });
  routes.get('/:type/:name', (c) =>
    c.json(registryFor(c, 'read').read(c.req.param('name'), c.req.query('archived') === 'true')),
  );
  routes.patch('/:type/:name', async (c) => {
    const registry = registryFor(c, 'write');
    const property = registry.read(c.req.param('name'), false);
    if (property.modificationMetadata?.readOnlyDefinition) throw readOnlyDefinition(property.name);
    const body = await readBody(c.req, propertyUpdateSchema);
    return c.json(registry.update(property.name, toChange(registry, property, body)));
  });
  routes.delete('/:type/:name', (c) => {
    registryFor(c, 'write').archive(c.req.param('name'));
    return c.body(null, 204);
  });
  return routes;
}

function addGroups(routes: Hono<SandboxEnvironment>): void {
  routes.get('/:type/groups', (c) => {
    const results = registryFor(c, 'read').groups.list();
    return c.json({ results } satisfies JsonOf<CollectionResponsePropertyGroupNoPaging>);
  });
  routes.post('/:type/groups', async (c) => {
    const { groups } = registryFor(c, 'write');
    return c.json(groups.create({ ...(await readBody(c.req, groupCreateSchema)), archived: false }), 201);
  });
  routes.get('/:type/groups/:group', (c) => c.json(registryFor(c, 'read').groups.read(c.req.param('group'))));
  routes.patch('/:type/groups/:group', async (c) => {
    const { groups } = registryFor(c, 'write');
    const { label, displayOrder } = await readBody(c.req, groupUpdateSchema);
    const change = { ...(label !== undefined && { label }), ...(displayOrder !== undefined && { displayOrder }) };
    return c.json(groups.update(c.req.param('group'), change));
  });
  routes.delete('/:type/groups/:group', (c) => {
    registryFor(c, 'write').groups.archive(c.req.param('group'));
    return c.body(null, 204);
  });
}

function registryFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): PropertyRegistry {
  const type = objectTypeOf(c.req.param('type') ?? '');
  requireScope(c.var.scopes, schemaScopes(type, access));
  return c.var.portal.store(type).properties;
}
