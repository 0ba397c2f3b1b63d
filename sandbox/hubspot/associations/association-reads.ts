import type { AssociatedId } from '@hubspot/api-client/lib/codegen/crm/associations/models/AssociatedId.js';
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
import {
  typeNames,
  toAssociationSpecs,
  type AssociationPair,
  type AssociationSpec,
} from '../built-in/association-types.ts';
import type { ObjectType } from '../object-types.ts';

/** Ids of one batch read, on all tiers since 2025-02-10. */
const readLimit = 1000;

/** Numbers if the assumption `associationIdsAsNumbers` is set; the SDK's model has strings. */
export type AssociationId = string | number;
type Linked = Omit<JsonOf<MultiAssociatedObjectWithLabel>, 'toObjectId' | 'associationTypes'> & {
  toObjectId: AssociationId;
  associationTypes: AssociationSpec[];
};
type Paging = NonNullable<JsonOf<CollectionResponseMultiAssociatedObjectWithLabelForwardPaging>['paging']>;

/** The types of a read. Without a pair nothing can be linked. */
export interface ReadTypes {
  readonly from: ObjectType | 'other';
  readonly names: Readonly<Record<'from' | 'to', string>>;
  readonly pair: AssociationPair | undefined;
}

/** How a version of the API shows one link. */
type LinkView<Shown> = (portal: Portal, pair: AssociationPair, to: string, labels: ReadonlySet<string>) => Shown[];

/** A batch with the links of each input, in the form of `view`. */
export async function readAssociations<Shown extends object>(
  portal: Portal,
  types: ReadTypes,
  request: HonoRequest,
  view: LinkView<Shown>,
): Promise<Response> {
  const startedAt = portal.clock().toISOString();
  const { inputs } = await readBody(request, readSchema);
  checkBatchSize(inputs, readLimit);
  const results: { from: { id: string }; to: Shown[]; paging?: Paging }[] = [];
  const errors: BatchError[] = [];
  for (const { id, after } of inputs) {
    const page = pageOf(portal, types, { id, after, limit: portal.assumed.associationPageLimit }, view);
    const { results: to, ...paging } = page;
    if (to.length > 0) results.push({ from: { id }, to, ...paging });
    else errors.push(nothingLinked(types, id));
  }
  const mixed = shuffled(results, portal.seed, ({ from }) => from.id);
  return answerBatch(200, mixed, errors, startedAt, portal.clock().toISOString());
}

/** The links of one record, in the form of `view`. */
export function listAssociations<Shown extends object>(
  portal: Portal,
  types: ReadTypes,
  request: HonoRequest,
  view: LinkView<Shown>,
): Response {
  const id = request.param('id') ?? '';
  const max = portal.assumed.associationPageLimit;
  if (types.from === 'other' || !portal.store(types.from).get(id)) throw recordNotFound(id);
  const after = request.query('after') || undefined;
  return Response.json(pageOf(portal, types, { id, after, limit: queryLimit(request, max, max) }, view));
}

export const viewLink: LinkView<Linked> = (portal, pair, to, labels) => [
  { toObjectId: associationId(portal, to), associationTypes: toAssociationSpecs(pair, labels) },
];

/** v3 shows a row for each type of a link. */
export const viewLegacyLink: LinkView<JsonOf<AssociatedId>> = (_, pair, to, labels) =>
  typeNames(pair, labels).map((type) => ({ id: to, type }));

export function associationId(portal: Portal, id: string): AssociationId {
  return portal.assumed.associationIdsAsNumbers ? Number(id) : id;
}

/** A page of links to records that are not archived, by record id; begins after the id `after`. */
function pageOf<Shown>(
  portal: Portal,
  { pair }: ReadTypes,
  { id, after, limit }: { readonly id: string; readonly after: string | undefined; readonly limit: number },
  view: LinkView<Shown>,
): { results: Shown[]; paging?: Paging } {
  const source = pair && portal.store(pair.from).get(id);
  if (!source) return { results: [] };
  const target = portal.store(pair.to);
  const following = [...portal.associations.linked(pair, source.id)]
    .filter(([to]) => target.get(to) !== undefined && (after === undefined || Number(to) > Number(after)))
    .sort(([a], [b]) => Number(a) - Number(b));
  const page = following.slice(0, limit);
  const last = page.at(-1);
  return {
    results: page.flatMap(([to, labels]) => view(portal, pair, to, labels)),
    ...(last && following.length > limit && { paging: { next: { after: last[0] } } }),
  };
}

function nothingLinked({ names }: ReadTypes, id: string): BatchError {
  return {
    status: 'error',
    category: 'OBJECT_NOT_FOUND',
    subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
    message: `No ${names.to} is associated with ${names.from} ${id}.`,
    context: { fromObjectId: [id], fromObjectType: [names.from], toObjectType: [names.to] },
  };
}
