import { Hono, type Context } from 'hono';
import type { AssociationPair } from '../built-in/association-types.ts';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { notImplemented } from '../api-error.ts';
import { objectTypeOf } from '../object-types.ts';
import { queryList } from '../request-bodies.ts';
import { objectScopes, requireScope } from '../scopes.ts';
import {
  mergeRecords,
  archiveBatch,
  createBatch,
  createRecord,
  updateBatch,
  updateRecord,
  upsertBatch,
} from './record-writes.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { listRecords, readBatch, readRecord } from './record-reads.ts';

/** Records of every type, relative to `/crm/v3/objects`. */
export function objectRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.post('/:type/batch/read', (c) => readBatch(c.var.portal, storeFor(c, 'read'), c.req));
  routes.post('/:type/batch/create', (c) => createBatch(c.var.portal, storeFor(c, 'write'), c.req));
  routes.post('/:type/batch/update', (c) => updateBatch(c.var.portal, storeFor(c, 'write'), c.req));
  routes.post('/:type/batch/upsert', (c) => upsertBatch(c.var.portal, storeFor(c, 'write'), c.req));
  routes.post('/:type/batch/archive', (c) => archiveBatch(storeFor(c, 'write'), c.req));
  routes.post('/:type/merge', (c) => mergeRecords(c.var.portal, storeFor(c, 'write'), c.req));
  routes.post('/:type/gdpr-delete', () => {
    throw notImplemented('GDPR deletion');
  });
  routes.post('/:type', (c) => createRecord(c.var.portal, storeFor(c, 'write'), c.req));
  routes.get('/:type', (c) => listRecords(c.var.portal, storeFor(c, 'read'), c.req, linkedPairs(c)));
  routes.get('/:type/:id', (c) =>
    readRecord(c.var.portal, storeFor(c, 'read'), c.req, c.req.param('id'), linkedPairs(c)),
  );
  routes.patch('/:type/:id', (c) => updateRecord(c.var.portal, storeFor(c, 'write'), c.req, c.req.param('id')));
  // Archiving an unknown or archived record is answered like any other.
  routes.delete('/:type/:id', (c) => {
    storeFor(c, 'write').archive(c.req.param('id'));
    return c.body(null, 204);
  });
  return routes;
}

/** The records of the type that the path names, if the token may access them. */
export function storeFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): ObjectStore {
  const type = objectTypeOf(c.req.param('type') ?? '');
  requireScope(c.var.scopes, objectScopes(type, access));
  return c.var.portal.store(type);
}

/** The object pairs of the query parameter `associations`; the token needs the scopes of both. */
function linkedPairs(c: Context<SandboxEnvironment>): AssociationPair[] {
  return queryList(c.req, 'associations').map((name) => {
    const pair = c.var.portal.associationTypes.pair(objectTypeOf(c.req.param('type') ?? ''), objectTypeOf(name));
    requireScope(c.var.scopes, objectScopes(pair.to, 'read'));
    return pair;
  });
}
