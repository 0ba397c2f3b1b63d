// The client against the sandbox, which checks every request and every answer against the contract.
import { placeOrder } from '../../helpers/place-order.ts';
import { createProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import type { ProspectingError } from '../../../src/service/client/prospecting-error.ts';
import { createClock } from '../../../sandbox/clock.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../../sandbox/service/service-sandbox.ts';
import { createStubService, discovery, rejection, someId } from './stub-service.ts';

function connect(options: ServiceSandboxOptions = {}, settings: { resultsItems?: string } = {}) {
  const clock = createClock({ frozenAt: Date.parse('2026-11-20T12:00:00Z') });
  const service = createServiceSandbox({ clock, ...options });
  const { organizationId, apiKey } = service.createOrganization({ name: 'test' });
  const client = (key: string) =>
    createProspectingClient({
      baseUrl: 'http://service.test',
      apiKey: () => key,
      fetch: service.fetch,
      ...settings,
    });
  const pass = (seconds: number) => void clock.advanceTo(clock.now() + seconds * 1_000);
  return { service, organizationId, client: client(apiKey), connectWith: client, pass };
}

const profile = { profile_name: 'Makers', ideal_customer_profile: 'They make', target_countries: ['Germany'] };

async function createProfile({ client, pass }: Pick<ReturnType<typeof connect>, 'client' | 'pass'>): Promise<string> {
  const { profile_creation_id: id, status } = await client.profiles.create(profile, 'profile-1');
  expect(status).toBe('PENDING');
  pass(2);
  const creation = await client.profiles.creation(id);
  expect(creation.status).toBe('SUCCEEDED');
  return creation.profile_id ?? '';
}

describe('createProspectingClient against the sandbox', () => {
  it.each([undefined, 'briefings'])(
    'creates a profile, places an order and reads its results (array named %s)',
    async (resultsItems) => {
      const connection = connect(
        resultsItems ? { assume: { results_items: resultsItems } } : {},
        resultsItems ? { resultsItems } : {},
      );
      const { client, pass } = connection;
      const order = {
        order_type: 'DISCOVERY',
        profile_id: await createProfile(connection),
        briefing_quantity: 250,
      } as const;
      const placed = await placeOrder(client.orders, order, 'order-1');
      expect((await client.orders.get(placed.order_id)).status).toBe('RECEIVED');
      expect((await placeOrder(client.orders, order, 'order-1')).order_id).toBe(placed.order_id);
      pass(4);
      expect(await client.orders.get(placed.order_id)).toMatchObject({
        status: 'COMPLETED',
        results_published: true,
        available_briefing_quantity: 250,
      });
      const pages = await Promise.all([0, 100, 200].map((offset) => client.results.page(placed.order_id, offset)));
      expect(pages.map(({ slots, total, hasMore }) => [slots.length, total, hasMore])).toEqual([
        [100, 250, true],
        [100, 250, true],
        [50, 250, false],
      ]);
    },
  );

  it('reports a missing scope, a changed body for a key, and missing resources', async () => {
    const connection = connect();
    const { service, organizationId, client, connectWith } = connection;
    const { apiKey } = service.createKey({ organizationId, scopes: ['blacklists:read'] });
    const codes = async (...calls: Promise<unknown>[]) =>
      (await Promise.all(calls.map((call) => rejection(call)))).map(({ facts }: ProspectingError) => [
        facts.status,
        facts.code,
      ]);
    const profileId = await createProfile(connection);
    const order = { order_type: 'DISCOVERY', profile_id: profileId, briefing_quantity: 5 } as const;
    const { order_id: orderId } = await placeOrder(client.orders, order, 'order-1');
    expect(
      await codes(
        connectWith('wrong').orders.get(orderId),
        placeOrder(connectWith(apiKey).orders, order, 'order-2'),
        placeOrder(client.orders, { ...order, briefing_quantity: 6 }, 'order-1'),
        client.orders.get(someId),
        client.results.page(orderId, 0),
        client.profiles.creation(someId),
      ),
    ).toEqual([
      [401, 'UNAUTHORIZED'],
      [403, 'AUTHORIZATION_ERROR'],
      [409, 'IDEMPOTENCY_KEY_CONFLICT'],
      [404, 'ORDER_NOT_FOUND'],
      [409, 'ORDER_RESULTS_NOT_READY'],
      [404, 'PROFILE_CREATION_NOT_FOUND'],
    ]);
    const { message } = await rejection(placeOrder(connectWith(apiKey).orders, order, 'order-2'));
    expect(message).toMatch(/the API key needs orders:write and holds blacklists:read: /);
  });

  it('finds an order whose answer was lost', async () => {
    const connection = connect();
    const { service, organizationId, client } = connection;
    const order = {
      order_type: 'DISCOVERY',
      profile_id: await createProfile(connection),
      briefing_quantity: 5,
    } as const;
    service.faults.add({ method: 'POST', path: '/api/v1/orders', commit: true, reset: true, times: 1 });
    const placed = await placeOrder(client.orders, order, 'order-1');
    expect((await placeOrder(client.orders, order, 'order-1')).order_id).toBe(placed.order_id);
    const posts = service.journal
      .entries({ owner: organizationId })
      .filter(({ path, method }) => method === 'POST' && path === '/api/v1/orders');
    expect(posts.map(({ status }) => status)).toEqual([0, 201, 201]);
  });
});

describe('orders.place', () => {
  it.each([200, 201, 202])('requires only the order id in the answer (%i)', async (status) => {
    const { client } = createStubService(() => Response.json({ order_id: someId }, { status }));
    expect(await placeOrder(client.orders, discovery, 'order-1')).toEqual({ order_id: someId });
  });

  const other = '99999999-2222-4333-8444-555555555555';

  it.each([
    ['a field of another name', { id: someId }, null, 'id'],
    ['an order', { order: { id: someId, profile_id: other } }, null, 'order.id'],
    ['data', { data: { order_id: someId } }, null, 'data.order_id'],
    ['a JSON:API record', { data: { type: 'orders', id: someId } }, null, 'data.id'],
    [
      'a link',
      { status: 'RECEIVED', links: { self: `https://a.example/api/v1/orders/${someId}` } },
      null,
      'links.self',
    ],
    ['the Location header', {}, `/api/v1/orders/${someId}`, 'Location'],
    ['a text', { order: someId }, null, 'order'],
  ])('finds the id in %s', async (_, answer, location, at) => {
    const headers = location === null ? {} : { location };
    const { client } = createStubService(() => Response.json(answer, { status: 201, headers }));
    const { candidates } = await client.orders.place(
      client.orders.toBody({ ...discovery, profile_id: other }),
      'order-1',
    );
    expect(candidates[0]).toMatchObject({ orderId: someId, at });
  });

  it('returns no candidates when the answer contains no id, and only the names of its fields', async () => {
    const { client } = createStubService(() => Response.json({ order_id: 'Geheim', note: 'Geheim' }, { status: 201 }));
    const { candidates, seen } = await client.orders.place(client.orders.toBody(discovery), 'order-1');
    expect(candidates).toEqual([]);
    expect(seen).toBe('the answer has order_id, note');
  });
});
