import type { LabelsBetweenObjectPair } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/LabelsBetweenObjectPair.js';
import type { PublicDefaultAssociation } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/PublicDefaultAssociation.js';
import type { HonoRequest } from 'hono';
import { recordNotFound, type BatchError } from '../api-error.ts';
import { answerBatch } from '../batch-response.ts';
import type { Portal } from '../portal/portal.ts';
import { shuffled } from '../seeded-values.ts';
import { checkBatchSize, readBody } from '../request-bodies.ts';
import type { JsonOf } from '../json-model.ts';
import { linkDefaultSchema, linkSchema, linkTypesSchema, unlinkSchema } from './association-bodies.ts';
import { associationId, type AssociationId } from './association-reads.ts';
import {
  labelsAmong,
  type AssociationPair,
  type AssociationType,
  isUnlabelled,
} from '../built-in/association-types.ts';

type Labelled = Omit<JsonOf<LabelsBetweenObjectPair>, 'fromObjectId' | 'toObjectId'> & {
  fromObjectId: AssociationId;
  toObjectId: AssociationId;
};

/** The records that a path names. */
export interface LinkedIds {
  readonly from: string;
  readonly to: string;
}

interface Link {
  readonly from: { readonly id: string };
  readonly to: { readonly id: string };
}

/** Adds unlabelled links. Existing links keep their labels, and the answer does not distinguish them. */
export async function associateDefault(portal: Portal, pair: AssociationPair, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, linkDefaultSchema);
  return writeLinks(portal, pair, inputs, 200, (link) => linkByDefault(portal, pair, link));
}

/** Adds one unlabelled link. Answers 404 unless both records exist. */
export function associateOne(portal: Portal, pair: AssociationPair, ids: LinkedIds): Response {
  const at = portal.clock().toISOString();
  return answerBatch(200, linkByDefault(portal, pair, existing(portal, pair, ids)), [], at, at);
}

/** HubSpot answers one result for each direction, each with its own type. */
function linkByDefault(portal: Portal, pair: AssociationPair, { from, to }: Link): JsonOf<PublicDefaultAssociation>[] {
  portal.associations.linkDefault(pair, from.id, to.id);
  const back = portal.associationTypes.pair(pair.to, pair.from);
  return [
    { from: { id: from.id }, to: { id: to.id }, associationSpec: unlabelledSpec(pair) },
    { from: { id: to.id }, to: { id: from.id }, associationSpec: unlabelledSpec(back) },
  ];
}

function unlabelledSpec({ unlabelled }: AssociationPair): JsonOf<PublicDefaultAssociation>['associationSpec'] {
  return { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: unlabelled };
}

/** Sets the labels of links: labels that are not sent are removed. */
export async function createAssociations(
  portal: Portal,
  pair: AssociationPair,
  request: HonoRequest,
): Promise<Response> {
  const { inputs } = await readBody(request, linkSchema);
  for (const { types } of inputs) labelsAmong(pair, types);
  return writeLinks(portal, pair, inputs, 201, ({ types, ...link }) => [setLabels(portal, pair, link, types)]);
}

/** Sets the labels of one link. Answers 404 unless both records exist. */
export async function labelOne(
  portal: Portal,
  pair: AssociationPair,
  request: HonoRequest,
  ids: LinkedIds,
): Promise<Response> {
  const types = await readBody(request, linkTypesSchema);
  const link = existing(portal, pair, ids);
  return Response.json(setLabels(portal, pair, link, types), { status: 201 });
}

function setLabels(
  portal: Portal,
  pair: AssociationPair,
  { from, to }: Link,
  types: readonly AssociationType[],
): Labelled {
  const labels = labelsAmong(pair, types);
  portal.associations.link(pair, from.id, to.id, labels);
  return {
    fromObjectTypeId: pair.from.typeId,
    fromObjectId: associationId(portal, from.id),
    toObjectTypeId: pair.to.typeId,
    toObjectId: associationId(portal, to.id),
    labels: pair.labels.filter(({ key }) => labels.has(key)).map(({ text }) => text),
  };
}

function existing(portal: Portal, pair: AssociationPair, ids: LinkedIds): Link {
  const from = portal.store(pair.from).get(ids.from);
  const to = portal.store(pair.to).get(ids.to);
  if (!from) throw recordNotFound(ids.from);
  if (!to) throw recordNotFound(ids.to);
  return { from, to };
}

/** `write` is called only for existing records; a merged record has its current id. */
function writeLinks<Input extends Link>(
  portal: Portal,
  pair: AssociationPair,
  inputs: readonly Input[],
  status: number,
  write: (input: Input) => readonly object[],
): Response {
  const startedAt = portal.clock().toISOString();
  checkBatchSize(inputs, portal.assumed.associationCreateLimit);
  const results: { key: string; result: object }[] = [];
  const errors: BatchError[] = [];
  for (const input of inputs) {
    const from = portal.store(pair.from).get(input.from.id);
    const to = portal.store(pair.to).get(input.to.id);
    if (!from || !to) errors.push(missingSide(pair, input, { from: !from, to: !to }));
    else {
      const written = write({ ...input, from, to });
      results.push(...written.map((result, direction) => ({ key: `${from.id}/${to.id}/${direction}`, result })));
    }
  }
  const mixed = shuffled(results, portal.seed, ({ key }) => key).map(({ result }) => result);
  return answerBatch(status, mixed, errors, startedAt, portal.clock().toISOString());
}

// HubSpot's wording for a missing side is not documented; category and place follow its other 207 answers.
function missingSide(
  pair: AssociationPair,
  { from, to }: Link,
  missing: Readonly<Record<'from' | 'to', boolean>>,
): BatchError {
  const context = {
    ...(missing.from && { fromObjectId: [from.id] }),
    ...(missing.to && { toObjectId: [to.id] }),
  };
  const message = `Could not associate ${pair.from.singular} ${from.id} with ${pair.to.singular} ${to.id}: not all of them exist.`;
  return { status: 'error', category: 'OBJECT_NOT_FOUND', message, context };
}

/** Removes links with all their labels; ignores links that do not exist. */
export async function archiveAssociations(
  portal: Portal,
  pair: AssociationPair,
  request: HonoRequest,
): Promise<Response> {
  const { inputs } = await readBody(request, unlinkSchema);
  checkBatchSize(inputs, portal.assumed.associationCreateLimit);
  for (const { from, to } of inputs) {
    for (const { id } of to)
      portal.associations.unlink(pair, known(portal, pair.from, from.id), known(portal, pair.to, id));
  }
  return new Response(null, { status: 204 });
}

/** Removes one link with all its labels, if there is one. */
export function unlinkOne(portal: Portal, pair: AssociationPair, { from, to }: LinkedIds): Response {
  portal.associations.unlink(pair, known(portal, pair.from, from), known(portal, pair.to, to));
  return new Response(null, { status: 204 });
}

/** Removes labels and keeps the links; removing the unlabelled type removes the link with all labels. */
export async function archiveLabels(portal: Portal, pair: AssociationPair, request: HonoRequest): Promise<Response> {
  const { inputs } = await readBody(request, linkSchema);
  checkBatchSize(inputs, portal.assumed.associationCreateLimit);
  const removals = inputs.map((input) => ({ ...input, labels: labelsAmong(pair, input.types) }));
  for (const { types, labels, ...link } of removals) {
    const [from, to] = [known(portal, pair.from, link.from.id), known(portal, pair.to, link.to.id)];
    const held = portal.associations.linked(pair, from).get(to);
    if (!held) continue;
    if (types.some((type) => isUnlabelled(pair, type))) portal.associations.unlink(pair, from, to);
    else portal.associations.link(pair, from, to, new Set([...held].filter((key) => !labels.has(key))));
  }
  return new Response(null, { status: 204 });
}

/** The current id of a record; differs from the requested one after a merge. */
function known(portal: Portal, type: AssociationPair['from'], id: string): string {
  return portal.store(type).get(id)?.id ?? id;
}
