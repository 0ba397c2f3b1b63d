import { operations, type Blacklist } from '../../src/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { refuseUnknown } from '../refusal.ts';
import { route, type Route } from './operation-route.ts';
import type { Organization } from '../store/organization.ts';
import type { StoredBlacklist } from '../store/stored-records.ts';

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
    const changed = { ...blacklist, name, description, updated_at: toTimestamp(now) };
    organization.blacklists.set(changed.id, changed);
    return { status: 200, body: toBlacklist(organization, changed) };
  }),

  route(operations.deleteBlacklist, ({ organization, params }) => {
    const { id } = findBlacklist(organization, params.blacklist_id);
    organization.blacklists.delete(id);
    organization.entries.removeAll(id);
    // Its assignments go by themselves: an id that is not there any more assigns nothing.
    return { status: 204 };
  }),
];

export function findBlacklist(organization: Organization, id: string): StoredBlacklist {
  const blacklist = organization.blacklists.get(id.toLowerCase());
  if (!blacklist) throw refuseUnknown('BLACKLIST_NOT_FOUND', id);
  return blacklist;
}

export function toBlacklist({ entries }: Organization, blacklist: StoredBlacklist): Blacklist {
  const { id, name, description, created_at, updated_at } = blacklist;
  return { id, name, description, entry_count: entries.count(id), created_at, updated_at };
}
