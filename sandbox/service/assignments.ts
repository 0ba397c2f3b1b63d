import { operations } from '../../src/contract/index.ts';
import { findBlacklist, toBlacklist } from './blacklist-routes.ts';
import { findProfile, searchIdOf } from './profile-routes.ts';
import { refuseUnknown } from '../refusal.ts';
import { route, type Call, type Route } from './operation-route.ts';
import type { Organization } from '../store/organization.ts';
import type { StoredBlacklist } from '../store/stored-records.ts';

export const assignmentRoutes: readonly Route[] = [
  route(operations.listAssignedBlacklists, (call) => ({
    status: 200,
    body: {
      blacklists: assignedBlacklists(call.organization, assignedTo(call)).map((blacklist) =>
        toBlacklist(call.organization, blacklist),
      ),
    },
  })),

  // Every id is looked up before anything is replaced: all or nothing.
  route(operations.assignBlacklists, (call) => {
    const search = assignedTo(call);
    const ids = call.body.blacklist_ids.map((id) => findBlacklist(call.organization, id).id);
    call.organization.assignments.set(search, [...new Set(ids)]);
    return { status: 204 };
  }),
];

/** Those that are still there: deleting a blacklist removes its assignments. */
function assignedBlacklists(organization: Organization, searchId: string): StoredBlacklist[] {
  const ids = organization.assignments.get(searchId) ?? [];
  return ids.map((id) => organization.blacklists.get(id)).filter((blacklist) => blacklist !== undefined);
}

type SearchOperation = typeof operations.listAssignedBlacklists | typeof operations.assignBlacklists;

/** A prospect search exists as long as its profile does. */
function assignedTo({ organization, now, params }: Pick<Call<SearchOperation>, 'organization' | 'now' | 'params'>) {
  const creation = findProfile(organization, params.prospect_search_id, now);
  if (!creation) throw refuseUnknown('PROSPECT_SEARCH_NOT_FOUND', params.prospect_search_id);
  return searchIdOf(creation);
}
