import { operations, type Blacklist } from '../../contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { refuseUnknown } from './refusal.ts';
import { route, type Route } from './route.ts';
import type { Organization, StoredBlacklist } from './store.ts';

export const blacklistRoutes: readonly Route[] = [
  route(operations.createBlacklist, ({ organization, now, body }) => {
    const created_at = toTimestamp(now);
    const blacklist: StoredBlacklist = {
      id: organization.nextId('blacklist'),
      name: body.name,
      description: body.description ?? null,
      created_at,
      updated_at: created_at,
      entries: [],
    };
    organization.blacklists.set(blacklist.id, blacklist);
    return { status: 201, body: toBlacklist(blacklist) };
  }),

  route(operations.listBlacklists, ({ organization }) => ({
    status: 200,
    body: { blacklists: Array.from(organization.blacklists.values(), toBlacklist) },
  })),

  route(operations.getBlacklist, ({ organization, params }) => ({
    status: 200,
    body: toBlacklist(findBlacklist(organization, params.blacklist_id)),
  })),

  route(operations.updateBlacklist, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    if (body.name !== undefined) blacklist.name = body.name;
    // Omitted and null differ: null clears.
    if (body.description !== undefined) blacklist.description = body.description;
    blacklist.updated_at = toTimestamp(now);
    return { status: 200, body: toBlacklist(blacklist) };
  }),

  route(operations.deleteBlacklist, ({ organization, params }) => {
    const { id } = findBlacklist(organization, params.blacklist_id);
    organization.blacklists.delete(id);
    for (const [search, assigned] of organization.assignments) {
      organization.assignments.set(
        search,
        assigned.filter((other) => other !== id),
      );
    }
    return { status: 204 };
  }),
];

export function findBlacklist(organization: Organization, id: string): StoredBlacklist {
  const blacklist = organization.blacklists.get(id.toLowerCase());
  if (!blacklist) throw refuseUnknown('BLACKLIST_NOT_FOUND', id);
  return blacklist;
}

export function toBlacklist({ id, name, description, entries, created_at, updated_at }: StoredBlacklist): Blacklist {
  return { id, name, description, entry_count: entries.length, created_at, updated_at };
}
