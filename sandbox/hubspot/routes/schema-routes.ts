import type { CollectionResponseObjectSchemaNoPaging } from '@hubspot/api-client/lib/codegen/crm/schemas/models/CollectionResponseObjectSchemaNoPaging.js';
import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { objectTypeOf, objectTypes, labelsOf, type ObjectType } from '../object-types.ts';
import { objectSchemaScope, requireScope } from '../scopes.ts';
import type { JsonOf } from '../json-model.ts';
import type { AssociationDefinition } from '@hubspot/api-client/lib/codegen/crm/schemas/models/AssociationDefinition.js';
import type { ObjectSchema } from '@hubspot/api-client/lib/codegen/crm/schemas/models/ObjectSchema.js';
import { builtInPair } from '../built-in/association-types.ts';
import type { Portal } from '../portal/portal.ts';

/** Schemas, relative to `/crm-object-schemas/v3` and `/crm/v3`. The list has only custom object types, of which there are none. */
export function schemaRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.get('/schemas', (c) => {
    requireScope(c.var.scopes, [...new Set(objectTypes.map(objectSchemaScope))]);
    return c.json({ results: [] } satisfies JsonOf<CollectionResponseObjectSchemaNoPaging>);
  });
  routes.get('/schemas/:type', (c) => {
    const type = objectTypeOf(c.req.param('type'));
    requireScope(c.var.scopes, [objectSchemaScope(type)]);
    return c.json(viewSchema(c.var.portal, type));
  });
  return routes;
}

/** The schema of an object type with all its properties. The same in every version. */
function viewSchema(portal: Portal, type: ObjectType): JsonOf<ObjectSchema> {
  const { properties } = portal.store(type);
  const required = [...type.requiredAll, ...(portal.settings.requiredProperties[type.plural] ?? [])];
  // HubSpot's object types are named in capitals; custom ones contain the portal id.
  const name = type.singular.toUpperCase();
  return {
    id: type.typeId,
    objectTypeId: type.typeId,
    name,
    fullyQualifiedName: name,
    labels: labelsOf(type),
    primaryDisplayProperty: type.primaryDisplayProperty,
    searchableProperties: [...type.queriedProperties],
    requiredProperties: [...new Set(required)].filter((property) => properties.get(property)),
    properties: properties.list(false),
    associations: ownAssociations(type),
    archived: false,
  };
}

/** The associations that every portal has. */
function ownAssociations(from: ObjectType): JsonOf<AssociationDefinition>[] {
  return objectTypes.flatMap((to) => {
    const pair = builtInPair(from, to);
    if (!pair) return [];
    const types = [...pair.labels, { typeId: pair.unlabelled, name: pair.unlabelledName }];
    return types.map(({ typeId, name }) => ({
      id: String(typeId),
      name,
      fromObjectTypeId: from.typeId,
      toObjectTypeId: to.typeId,
    }));
  });
}
