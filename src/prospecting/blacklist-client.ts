import { limits, operations, type Blacklist, type Entry, type EntryInput } from '../contract/index.ts';
import { ProspectingError } from './prospecting-error.ts';
import { assertRequest, expectNoBody, read, type Api, type CallOptions } from './service-transport.ts';

const route = '/api/v1/blacklists';
const entriesRoute = '/api/v1/blacklists/{blacklist_id}/entries';

/** Blacklists and their entries. These calls have no idempotency key: after a lost answer, read before repeating them. */
export function createBlacklistClient(api: Api) {
  return {
    async create(input: { name: string; description?: string }, options: CallOptions = {}): Promise<Blacklist> {
      assertRequest({ method: 'POST', path: route }, operations.createBlacklist.body, input);
      const call = api.POST(route, { body: input, ...options });
      return read(operations.createBlacklist.responses[201], call, { method: 'POST', path: route });
    },

    async list(options: CallOptions = {}): Promise<Blacklist[]> {
      const call = api.GET(route, { ...options });
      return (await read(operations.listBlacklists.responses[200], call, { method: 'GET', path: route })).blacklists;
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
