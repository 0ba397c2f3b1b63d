import type { ApiCollectionResponseJoinTimeAndRecordId } from '@hubspot/api-client/lib/codegen/crm/lists/models/ApiCollectionResponseJoinTimeAndRecordId.js';
import type { MembershipsUpdateResponse } from '@hubspot/api-client/lib/codegen/crm/lists/models/MembershipsUpdateResponse.js';
import type { HonoRequest } from 'hono';
import { invalid, notBuilt } from '../failures.ts';
import type { Portal } from '../portal.ts';
import { queryLimit } from '../request-bodies.ts';
import type { Wire } from '../wire.ts';
import type { CrmList, Membership } from './list-store.ts';

/** Where a membership stands in an order; no two have the same place. */
type PlaceOf = (membership: Membership) => string;

export const byRecord: PlaceOf = ({ recordId }) => recordId.padStart(16, '0');
export const byJoining: PlaceOf = (membership) => `${membership.membershipTimestamp}/${byRecord(membership)}`;

/** One page of a list's members, in ascending order. */
export function pageOfMembers(portal: Portal, list: CrmList, request: HonoRequest, placeOf: PlaceOf): Response {
  if (request.query('before') !== undefined) throw notBuilt('the query parameter before');
  const limit = queryLimit(request, 100, portal.assumed.listMembershipLimit);
  const cursor = request.query('after') || undefined;
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  if (cursor !== undefined && !/\d{16}$/.test(after)) throw invalid(`Invalid value for after: ${cursor}`);
  const members = portal.lists.members(list, portal.store(list.type));
  if (placeOf !== byRecord) members.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const following = members.filter((member) => placeOf(member) > after);
  const results = following.slice(0, limit);
  const last = results.at(-1);
  const body: Wire<ApiCollectionResponseJoinTimeAndRecordId> = { results, total: members.length };
  if (last && following.length > limit) {
    const next = Buffer.from(placeOf(last)).toString('base64url');
    const url = new URL(request.url);
    url.searchParams.set('after', next);
    body.paging = { next: { after: next, link: url.href } };
  }
  return Response.json(body);
}

/** Members of a dynamic list come and go by its filters only. */
export function changeMembers(
  portal: Portal,
  list: CrmList,
  change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Response {
  if (list.fits)
    throw invalid(`Memberships of list ${list.facts.listId} cannot be changed: it is processed as DYNAMIC.`);
  const { add = [], remove = [] } = change;
  const isMissing = (id: string) => portal.store(list.type).get(id)?.id !== id;
  const body: Wire<MembershipsUpdateResponse> = {
    recordIdsRemoved: portal.lists.leave(list, remove),
    recordsIdsAdded: portal.lists.join(
      list,
      add.filter((id) => !isMissing(id)),
      portal.clock().toISOString(),
    ),
    recordIdsMissing: [...new Set([...add, ...remove])].filter(isMissing),
  };
  return Response.json(body);
}
