// Links that are created or read in the same request as their records.
import type { SimplePublicObjectWithAssociations } from '@hubspot/api-client/lib/codegen/crm/companies/models/SimplePublicObjectWithAssociations.js';
import type { HonoRequest } from 'hono';
import { objectTypes, type ObjectType } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import type { JsonOf } from '../json-model.ts';
import { toLinkType, type InlineAssociation } from './association-bodies.ts';
import { labelsAmong, typeNames, type AssociationPair } from '../built-in/association-types.ts';

interface InlineLink {
  readonly pair: AssociationPair;
  readonly to: string;
  readonly labels: ReadonlySet<string>;
}

/** The link that an inline association asks for; undefined if its record does not exist. Answers 400 for association types of other objects. */
export function inlineLink(portal: Portal, from: ObjectType, { to, types }: InlineAssociation): InlineLink | undefined {
  for (const type of objectTypes) {
    const record = portal.store(type).get(to.id);
    if (!record) continue;
    const pair = portal.associationTypes.pair(from, type);
    return { pair, to: record.id, labels: labelsAmong(pair, types.map(toLinkType)) };
  }
  return undefined;
}

export function writeInlineLink(portal: Portal, from: string, { pair, to, labels }: InlineLink): void {
  if (labels.size > 0) portal.associations.link(pair, from, to, labels);
  else portal.associations.linkDefault(pair, from, to);
}

type InlineLinks = NonNullable<JsonOf<SimplePublicObjectWithAssociations>['associations']>;

/**
 * The links of a record as the query parameter `associations` shows them: a row for every type of a link. A record with
 * more links than one page holds says where the others are.
 */
export function viewInlineLinks(
  portal: Portal,
  pairs: readonly AssociationPair[],
  id: string,
  request: HonoRequest,
): { associations?: InlineLinks } {
  const associations: InlineLinks = {};
  for (const pair of pairs) {
    const target = portal.store(pair.to);
    const links = [...portal.associations.linked(pair, id)]
      .filter(([to]) => target.get(to) !== undefined)
      .sort(([a], [b]) => Number(a) - Number(b));
    const page = links.slice(0, portal.assumed.inlineAssociationLimit);
    const last = page.at(-1)?.[0];
    if (last === undefined) continue;
    const results = page.flatMap(([to, labels]) => typeNames(pair, labels).map((type) => ({ id: to, type })));
    const next = { after: last, link: linkTo(request, pair, id, last) };
    associations[pair.to.plural] = { results, ...(page.length < links.length && { paging: { next } }) };
  }
  return Object.keys(associations).length > 0 ? { associations } : {};
}

function linkTo(request: HonoRequest, pair: AssociationPair, id: string, after: string): string {
  const { origin, pathname } = new URL(request.url);
  const records = pathname.endsWith(`/${id}`) ? pathname.slice(0, -id.length - 1) : pathname;
  return `${origin}${records}/${id}/associations/${pair.to.plural}?after=${after}`;
}
