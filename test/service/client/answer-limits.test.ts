import { placeOrder } from '../../helpers/place-order.ts';
import type { EntryInput } from '../../../src/service/contract/index.ts';
import type { ProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import { createStubService, discovery, profile, rejection, someId } from './stub-service.ts';

const secret = 'Geheim & Söhne';
const long = (length: number) => `${secret}${'x'.repeat(length - secret.length)}`;
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

const entry = (changes: Partial<EntryInput>) => (client: ProspectingClient) =>
  client.blacklists.addEntries(someId, [{ company_name: 'First' }, { company_name: 'Second', ...changes }]);
const entries = (count: number) => (client: ProspectingClient) =>
  client.blacklists.addEntries(someId, times(count, { company_name: secret }));
const ids = (entryIds: string[]) => (client: ProspectingClient) => client.blacklists.removeEntries(someId, entryIds);
const blacklist = (input: { name: string; description?: string }) => (client: ProspectingClient) =>
  client.blacklists.create(input);
const order = (changes: Record<string, unknown>) => (client: ProspectingClient) =>
  placeOrder(client.orders, { ...discovery, ...changes }, 'key');
const enrichment = (changes: Record<string, unknown>) => (client: ProspectingClient) =>
  placeOrder(
    client.orders,
    { order_type: 'ENRICHMENT', profile_id: someId, companies: [{ company_name: secret }], ...changes },
    'key',
  );
const creation = (changes: Record<string, unknown>) => (client: ProspectingClient) =>
  client.profiles.create({ ...profile, ...changes }, 'key');

describe('createProspectingClient', () => {
  it.each([
    ['no entries', entries(0), 'entries: at least 1 item, found 0 items'],
    ['10,001 entries', entries(10_001), 'entries: at most 10,000 items, found 10,001 items'],
    ['no name', entry({ company_name: '' }), 'entries[1].company_name: at least 1 character, found an empty text'],
    [
      'a name of 501',
      entry({ company_name: long(501) }),
      'entries[1].company_name: at most 500 characters, found 501 characters',
    ],
    [
      'a website of 2,049',
      entry({ website_url: `www.${long(2_045)}` }),
      'entries[1].website_url: at most 2,048 characters, found 2,049 characters',
    ],
    [
      'a website without prefix',
      entry({ website_url: 'geheim.example' }),
      'entries[1].website_url: must start with http://, https:// or www., found 14 characters',
    ],
    ['a city of 256', entry({ city: long(256) }), 'entries[1].city: at most 255 characters, found 256 characters'],
    [
      'a country of 256',
      entry({ country: long(256) }),
      'entries[1].country: at most 255 characters, found 256 characters',
    ],
    [
      'an external id of 256',
      entry({ external_id: long(256) }),
      'entries[1].external_id: at most 255 characters, found 256 characters',
    ],
    [
      'a reason of 2,001',
      entry({ reason: long(2_001) }),
      'entries[1].reason: at most 2,000 characters, found 2,001 characters',
    ],
    ['an unknown field', entry({ secret } as never), 'entries[1].secret: no such field, found a value'],
    ['no ids', ids([]), 'entry_ids: at least 1 item, found 0 items'],
    ['1,001 ids', ids(times(1_001, someId)), 'entry_ids: at most 1,000 items, found 1,001 items'],
    ['an id that is none', ids([secret]), 'entry_ids[0]: must be a UUID, found 14 characters'],
    ['a blacklist without name', blacklist({ name: '' }), 'name: at least 1 character, found an empty text'],
    ['a blacklist name of 501', blacklist({ name: long(501) }), 'name: at most 500 characters, found 501 characters'],
    [
      'a description of 2,001',
      blacklist({ name: 'n', description: long(2_001) }),
      'description: at most 2,000 characters, found 2,001 characters',
    ],
    [
      'a discovery order without quantity',
      order({ briefing_quantity: undefined }),
      'briefing_quantity: is required for a discovery order, found nothing',
    ],
    ['a quantity of 0', order({ briefing_quantity: 0 }), / briefing_quantity: .*found 0$/],
    [
      'a discovery order with companies',
      order({ companies: [{ company_name: secret }] }),
      'companies: belongs to enrichment orders only, found 1 item',
    ],
    [
      '101 blacklists',
      order({ blacklist_ids: times(101, someId) }),
      'blacklist_ids: at most 100 items, found 101 items',
    ],
    ['no features', order({ features: [] }), 'features: at least 1 item, found 0 items'],
    [
      'a webhook that is no web address',
      order({ webhook_url: 'ftp://geheim.example' }),
      / webhook_url: .*found 20 characters$/,
    ],
    [
      'an enrichment order without companies',
      enrichment({ companies: undefined }),
      'companies: is required for an enrichment order, found nothing',
    ],
    ['no companies', enrichment({ companies: [] }), 'companies: at least 1 item, found 0 items'],
    [
      'an enrichment order with a quantity',
      enrichment({ briefing_quantity: 1 }),
      'briefing_quantity: is derived from companies in an enrichment order, found 1',
    ],
    [
      'an enrichment order with blacklists',
      enrichment({ blacklist_ids: [someId] }),
      'blacklist_ids: belongs to discovery orders only, found 1 item',
    ],
    [
      'a row whose name is too long',
      enrichment({ companies: [{ company_name: long(501) }] }),
      'companies[0].company_name: at most 500 characters, found 501 characters',
    ],
    ['a profile without countries', creation({ target_countries: [] }), 'target_countries: at least 1 item, found 0'],
    ['a company size of 0', creation({ company_size_min: 0 }), / company_size_min: .*found 0$/],
    [
      'company sizes in the wrong order',
      creation({ company_size_min: 9, company_size_max: 3 }),
      'company_size_min: must not be above company_size_max, found 9',
    ],
  ])('reports field, limit and size of %s, and sends nothing', async (_, call, message) => {
    const { client, calls } = createStubService(() => Response.json({}));
    const { facts, message: text, isOutcomeUnknown } = await rejection(call(client));
    expect(facts.kind).toBe('request');
    expect(text).toMatch(/^(POST|DELETE) \/api\/v1\/\S+ was not sent: /);
    expect(text).toMatch(message);
    expect(text).not.toMatch(/geheim/i);
    expect(isOutcomeUnknown).toBe(false);
    expect(calls).toEqual([]);
  });

  it.each([
    ['10,000 entries with everything at its limit', 'addEntries'],
    ['1,000 ids', 'removeEntries'],
    ['a blacklist with everything at its limit', 'create'],
  ])('sends %s', async (_, method) => {
    const { client, calls } = createStubService(() => new Response(null, { status: 500 }));
    const full = {
      company_name: long(500),
      website_url: `www.${long(2_044)}`,
      city: long(255),
      country: long(255),
      external_id: long(255),
      reason: long(2_000),
    };
    const sent = {
      addEntries: () => client.blacklists.addEntries(someId, [full, ...times(9_999, { company_name: 'x' })]),
      removeEntries: () => client.blacklists.removeEntries(someId, times(1_000, someId)),
      create: () => client.blacklists.create({ name: long(500), description: long(2_000) }),
    }[method as 'create'];
    expect((await rejection(sent())).facts.kind).toBe('http');
    expect(calls).toHaveLength(1);
  });

  it('reports ten violations, and counts the others', async () => {
    const { client } = createStubService(() => Response.json({}));
    const { message } = await rejection(client.blacklists.addEntries(someId, times(25, { company_name: '' })));
    expect(message).toContain('entries[9].company_name');
    expect(message).not.toContain('entries[10]');
    expect(message).toMatch(/; and 15 more$/);
  });
});
