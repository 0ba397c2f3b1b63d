import type { HonoRequest } from 'hono';
import { z } from 'zod';
import { ApiFailure, invalid } from '../api-error.ts';
import type { Portal } from '../portal/portal.ts';
import { idSchema, readBody } from '../request-bodies.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { noSuchRecord } from './record-reads.ts';
import { viewRecord } from './record-view.ts';

/** A record that has taken part in more merges cannot be merged again. */
const maxMerges = 250;

const mergeSchema = z.object({ primaryObjectId: idSchema, objectIdToMerge: idSchema });

/**
 * Makes one record of two: its values are those of the primary one, and the other's where that had none. Stored ids of
 * both go stale, unless the portal keeps the primary one's.
 */
export async function mergeRecords(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const { primaryObjectId, objectIdToMerge } = await readBody(request, mergeSchema);
  const [primary, other] = [store.get(primaryObjectId), store.get(objectIdToMerge)];
  if (!primary) throw noSuchRecord(primaryObjectId);
  if (!other) throw noSuchRecord(objectIdToMerge);
  if (primary.id === other.id) throw invalid('A record cannot be merged with itself.');
  if (Math.max(primary.merges ?? 0, other.merges ?? 0) >= maxMerges) throw tooManyMerges();
  const merged = store.merge(primary, other);
  portal.associations.merge(store.type, [primary.id, other.id], merged.id);
  portal.lists.merge(store.type, [primary.id, other.id], merged.id);
  return Response.json(viewRecord(store, merged, []));
}

// Only the status is documented.
function tooManyMerges(): ApiFailure {
  return new ApiFailure(414, {
    message: `A record that was part of ${maxMerges} merges cannot be merged again.`,
    category: 'VALIDATION_ERROR',
  });
}
