import type { CollectionResponseMultiAssociatedObjectWithLabelForwardPaging } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/CollectionResponseMultiAssociatedObjectWithLabelForwardPaging.js';
import type { MultiAssociatedObjectWithLabel } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/MultiAssociatedObjectWithLabel.js';
import type { HonoRequest } from 'hono';
import { recordNotFound, type BatchError } from '../api-error.ts';
import { answerBatch } from '../batch-response.ts';
import type { Portal } from '../portal/portal.ts';
import { shuffled } from '../seeded-values.ts';
import { checkBatchSize, queryLimit, readBody } from '../request-bodies.ts';
import type { JsonOf } from '../json-model.ts';
import { readSchema } from './association-bodies.ts';
import { toAssociationSpecs, type AssociationPair, type AssociationSpec } from '../built-in/association-types.ts';

/** Ids of one batch read, on all tiers since 2025-02-10. */
const readLimit = 1000;

/** Numbers if the assumption `associationIdsAsNumbers` is set; the SDK's model has strings. */
export type AssociationId = string | number;
type Linked = Omit<JsonOf<MultiAssociatedObjectWithLabel>, 'toObjectId' | 'associationTypes'> & {
  toObjectId: AssociationId;
  associationTypes: AssociationSpec[];
};
type Page = Omit<JsonOf<CollectionResponseMultiAssociatedObjectWithLabelForwardPaging>, 'results'> & {
  results: Linked[];
};

export async function readAssociations(portal: Portal, pair: AssociationPair, request: HonoRequest): Promise<Response> {
  const startedAt = portal.clock().toISOString();
  const { inputs } = await readBody(request, readSchema);
  checkBatchSize(inputs, readLimit);
  const results: { from: { id: string }; to: Linked[]; paging?: Page['paging'] }[] = [];
  const errors: BatchError[] = [];
  for (const { id, after } of inputs) {
    const { results: to, ...paging } = pageOf(portal, pair, id, after, portal.assumed.associationPageLimit);
    if (to.length > 0) results.push({ from: { id }, to, ...paging });
    else errors.push(nothingLinked(pair, id));
  }
  const mixed = shuffled(results, portal.seed, ({ from }) => from.id);
  return answerBatch(200, mixed, errors, startedAt, portal.clock().toISOString());
}

export function listAssociations(portal: Portal, pair: AssociationPair, request: HonoRequest, id: string): Response {
  const max = portal.assumed.associationPageLimit;
  if (!portal.store(pair.from).get(id)) throw recordNotFound(id);
  return Response.json(pageOf(portal, pair, id, request.query('after') || undefined, queryLimit(request, max, max)));
}

export function associationId(portal: Portal, id: string): AssociationId {
  return portal.assumed.associationIdsAsNumbers ? Number(id) : id;
}

/** A page of links to records that are not archived, by record id; begins after the id `after`. */
function pageOf(portal: Portal, pair: AssociationPair, id: string, after: string | undefined, limit: number): Page {
  const source = portal.store(pair.from).get(id);
  const links = source ? [...portal.associations.linked(pair, source.id)] : [];
  const target = portal.store(pair.to);
  const following = links
    .filter(([to]) => target.get(to) !== undefined && (after === undefined || Number(to) > Number(after)))
    .sort(([a], [b]) => Number(a) - Number(b));
  const page = following.slice(0, limit);
  const last = page.at(-1);
  return {
    results: page.map(([to, labels]) => ({
      toObjectId: associationId(portal, to),
      associationTypes: toAssociationSpecs(pair, labels),
    })),
    ...(last && following.length > limit && { paging: { next: { after: last[0] } } }),
  };
}

function nothingLinked(pair: AssociationPair, id: string): BatchError {
  return {
    status: 'error',
    category: 'OBJECT_NOT_FOUND',
    subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
    message: `No ${pair.to.singular} is associated with ${pair.from.singular} ${id}.`,
    context: { fromObjectId: [id], fromObjectType: [pair.from.singular], toObjectType: [pair.to.singular] },
  };
}
