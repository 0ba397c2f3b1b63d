import { limits, operations, type Entry } from '../../src/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { findBlacklist } from './blacklist-routes.ts';
import { route, type Route } from './operation-route.ts';

export const entryRoutes: readonly Route[] = [
  // No idempotency key exists here: the same request sent twice adds its entries twice.
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

  // Ids that are not there are skipped (A33).
  route(operations.removeEntries, ({ organization, now, params, body }) => {
    const blacklist = findBlacklist(organization, params.blacklist_id);
    const ids = body.entry_ids.map((id) => id.toLowerCase());
    if (organization.entries.remove(blacklist.id, ids) > 0) {
      organization.blacklists.set(blacklist.id, { ...blacklist, updated_at: toTimestamp(now) });
    }
    return { status: 204 };
  }),
];
