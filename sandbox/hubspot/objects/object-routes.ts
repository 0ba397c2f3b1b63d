import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { notImplemented, recordNotFound } from '../api-error.ts';
import { answerBatch } from '../batch-response.ts';
import { checkBatchSize, readBody } from '../request-bodies.ts';
import { batchReadSchema } from './write-bodies.ts';
import { batchLimit, missingRecords } from './batch-rows.ts';
import {
  mergeRecords,
  archiveBatch,
  createBatch,
  createRecord,
  updateBatch,
  updateRecord,
  upsertBatch,
} from './record-writes.ts';
import { isOtherType, linkedPairs, storeFor } from './record-stores.ts';
import { listRecords, readBatch, readRecord } from './record-reads.ts';

/** Records of every type, relative to `/crm/v3/objects`. */
export function objectRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  addReadsOfOtherTypes(routes);
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

/** A portal without records of a type answers its reads like any other; every write of such records is 501. */
function addReadsOfOtherTypes(routes: Hono<SandboxEnvironment>): void {
  routes.post('/:type/batch/read', async (c, next) => {
    if (!isOtherType(c)) return next();
    const now = c.var.portal.clock().toISOString();
    const { inputs } = await readBody(c.req, batchReadSchema);
    checkBatchSize(inputs, batchLimit);
    const ids = inputs.map(({ id }) => id);
    return answerBatch(200, [], [{ status: 'error', ...missingRecords(c.req.param('type'), ids) }], now, now);
  });
  routes.get('/:type', (c, next) => (isOtherType(c) ? Promise.resolve(c.json({ results: [] })) : next()));
  routes.get('/:type/:id', (c, next) => {
    if (isOtherType(c)) throw recordNotFound(c.req.param('id'));
    return next();
  });
}
