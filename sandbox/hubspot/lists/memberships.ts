import type { ApiCollectionResponseJoinTimeAndRecordId } from '@hubspot/api-client/lib/codegen/crm/lists/models/ApiCollectionResponseJoinTimeAndRecordId.js';
import type { MembershipsUpdateResponse } from '@hubspot/api-client/lib/codegen/crm/lists/models/MembershipsUpdateResponse.js';
import type { HonoRequest } from 'hono';
import { validationError, notImplemented } from '../api-error.ts';
import type { Portal } from '../portal/portal.ts';
import { queryLimit } from '../request-bodies.ts';
import type { JsonOf } from '../json-model.ts';
import { membersOf, type CrmList, type Membership } from '../portal/list-store.ts';

/** The sort key of a membership, different for each. */
type PlaceOf = (membership: Membership) => string;

export const byRecord: PlaceOf = ({ recordId }) => recordId.padStart(16, '0');
export const byJoining: PlaceOf = (membership) => `${membership.membershipTimestamp}/${byRecord(membership)}`;

/** One page of a list's members, in ascending order. */
export function pageOfMembers(portal: Portal, list: CrmList, request: HonoRequest, placeOf: PlaceOf): Response {
  if (request.query('before') !== undefined) throw notImplemented('the query parameter before');
  const limit = queryLimit(request, 100, portal.assumed.listMembershipLimit);
  const cursor = request.query('after') || undefined;
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  if (cursor !== undefined && !/\d{16}$/.test(after)) throw validationError(`Invalid value for after: ${cursor}`);
  const byId = membersOf(list, portal.store(list.type));
  const members = placeOf === byRecord ? byId : byId.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const start = firstAfter(members, placeOf, after);
  const results = members.slice(start, start + limit);
  const last = results.at(-1);
  const body: JsonOf<ApiCollectionResponseJoinTimeAndRecordId> = { results, total: members.length };
  if (last && start + limit < members.length) {
    const next = Buffer.from(placeOf(last)).toString('base64url');
    const url = new URL(request.url);
    url.searchParams.set('after', next);
    body.paging = { next: { after: next, link: url.href } };
  }
  return Response.json(body);
}

/** Answers 400 for a dynamic list, whose members only its filters decide. */
export function changeMembers(
  portal: Portal,
  list: CrmList,
  change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Response {
  const { members, facts } = list;
  if (typeof members === 'function') {
    throw validationError(`Memberships of list ${facts.listId} cannot be changed: it is processed as DYNAMIC.`);
  }
  const { add = [], remove = [] } = change;
  const isMissing = (id: string) => portal.store(list.type).get(id)?.id !== id;
  const body: JsonOf<MembershipsUpdateResponse> = {
    recordIdsRemoved: members.leave(remove),
    recordsIdsAdded: members.join(
      add.filter((id) => !isMissing(id)),
      portal.clock().toISOString(),
    ),
    recordIdsMissing: [...new Set([...add, ...remove])].filter(isMissing),
  };
  return Response.json(body);
}

function firstAfter(members: readonly Membership[], placeOf: PlaceOf, after: string): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const member = members[middle];
    if (member && placeOf(member) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
