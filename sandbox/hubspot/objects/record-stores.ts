/** Which records a request is about, and whether its token may read or write them. */
import type { Context } from 'hono';
import type { AssociationPair } from '../built-in/association-types.ts';
import { findObjectType, objectTypeOf } from '../object-types.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { queryList } from '../request-bodies.ts';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { objectScopes, requireScope } from '../scopes.ts';

/** The records of the type that the path names, if the token may access them. */
export function storeFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): ObjectStore {
  const type = objectTypeOf(c.req.param('type') ?? '');
  requireScope(c.var.scopes, objectScopes(type, access));
  return c.var.portal.store(type);
}

/** Whether the path names a type without implementation: reads then find no record. */
export function isOtherType(c: Context<SandboxEnvironment>): boolean {
  return findObjectType(c.req.param('type') ?? '') === 'other';
}

/** The object pairs of the query parameter `associations`; the token needs the scopes of both. Nothing is linked to other types. */
export function linkedPairs(c: Context<SandboxEnvironment>): AssociationPair[] {
  const from = objectTypeOf(c.req.param('type') ?? '');
  return queryList(c.req, 'associations').flatMap((name) => {
    const to = findObjectType(name);
    if (to === 'other') return [];
    requireScope(c.var.scopes, objectScopes(to, 'read'));
    return c.var.portal.associationTypes.known(from, to) ?? [];
  });
}
