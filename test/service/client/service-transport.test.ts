import { collectGarbage } from '../../helpers/collect-garbage.ts';
import { placeOrder } from '../../helpers/place-order.ts';
import { until } from '../../helpers/until.ts';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProspectingClient, type ProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import {
  brokenBody,
  brokenConnection,
  createStubService,
  discovery,
  endlessBody,
  order,
  profile,
  rejection,
  someId,
} from './stub-service.ts';

type Call = (client: ProspectingClient, options?: { signal: AbortSignal }) => Promise<unknown>;

const getOrder: Call = (client, options) => client.orders.get(someId, options);
const createOrder: Call = (client, options) => placeOrder(client.orders, discovery, 'key-1', options);
const createProfile: Call = (client, options) => client.profiles.create(profile, 'key-1', options);
const addEntries: Call = (client, options) =>
  client.blacklists.addEntries(someId, [{ company_name: 'Geheim GmbH' }], options);
const removeEntries: Call = (client, options) => client.blacklists.removeEntries(someId, [someId], options);
const createBlacklist: Call = (client, options) => client.blacklists.create({ name: 'Geheim' }, options);

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

describe('createProspectingClient when the service returns an error', () => {
  it('reports the code and the request id of a 401', async () => {
    const { client } = createStubService(() =>
      json(401, { error: 'UNAUTHORIZED', message: 'the key sk_secret_key expired', request_id: 'req-7' }),
    );
    const { message, facts } = await rejection(getOrder(client));
    expect(message).toBe(`GET /api/v1/orders/${someId} failed with status 401 (UNAUTHORIZED): the key … expired`);
    expect(facts).toMatchObject({ kind: 'http', status: 401, code: 'UNAUTHORIZED', requestId: 'req-7' });
  });

  it('lists the required and granted scopes of a 403', async () => {
    const body = {
      code: 'AUTHORIZATION_ERROR',
      message: 'no',
      required_scopes: ['orders:read', 'orders:write'],
      user_scopes: ['blacklists:read'],
    };
    const { client } = createStubService(() => json(403, body));
    expect((await rejection(createOrder(client))).message).toBe(
      'POST /api/v1/orders failed with status 403 (AUTHORIZATION_ERROR): the API key needs orders:read, orders:write and holds blacklists:read',
    );
    body.user_scopes = [];
    expect((await rejection(createOrder(client))).message).toMatch(/and holds none$/);
  });

  it.each([
    [403, 'API_KEY_ROUTE_FORBIDDEN'],
    [404, 'ORDER_NOT_FOUND'],
    [409, 'ORDER_RESULTS_NOT_READY'],
    [409, 'A_CODE_OF_TOMORROW'],
  ])('reports for %i the code %s', async (status, code) => {
    const { client } = createStubService(() => json(status, { code, message: 'Geheim', identifier: 'Geheim' }));
    const { message, facts, isOutcomeUnknown } = await rejection(getOrder(client));
    expect(facts).toMatchObject({ kind: 'http', status, code });
    expect(message).toBe(`GET /api/v1/orders/${someId} failed with status ${status} (${code})`);
    expect(isOutcomeUnknown).toBe(false);
  });

  it('reports position and type of every violation of a 422, and no value', async () => {
    const detail = [
      { loc: ['body', 'entries', 3, 'company_name'], msg: 'Geheim GmbH is too long', type: 'too_big', input: 'Geheim' },
      { loc: ['body', 'Geheim & Söhne'], msg: 'Geheim', type: 'Geheim is odd' },
    ];
    const { client } = createStubService(() => json(422, { detail }));
    const { message } = await rejection(addEntries(client));
    expect(message).toBe(
      `POST /api/v1/blacklists/${someId}/entries failed with status 422: entries.3.company_name (… is too long)`,
    );
  });

  it('reports ten violations of a 422, and counts the others', async () => {
    const detail = Array.from({ length: 25 }, (_, index) => ({ loc: ['body', index], msg: '', type: 'odd' }));
    const { client } = createStubService(() => json(422, { detail }));
    expect((await rejection(addEntries(client))).message).toMatch(/; 9 \(odd\); and 15 more$/);
  });

  it.each([
    ['seconds', '120', 120],
    ['no second', '0', 0],
    ['a date to come', new Date(Date.now() + 90_000).toUTCString(), 90],
    ['a date gone by', new Date(Date.now() - 90_000).toUTCString(), 0],
    ['a word', 'soon', undefined],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['a sentence with a number', 'in about 5', undefined],
    ['nothing', '', undefined],
  ])('returns the delay of a 429 with %s in Retry-After', async (_, header, seconds) => {
    const { client } = createStubService(() => json(429, { code: 'RATE_LIMITED' }, { 'Retry-After': header }));
    const { facts } = await rejection(getOrder(client));
    expect(facts).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    const got = facts.retryAfterSeconds;
    // A tolerance of seconds, because the test may run slowly.
    expect(got === undefined ? undefined : Math.round(got / 10) * 10).toBe(seconds);
  });

  it.each([
    ['nothing', () => new Response(null, { status: 503 })],
    ['a page of a gateway', () => new Response('<html>Geheim 502</html>', { status: 502 })],
    ['JSON that breaks off', () => new Response('{"code": "GEHEIM', { status: 500 })],
    ['JSON of another shape', () => json(500, ['Geheim'])],
    ['fields of other types', () => json(500, { code: { Geheim: 1 }, detail: 'Geheim', request_id: 7 })],
    ['a sentence where a code belongs', () => json(500, { error: 'No company named Geheim GmbH' })],
  ])('reports a 5xx with %s as its body', async (_, answer) => {
    const { client, calls } = createStubService(answer);
    const { message, facts, isOutcomeUnknown } = await rejection(getOrder(client));
    expect(message).toMatch(/^GET \/api\/v1\/orders\/\S+ failed with status 50[023](?:: No company named …)?$/);
    expect(facts.code).toBeUndefined();
    expect(isOutcomeUnknown).toBe(true);
    expect(calls).toHaveLength(1);
  });
});

describe('createProspectingClient when an answer is unusable', () => {
  it.each([
    ['breaks off', '{"order_id": "Geheim'],
    ['is a page of a proxy', '<html>Geheim</html>'],
    ['is empty', null],
  ])('reports an answer as unreadable when it %s', async (_, text) => {
    const { client } = createStubService(() => new Response(text, { status: 200 }));
    const error = await rejection(getOrder(client));
    expect(error.message).toMatch(/^GET \/api\/v1\/orders\/\S+ returned unreadable JSON$/);
    expect(error.facts.kind).toBe('unreadable');
    expect(error.isOutcomeUnknown).toBe(true);
    // The parser's error quotes the text that it could not parse.
    expect(error.cause).toBeUndefined();
  });

  it('reports a truncated answer as unreadable also when its length is given', async () => {
    const text = '{"order_id": "Geheim';
    const headers = { 'content-length': String(text.length), 'content-type': 'application/json' };
    const { client } = createStubService(() => new Response(text, { headers }));
    expect((await rejection(getOrder(client))).facts.kind).toBe('unreadable');
  });

  it('names the field that breaks the contract, and not its value', async () => {
    const { client } = createStubService(() =>
      json(200, { order_id: someId, state: 'Geheim', briefing_quantity: 'Geheim' }),
    );
    const { message, facts } = await rejection(getOrder(client));
    expect(facts.kind).toBe('contract');
    expect(message).toContain(
      'breaks the contract: status: not found (the answer has order_id, state, briefing_quantity)',
    );
    expect(message).not.toContain('Geheim');
  });

  it('accepts fields and values of a later version', async () => {
    const { client } = createStubService(() =>
      json(200, { ...order, status: 'ON_HOLD', features: ['TELEPATHY'], mood: { calm: true } }),
    );
    expect(await getOrder(client)).toMatchObject({ order_id: someId, status: 'ON_HOLD', features: ['TELEPATHY'] });
  });
});

describe('createProspectingClient when the connection breaks', () => {
  it.each([
    [2, 'GET', getOrder],
    [2, 'POST orders, which has a key', createOrder],
    [2, 'POST search-profile-creations, which has a key', createProfile],
    [1, 'POST entries', addEntries],
    [1, 'POST blacklists', createBlacklist],
    [1, 'DELETE entries', removeEntries],
  ])('makes %i attempts at %s', async (times, _, call) => {
    const { client, calls } = createStubService(brokenConnection);
    const { facts, message, isOutcomeUnknown } = await rejection(call(client));
    expect(calls).toHaveLength(times);
    expect(facts).toMatchObject({
      kind: 'connection',
      detail: 'the connection was closed by the other side (ECONNRESET)',
    });
    expect(message).toMatch(/could not reach the service: the connection was closed by the other side \(ECONNRESET\)$/);
    expect(isOutcomeUnknown).toBe(true);
  });

  it('repeats a request once with the same key and the same bytes', async () => {
    const { client, calls } = createStubService((_, index) => (index === 0 ? brokenConnection() : json(201, order)));
    expect(await createOrder(client)).toMatchObject({ order_id: someId });
    const [first, second] = calls;
    expect(second?.body).toBe(first?.body);
    expect(JSON.parse(second?.body ?? '')).toEqual(discovery);
    expect(second?.headers.get('idempotency-key')).toBe('key-1');
    expect(second?.headers.get('authorization')).toBe('Bearer sk_secret_key');
  });

  it('handles a connection that breaks during the body in the same way', async () => {
    const { client, calls } = createStubService((_, index) =>
      index === 0 ? new Response(brokenBody('{"order_id":')) : json(200, order),
    );
    expect(await getOrder(client)).toMatchObject({ order_id: someId });
    const entries = createStubService(() => new Response(brokenBody('[{"id":'), { status: 201 }));
    expect((await rejection(addEntries(entries.client))).facts.kind).toBe('connection');
    expect([calls.length, entries.calls.length]).toEqual([2, 1]);
  });

  it('does not repeat a request that was answered', async () => {
    const { client, calls } = createStubService(() => new Response(null, { status: 503 }));
    await rejection(createOrder(client));
    expect(calls).toHaveLength(1);
  });
});

describe('createProspectingClient when a request times out', () => {
  const never = () => new Promise<Response>(() => undefined);

  it.each([
    ['no answer', never],
    ['a body that never ends', () => new Response(endlessBody('{"order_id":'))],
    ['an error whose body never ends', () => new Response(endlessBody('{'), { status: 500 })],
  ])('stops a request with %s, and does not repeat it', async (_, answer) => {
    const { client, calls } = createStubService(answer, { timeoutMs: 20 });
    const { facts, message, isOutcomeUnknown } = await rejection(getOrder(client));
    expect(facts.kind).toBe('timeout');
    expect(message).toMatch(/timed out: service.timeout is 20 ms$/);
    expect(isOutcomeUnknown).toBe(true);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.signal.aborted).toBe(true);
  });

  it('includes the repeated request in the timeout', async () => {
    const { client, calls } = createStubService((_, index) => (index === 0 ? brokenConnection() : never()), {
      timeoutMs: 20,
    });
    expect((await rejection(getOrder(client))).facts.kind).toBe('timeout');
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['without an answer', () => undefined],
    ['whose body never ends', (response: ServerResponse) => response.writeHead(200).write('{"order_id":')],
  ])('closes a real connection %s, even if memory was freed', async (_case, answer) => {
    const open = new Set<object>();
    const server = createServer((_, response) => {
      open.add(response);
      response.on('close', () => open.delete(response));
      answer(response);
      setTimeout(collectGarbage, 100);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = createProspectingClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: () => 'key',
      timeoutMs: 500,
    });
    expect((await rejection(getOrder(client))).facts.kind).toBe('timeout');
    await until(() => open.size === 0);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('createProspectingClient when the caller cancels', () => {
  it.each([
    ['waiting', () => new Promise<Response>(() => undefined)],
    ['reading', () => new Response(endlessBody('{'))],
    ['about to repeat', brokenConnection],
  ])('stops at once while it is %s', async (_, answer) => {
    const controller = new AbortController();
    const { client, calls } = createStubService((call) => {
      controller.abort();
      expect(call.signal.aborted).toBe(true);
      return answer();
    });
    const { facts, message, isOutcomeUnknown } = await rejection(getOrder(client, { signal: controller.signal }));
    expect(facts.kind).toBe('cancelled');
    expect(message).toMatch(/was cancelled$/);
    expect(isOutcomeUnknown).toBe(false);
    expect(calls).toHaveLength(1);
  });

  it('sends nothing when it was cancelled before', async () => {
    const { client, calls } = createStubService(() => json(200, order));
    expect((await rejection(getOrder(client, { signal: AbortSignal.abort() }))).facts.kind).toBe('cancelled');
    expect(calls).toEqual([]);
  });
});
