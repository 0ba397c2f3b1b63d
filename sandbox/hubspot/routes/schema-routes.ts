import type { CollectionResponseObjectSchemaNoPaging } from '@hubspot/api-client/lib/codegen/crm/schemas/models/CollectionResponseObjectSchemaNoPaging.js';
import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-environment.ts';
import { objectTypeOf, objectTypes } from '../object-types.ts';
import { objectSchemaScope, requireScope } from '../scopes.ts';
import type { Wire } from '../json-model.ts';
import { viewSchema } from './schema-view.ts';

/** What kinds of record are, relative to `/crm-object-schemas/v3`. */
export function schemaRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.get('/schemas', (c) => {
    const { portal, scopes } = c.var;
    requireScope(scopes, [...new Set(objectTypes.map(objectSchemaScope))]);
    const shown = c.req.query('archived') === 'true' ? [] : objectTypes;
    const results = shown.filter((type) => scopes.has(objectSchemaScope(type))).map((type) => viewSchema(portal, type));
    return c.json({ results } satisfies Wire<CollectionResponseObjectSchemaNoPaging>);
  });
  routes.get('/schemas/:type', (c) => {
    const type = objectTypeOf(c.req.param('type'));
    requireScope(c.var.scopes, [objectSchemaScope(type)]);
    return c.json(viewSchema(c.var.portal, type));
  });
  return routes;
}
