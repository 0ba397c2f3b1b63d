import type { HonoRequest } from 'hono';
import { recordNotFound, ApiError, validationError } from '../api-error.ts';
import type { Portal } from '../portal/portal.ts';
import { checkBatchSize, readBody, idSchema } from '../request-bodies.ts';
import { batchLimit, updateRows, upsertRows } from './batch-rows.ts';
import { commit, writeBatch } from './batch-write.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { findRecord } from './record-reads.ts';
import { viewWritten, viewRecord } from './record-view.ts';
import { createPlanner, type RowPlan } from './row-plan.ts';
import { batchChangeSchema, batchCreateSchema, batchIdsSchema, createSchema, updateSchema } from './write-bodies.ts';
import { z } from 'zod';

export async function createRecord(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { properties, associations } = await readBody(request, createSchema);
  return writeSingle(portal, store, createPlanner(portal, store, 'single').create(properties, associations), 201);
}

export async function updateRecord(
  portal: Portal,
  store: ObjectStore,
  request: HonoRequest,
  id: string,
): Promise<Response> {
  const { properties } = await readBody(request, updateSchema);
  const record = findRecord(portal, store, request, id);
  if (!record) throw recordNotFound(id);
  return writeSingle(portal, store, createPlanner(portal, store, 'single').change(record, properties), 200);
}

export async function createBatch(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, batchCreateSchema);
  checkBatchSize(inputs, batchLimit);
  const planner = createPlanner(portal, store, 'batch');
  const rows = inputs.map(({ properties, associations, objectWriteTraceId }) => ({
    plan: planner.create(properties, associations),
    traceId: objectWriteTraceId,
  }));
  return writeBatch(portal, store, rows, { status: 201, showsNew: false });
}

export async function updateBatch(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, batchChangeSchema);
  return writeBatch(portal, store, updateRows(portal, store, inputs), { status: 200, showsNew: false });
}

export async function upsertBatch(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, batchChangeSchema);
  return writeBatch(portal, store, upsertRows(portal, store, inputs), { status: 200, showsNew: true });
}

/** Ignores ids that do not exist. */
export async function archiveBatch(store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, batchIdsSchema);
  checkBatchSize(inputs, batchLimit);
  for (const { id } of inputs) store.archive(id);
  return new Response(null, { status: 204 });
}

function writeSingle(portal: Portal, store: ObjectStore, plan: RowPlan, status: number): Response {
  if ('failure' in plan) throw new ApiError(plan.failure.status, plan.failure.body);
  const record = commit(portal, store, plan.write);
  return Response.json(viewWritten(store, record, Object.keys(plan.write.values)), { status });
}

/** A record with this many merges cannot be merged again. */
const maxMerges = 250;

const mergeSchema = z.object({ primaryObjectId: idSchema, objectIdToMerge: idSchema });

/**
 * Merges two records. The values of the primary record win; the other record fills the gaps. Both ids
 * become invalid, unless the portal keeps the primary one.
 */
export async function mergeRecords(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { primaryObjectId, objectIdToMerge } = await readBody(request, mergeSchema);
  const [primary, other] = [store.get(primaryObjectId), store.get(objectIdToMerge)];
  if (!primary) throw recordNotFound(primaryObjectId);
  if (!other) throw recordNotFound(objectIdToMerge);
  if (primary.id === other.id) throw validationError('A record cannot be merged with itself.');
  if (Math.max(primary.merges ?? 0, other.merges ?? 0) >= maxMerges) throw tooManyMerges();
  const merged = store.merge(primary, other);
  portal.associations.merge(store.type, [primary.id, other.id], merged.id);
  portal.lists.merge(store.type, [primary.id, other.id], merged.id);
  return Response.json(viewRecord(store, merged, []));
}

// Only the status is documented.
function tooManyMerges(): ApiError {
  return new ApiError(414, {
    message: `A record that was part of ${maxMerges} merges cannot be merged again.`,
    category: 'VALIDATION_ERROR',
  });
}
