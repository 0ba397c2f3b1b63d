import { operations, type Blacklist, limits, type Entry } from '../../src/service/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { refuseUnknown } from '../service-refusal.ts';
import { route, type Route, type Call } from './operation-route.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredBlacklist } from '../state/stored-records.ts';
import { findProfile } from './profile-routes.ts';
import { searchIdOf } from '../results/publications.ts';

export const blacklistRoutes: readonly Route[] = [
  route(operations.createBlacklist, ({ organization, now, body }) => {
    const created_at = toTimestamp(now);
    const blacklist: StoredBlacklist = {
      id: organization.nextId('blacklist'),
      name: body.name,
      description: body.description ?? null,
      created_at,
      updated_at: created_at,
    };
    organization.blacklists.set(blacklist.id, blacklist);
    return { status: 201, body: toBlacklist(organization, blacklist) };
  }),

  route(operations.listBlacklists, ({ organization }) => ({
    status: 200,
    body: { blacklists: organization.blacklists.values().map((blacklist) => toBlacklist(organization, blacklist)) },
  })),

  route(operations.getBlacklist, ({ organization, params }) => ({
    status: 200,
    body: toBlacklist(organization, findBlacklist(organization, params.blacklist_id)),
  })),

  route(operations.updateBlacklist, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    // Omitted and null differ: null clears.
    const { name = blacklist.name, description = blacklist.description } = body;
    // A35
    if (name === blacklist.name && description === blacklist.description)
      return { status: 200, body: toBlacklist(organization, blacklist) };
    const changed = { ...blacklist, name, description, updated_at: toTimestamp(now) };
    organization.blacklists.set(changed.id, changed);
    return { status: 200, body: toBlacklist(organization, changed) };
  }),

  route(operations.deleteBlacklist, ({ organization, params }) => {
    const { id } = findBlacklist(organization, params.blacklist_id);
    organization.blacklists.delete(id);
    organization.entries.removeAll(id);
    // Its assignments need no change: ids of deleted blacklists are ignored.
    return { status: 204 };
  }),
];

export function findBlacklist(organization: Organization, id: string): StoredBlacklist {
  const blacklist = organization.blacklists.get(id.toLowerCase());
  if (!blacklist) throw refuseUnknown('BLACKLIST_NOT_FOUND', id);
  return blacklist;
}

function toBlacklist({ entries }: Organization, blacklist: StoredBlacklist): Blacklist {
  const { id, name, description, created_at, updated_at } = blacklist;
  return { id, name, description, entry_count: entries.count(id), created_at, updated_at };
}

export const entryRoutes: readonly Route[] = [
  // The operation has no idempotency key, so a repeated request adds its entries again.
  route(operations.addEntries, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    const created_at = toTimestamp(now);
    const ids = organization.nextIds(`entry/${blacklist.id}`, body.entries.length);
    const created = body.entries.map((entry, place): Entry => ({
      id: ids[place] ?? '',
      company_name: entry.company_name,
      website_url: entry.website_url ?? null,
      city: entry.city ?? null,
      country: entry.country ?? null,
      external_id: entry.external_id ?? null,
      reason: entry.reason ?? null,
      created_at,
    }));
    organization.entries.add(blacklist.id, created);
    organization.blacklists.set(blacklist.id, { ...blacklist, updated_at: created_at });
    return { status: 201, body: created };
  }),

  route(operations.listEntries, ({ organization, params, query }) => {
    const { id } = findBlacklist(organization, params.blacklist_id);
    const { limit = limits.entriesPage.default, offset = 0 } = query;
    const { entries } = organization;
    const total = entries.count(id);
    return { status: 200, body: { entries: entries.page(id, { limit, offset }), total, limit, offset } };
  }),

  // Unknown ids are skipped (A33).
  route(operations.removeEntries, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    const ids = body.entry_ids.map((id) => id.toLowerCase());
    if (organization.entries.remove(blacklist.id, ids) > 0) {
      organization.blacklists.set(blacklist.id, { ...blacklist, updated_at: toTimestamp(now) });
    }
    return { status: 204 };
  }),
];

export const assignmentRoutes: readonly Route[] = [
  route(operations.listAssignedBlacklists, (call) => ({
    status: 200,
    body: {
      blacklists: assignedBlacklists(call.organization, assignedTo(call)).map((blacklist) =>
        toBlacklist(call.organization, blacklist),
      ),
    },
  })),

  // All ids are checked before anything is replaced.
  route(operations.assignBlacklists, (call) => {
    const search = assignedTo(call);
    const ids = call.body.blacklist_ids.map((id) => findBlacklist(call.organization, id).id);
    call.organization.assignments.set(search, [...new Set(ids)]);
    return { status: 204 };
  }),
];

/** The assigned blacklists without deleted ones. */
function assignedBlacklists(organization: Organization, searchId: string): StoredBlacklist[] {
  const ids = organization.assignments.get(searchId) ?? [];
  return ids.map((id) => organization.blacklists.get(id)).filter((blacklist) => blacklist !== undefined);
}

type SearchOperation = typeof operations.listAssignedBlacklists | typeof operations.assignBlacklists;

/** The id of the prospect search, which exists as soon as its profile exists. */
function assignedTo({ organization, now, params }: Pick<Call<SearchOperation>, 'organization' | 'now' | 'params'>) {
  const creation = findProfile(organization, params.prospect_search_id, now);
  if (!creation) throw refuseUnknown('PROSPECT_SEARCH_NOT_FOUND', params.prospect_search_id);
  return searchIdOf(creation);
}
