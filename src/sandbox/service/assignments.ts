import { operations } from '../../contract/index.ts';
import { findBlacklist, toBlacklist } from './blacklists.ts';
import { findSearched, searchIdOf } from './profiles.ts';
import { refuseUnknown } from './refusal.ts';
import { route, type Call, type Route } from './route.ts';

export const assignmentRoutes: readonly Route[] = [
  route(operations.listAssignedBlacklists, (call) => ({
    status: 200,
    body: {
      blacklists: (call.organization.assignments.get(assignedTo(call)) ?? []).map((id) =>
        toBlacklist(findBlacklist(call.organization, id)),
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

type SearchOperation = typeof operations.listAssignedBlacklists | typeof operations.assignBlacklists;

/** A prospect search exists as long as its profile does. */
function assignedTo({ organization, now, params }: Pick<Call<SearchOperation>, 'organization' | 'now' | 'params'>) {
  const profile = findSearched(organization, params.prospect_search_id, now);
  if (!profile) throw refuseUnknown('PROSPECT_SEARCH_NOT_FOUND', params.prospect_search_id);
  return searchIdOf(profile);
}
