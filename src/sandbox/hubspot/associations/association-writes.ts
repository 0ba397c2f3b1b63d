import type { LabelsBetweenObjectPair } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/LabelsBetweenObjectPair.js';
import type { PublicDefaultAssociation } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/PublicDefaultAssociation.js';
import type { HonoRequest } from 'hono';
import type { BatchError } from '../failures.ts';
import { answerBatch } from '../objects/batch-answer.ts';
import type { Portal } from '../portal.ts';
import { shuffled } from '../random.ts';
import { checkBatchSize, readBody } from '../request-bodies.ts';
import type { Wire } from '../wire.ts';
import { linkDefaultSchema, linkSchema, unlinkSchema } from './association-bodies.ts';
import { associationId, type AssociationId } from './association-reads.ts';
import { isPrimaryType, type AssociationPair } from './association-types.ts';

type Labelled = Omit<Wire<LabelsBetweenObjectPair>, 'fromObjectId' | 'toObjectId'> & {
  fromObjectId: AssociationId;
  toObjectId: AssociationId;
};

interface Link {
  readonly from: { readonly id: string };
  readonly to: { readonly id: string };
}

/** Adds unlabelled links. Those that exist are answered like new ones and keep their labels. */
export async function associateDefault(portal: Portal, pair: AssociationPair, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, linkDefaultSchema);
  return writeLinks(portal, pair, inputs, 200, ({ from, to }): Wire<PublicDefaultAssociation> => {
    portal.associations.linkDefault(pair, from.id, to.id);
    return {
      from: { id: from.id },
      to: { id: to.id },
      associationSpec: { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: pair.unlabelled },
    };
  });
}

/** Sets the labels of links: a label that is not sent is lost. */
export async function createAssociations(
  portal: Portal,
  pair: AssociationPair,
  request: HonoRequest,
): Promise<Response> {
  const { inputs } = await readBody(request, linkSchema);
  for (const { types } of inputs) for (const type of types) isPrimaryType(pair, type.associationTypeId);
  return writeLinks(portal, pair, inputs, 201, ({ from, to, types }): Labelled => {
    const primary = types.some((type) => isPrimaryType(pair, type.associationTypeId));
    portal.associations.link(pair, from.id, to.id, primary);
    return {
      fromObjectTypeId: pair.from.typeId,
      fromObjectId: associationId(portal, from.id),
      toObjectTypeId: pair.to.typeId,
      toObjectId: associationId(portal, to.id),
      labels: primary ? ['Primary'] : [],
    };
  });
}

/** Removes links with all their labels; links that do not exist are passed over. */
export async function archiveAssociations(
  portal: Portal,
  pair: AssociationPair,
  request: HonoRequest,
): Promise<Response> {
  const { inputs } = await readBody(request, unlinkSchema);
  checkBatchSize(inputs, portal.assumed.associationCreateLimit);
  for (const { from, to } of inputs) for (const { id } of to) portal.associations.unlink(pair, from.id, id);
  return new Response(null, { status: 204 });
}

function writeLinks<Input extends Link>(
  portal: Portal,
  pair: AssociationPair,
  inputs: readonly Input[],
  status: number,
  write: (input: Input) => object,
): Response {
  const startedAt = portal.clock().toISOString();
  checkBatchSize(inputs, portal.assumed.associationCreateLimit);
  const results: { key: string; result: object }[] = [];
  const errors: BatchError[] = [];
  for (const input of inputs) {
    const missing = missingSide(portal, pair, input);
    if (missing) errors.push(missing);
    else results.push({ key: `${input.from.id}/${input.to.id}`, result: write(input) });
  }
  const mixed = shuffled(results, portal.seed, ({ key }) => key).map(({ result }) => result);
  return answerBatch(status, mixed, errors, startedAt, portal.clock().toISOString());
}

// HubSpot's wording for a missing side is not documented; category and place follow its other 207 answers.
function missingSide(portal: Portal, pair: AssociationPair, { from, to }: Link): BatchError | undefined {
  const context: Record<string, string[]> = {};
  if (!portal.store(pair.from).get(from.id)) context['fromObjectId'] = [from.id];
  if (!portal.store(pair.to).get(to.id)) context['toObjectId'] = [to.id];
  if (Object.keys(context).length === 0) return undefined;
  const message = `Could not associate ${pair.from.singular} ${from.id} with ${pair.to.singular} ${to.id}: not all of them exist.`;
  return { status: 'error', category: 'OBJECT_NOT_FOUND', message, context };
}
