import type { HonoRequest } from 'hono';
import type { Portal } from '../portal/portal.ts';
import { checkBatchSize, readBody } from '../request-bodies.ts';
import { linkSchema, unlinkSchema } from './association-bodies.ts';
import { isUnlabelled, labelsAmong, type AssociationPair } from '../built-in/association-types.ts';

/** Removes links with all their labels; links that do not exist are passed over. */
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

/** Removes labels and leaves the links; the unlabelled type takes link and labels with it. */
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

/** The id under which a record's links are kept: another than the one asked for after a merge. */
function known(portal: Portal, type: AssociationPair['from'], id: string): string {
  return portal.store(type).get(id)?.id ?? id;
}
