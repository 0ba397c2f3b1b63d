import { limits, operations, type Blacklist, type Entry, type EntryInput } from '../contract/index.ts';
import { ProspectingError } from './prospecting-error.ts';
import { assertRequest, expectNoBody, read } from './contract-calls.ts';
import type { Api, CallOptions } from './service-transport.ts';

const blacklistsRoute = '/api/v1/blacklists';
const blacklistRoute = '/api/v1/blacklists/{blacklist_id}';
const entriesRoute = '/api/v1/blacklists/{blacklist_id}/entries';
const assignmentRoute = '/api/v1/prospect-searches/{prospect_search_id}/blacklists';

/** Blacklists, their entries, and their assignments to prospect searches. These calls have no idempotency key: after a lost answer, read before repeating them. */
export function createBlacklistClient(api: Api) {
  return {
    async create(input: { name: string; description?: string }, options: CallOptions = {}): Promise<Blacklist> {
      assertRequest({ method: 'POST', path: blacklistsRoute }, operations.createBlacklist.body, input);
      const call = api.POST(blacklistsRoute, { body: input, ...options });
      return read(operations.createBlacklist.responses[201], call, { method: 'POST', path: blacklistsRoute });
    },

    async list(options: CallOptions = {}): Promise<Blacklist[]> {
      const call = api.GET(blacklistsRoute, { ...options });
      return (await read(operations.listBlacklists.responses[200], call, { method: 'GET', path: blacklistsRoute }))
        .blacklists;
    },

    /** Changes the given fields. A repeated call changes nothing more. */
    async update(
      blacklistId: string,
      changes: { name?: string; description?: string },
      options: CallOptions = {},
    ): Promise<Blacklist> {
      const site = { method: 'PATCH', path: blacklistRoute };
      assertRequest(site, operations.updateBlacklist.body, changes);
      const params = { path: { blacklist_id: blacklistId } };
      const call = api.PATCH(blacklistRoute, { params, body: changes, ...options });
      return read(operations.updateBlacklist.responses[200], call, site);
    },

    /** Deletes the blacklist with its entries and its assignments (rule 1). */
    async remove(blacklistId: string, options: CallOptions = {}): Promise<void> {
      const params = { path: { blacklist_id: blacklistId } };
      const call = api.DELETE(blacklistRoute, { params, ...options });
      return expectNoBody(call, { method: 'DELETE', path: blacklistRoute });
    },

    /** The blacklists that are assigned to a prospect search. */
    async assigned(prospectSearchId: string, options: CallOptions = {}): Promise<Blacklist[]> {
      const params = { path: { prospect_search_id: prospectSearchId } };
      const call = api.GET(assignmentRoute, { params, ...options });
      const site = { method: 'GET', path: assignmentRoute };
      return (await read(operations.listAssignedBlacklists.responses[200], call, site)).blacklists;
    },

    /** Replaces all assignments of a prospect search (rule 2). */
    async assign(prospectSearchId: string, blacklistIds: string[], options: CallOptions = {}): Promise<void> {
      const site = { method: 'PUT', path: assignmentRoute };
      const body = { blacklist_ids: blacklistIds };
      assertRequest(site, operations.assignBlacklists.body, body);
      const params = { path: { prospect_search_id: prospectSearchId } };
      return expectNoBody(api.PUT(assignmentRoute, { params, body, ...options }), site);
    },

    /** Adds up to 10,000 entries; returns them with their ids. */
    async addEntries(blacklistId: string, entries: EntryInput[], options: CallOptions = {}): Promise<Entry[]> {
      assertRequest({ method: 'POST', path: entriesRoute }, operations.addEntries.body, { entries });
      const call = api.POST(entriesRoute, {
        params: { path: { blacklist_id: blacklistId } },
        body: { entries },
        ...options,
      });
      return read(operations.addEntries.responses[201], call, { method: 'POST', path: entriesRoute });
    },

    /** Removes up to 1,000 entries. */
    async removeEntries(blacklistId: string, entryIds: string[], options: CallOptions = {}): Promise<void> {
      const body = { entry_ids: entryIds };
      assertRequest({ method: 'DELETE', path: entriesRoute }, operations.removeEntries.body, body);
      const call = api.DELETE(entriesRoute, { params: { path: { blacklist_id: blacklistId } }, body, ...options });
      return expectNoBody(call, { method: 'DELETE', path: entriesRoute });
    },

    /** Every entry, page by page (200 a page, rule 3: more pages exist when offset + limit < total). */
    async *entries(blacklistId: string, options: CallOptions = {}): AsyncGenerator<Entry[]> {
      const site = { method: 'GET', path: entriesRoute };
      for (let offset = 0; ;) {
        const params = { path: { blacklist_id: blacklistId }, query: { limit: limits.entriesPage.max, offset } };
        const call = api.GET(entriesRoute, { params, ...options });
        const { entries, total } = await read(operations.listEntries.responses[200], call, site);
        if (entries.length > 0) yield entries;
        // Advances by the received entries: after a short page, the limit would skip entries.
        offset += entries.length;
        if (offset >= total) return;
        if (entries.length === 0) {
          const detail = `entries: 0 items at ${offset} of ${total}`;
          throw new ProspectingError({ kind: 'contract', ...site, detail });
        }
      }
    },
  };
}
