import { limits, operations, type Entry } from '../../contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { findBlacklist } from './blacklists.ts';
import { route, type Route } from './route.ts';

export const entryRoutes: readonly Route[] = [
  // No idempotency key exists here: the same request sent twice adds its entries twice.
  route(operations.addEntries, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    const created_at = toTimestamp(now);
    const created = body.entries.map((entry): Entry => ({
      id: organization.nextId(`entry/${blacklist.id}`),
      company_name: entry.company_name,
      website_url: entry.website_url ?? null,
      city: entry.city ?? null,
      country: entry.country ?? null,
      external_id: entry.external_id ?? null,
      reason: entry.reason ?? null,
      created_at,
    }));
    for (const entry of created) blacklist.entries.push(entry);
    blacklist.updated_at = created_at;
    return { status: 201, body: created };
  }),

  route(operations.listEntries, ({ organization, params, query }) => {
    const { entries } = findBlacklist(organization, params.blacklist_id);
    const { limit = limits.entriesPage.default, offset = 0 } = query;
    return {
      status: 200,
      body: { entries: entries.slice(offset, offset + limit), total: entries.length, limit, offset },
    };
  }),

  // Ids that are not there are skipped (A33).
  route(operations.removeEntries, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    const removed = new Set(body.entry_ids.map((id) => id.toLowerCase()));
    const left = blacklist.entries.filter(({ id }) => !removed.has(id));
    if (left.length < blacklist.entries.length) blacklist.updated_at = toTimestamp(now);
    blacklist.entries = left;
    return { status: 204 };
  }),
];
