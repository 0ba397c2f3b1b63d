// How the inputs of each batch endpoint become planned rows.
import { ApiError, validationError } from '../api-error.ts';
import type { Portal } from '../portal/portal.ts';
import { checkBatchSize } from '../request-bodies.ts';
import type { BatchRow } from './batch-write.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { createPlanner, emailConflict, type Planner, type RowPlan } from './row-plan.ts';
import type { IdentifiedRow } from './write-bodies.ts';

/** Inputs of one batch of records. */
export const batchLimit = 100;

export function updateRows(portal: Portal, store: ObjectStore, inputs: readonly IdentifiedRow[]): BatchRow[] {
  checkBatchSize(inputs, batchLimit);
  for (const { idProperty } of inputs) checkUpdateProperty(portal, store, idProperty);
  refuseDuplicates(store, inputs);
  const planner = createPlanner(portal, store, 'batch');
  return inputs.map((input) => ({
    plan: planUpdate(portal, store, planner, input),
    traceId: input.objectWriteTraceId,
  }));
}

export function upsertRows(portal: Portal, store: ObjectStore, inputs: readonly IdentifiedRow[]): BatchRow[] {
  checkBatchSize(inputs, batchLimit);
  for (const { idProperty } of inputs) requireUnique(portal, store, idProperty ?? 'hs_object_id');
  refuseDuplicates(store, inputs);
  const planner = createPlanner(portal, store, 'batch');
  return inputs.map((input) => ({
    plan: planUpsert(portal, store, planner, input),
    traceId: input.objectWriteTraceId,
  }));
}

/** Records can be found only by a unique property. Used by batches and single writes. */
export function requireUnique(portal: Portal, store: ObjectStore, property: string): void {
  if (store.unique.isUnique(property)) return;
  throw validationError(
    `Unable to perform update/upsert by non-unique ${store.type.typeId} property ${property} in portal ID ${portal.id}`,
  );
}

function checkUpdateProperty(portal: Portal, store: ObjectStore, idProperty: string | undefined): void {
  if (idProperty === undefined) return;
  requireUnique(portal, store, idProperty);
  if (store.type.knownByEmail && idProperty === 'email' && portal.assumed.batchUpdateByEmail === 'refused') {
    throw validationError(`Unable to perform update/upsert by non-unique ${store.type.typeId} property`);
  }
}

function refuseDuplicates(store: ObjectStore, inputs: readonly IdentifiedRow[]): void {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id, idProperty } of inputs) {
    const key = idProperty === undefined ? id : store.unique.normal(idProperty, id);
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  if (twice.size === 0) return;
  const ids = [...twice];
  throw new ApiError(400, {
    message: `Duplicate IDs found in batch input: [${ids.join(', ')}]. IDs must be unique`,
    context: { ids },
    category: 'VALIDATION_ERROR',
  });
}

function planUpdate(portal: Portal, store: ObjectStore, planner: Planner, input: IdentifiedRow): RowPlan | undefined {
  const { id, idProperty, properties } = input;
  const record = store.find(id, idProperty);
  if (record) return planner.change(record, properties);
  const isForeign = idProperty === undefined && !/^\d+$/.test(id);
  if (isForeign && portal.assumed.batchUpdateOfUnknownKind === 'silent') return undefined;
  return { failure: { reach: 'row', status: 404, body: missingRecords(store.type.singular, [id]) } };
}

function planUpsert(portal: Portal, store: ObjectStore, planner: Planner, input: IdentifiedRow): RowPlan {
  const { id, idProperty = 'hs_object_id', properties } = input;
  const record = store.find(id, idProperty);
  if (!record) return planner.create({ [idProperty]: id, ...properties });
  const isByEmail = store.type.knownByEmail && idProperty === 'email';
  const isSecondary = isByEmail && record.properties['email'] !== store.unique.normal('email', id);
  if (!isSecondary) return planner.change(record, properties);
  if (portal.assumed.upsertBySecondaryEmail === 'conflict') return { failure: emailConflict(portal, store, record.id) };
  // The secondary address found the contact; writing it would make it the primary one.
  const { email, ...others } = properties;
  const repeatsId = store.unique.normal('email', String(email ?? id)) === store.unique.normal('email', id);
  return planner.change(record, repeatsId ? others : properties);
}

/** The error of batch read and batch update. */
export function missingRecords(type: string, ids: string[]) {
  const message = `Could not get some ${type.toUpperCase()} objects, they may be deleted or not exist. Check that ids are valid.`;
  return { message, context: { ids }, category: 'OBJECT_NOT_FOUND' };
}
