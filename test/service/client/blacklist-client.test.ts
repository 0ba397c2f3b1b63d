import { createProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import { createServiceSandbox } from '../../../sandbox/service/service-sandbox.ts';
import { collect, createStubService, rejection, someId, time } from './stub-service.ts';

function connect() {
  const service = createServiceSandbox();
  const { organizationId, apiKey } = service.createOrganization({ name: 'test' });
  const client = createProspectingClient({
    baseUrl: 'http://service.test',
    apiKey: () => apiKey,
    fetch: service.fetch,
  });
  const gets = () =>
    service.journal
      .entries({ owner: organizationId })
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => new URL(path, 'http://x').search);
  return { service, client, gets };
}

const entries = (count: number) => Array.from({ length: count }, (_, index) => ({ company_name: `Company ${index}` }));

function entry(index: number) {
  const empty = { website_url: null, city: null, country: null, external_id: null, reason: null };
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  return { id, company_name: `Company ${index}`, ...empty, created_at: time };
}

describe('blacklists.entries', () => {
  it.each([
    [0, []],
    [1, [1]],
    [200, [200]],
    [201, [200, 1]],
    [400, [200, 200]],
    [450, [200, 200, 50]],
  ])('reads %i entries in as few pages as possible', async (count, sizes) => {
    const { client, gets } = connect();
    const { id } = await client.blacklists.create({ name: 'List' });
    const added = count === 0 ? [] : await client.blacklists.addEntries(id, entries(count));
    const pages = await collect(client.blacklists.entries(id));
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(pages.flat()).toEqual(added);
    const requests = Math.max(1, sizes.length);
    expect(gets()).toEqual(Array.from({ length: requests }, (_, page) => `?limit=200&offset=${page * 200}`));
  });

  it('skips no entry when the service returns shorter pages than requested', async () => {
    const all = Array.from({ length: 120 }, (_, index) => entry(index));
    const { client, calls } = createStubService(({ query }) => {
      const offset = Number(query['offset']);
      return Response.json({ entries: all.slice(offset, offset + 50), total: 120, limit: 50, offset });
    });
    expect((await collect(client.blacklists.entries(someId))).flat()).toEqual(all);
    expect(calls.map(({ query }) => query['offset'])).toEqual(['0', '50', '100']);
  });

  it('rejects an empty page before the end', async () => {
    const { client } = createStubService(() => Response.json({ entries: [], total: 3, limit: 200, offset: 0 }));
    const { facts, message } = await rejection(collect(client.blacklists.entries(someId)));
    expect(facts.kind).toBe('contract');
    expect(message).toContain('entries: 0 items at 0 of 3');
  });
});

describe('createProspectingClient().blacklists', () => {
  it('creates, lists, fills and empties a blacklist', async () => {
    const { client } = connect();
    const created = await client.blacklists.create({ name: 'List', description: 'Ours' });
    expect(await client.blacklists.list()).toEqual([created]);
    const [first, second] = await client.blacklists.addEntries(created.id, entries(2));
    expect(first).toMatchObject({ company_name: 'Company 0', website_url: null });
    await client.blacklists.removeEntries(created.id, [first?.id ?? '']);
    expect((await collect(client.blacklists.entries(created.id))).flat()).toEqual([second]);
  });

  it('reports the blacklist that does not exist', async () => {
    const { client } = connect();
    const { message, facts } = await rejection(client.blacklists.addEntries(someId, entries(1)));
    expect(facts).toMatchObject({ status: 404, code: 'BLACKLIST_NOT_FOUND' });
    expect(message).not.toContain('Company 0');
  });
});
