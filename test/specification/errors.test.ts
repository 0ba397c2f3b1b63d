import { scopes } from '../../src/contract/index.ts';
import { createTestService, profileInput, unknownId } from '../sandbox/service/service-harness.ts';

const text = expect.any(String);

describe('Errors', () => {
  const unauthorized = { error: 'UNAUTHORIZED', message: text, request_id: text };

  it('401: answers an unknown and an expired key', async () => {
    const { ask, pass, service, organizationId } = createTestService();
    const unknown = await ask('GET', '/blacklists', undefined, { apiKey: 'sk_unknown' });
    expect([unknown.status, unknown.body]).toEqual([401, unauthorized]);
    const expiresAt = new Date('2026-11-20T12:01:00Z');
    const { apiKey } = service.createKey({ organizationId, scopes, expiresAt });
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(200);
    pass(61);
    const expired = await ask('GET', '/blacklists', undefined, { apiKey });
    expect([expired.status, expired.body]).toEqual([401, unauthorized]);
  });

  it('401: answers a request without an Authorization header', async () => {
    const { service } = createTestService();
    const response = await service.fetch(new Request('http://service.test/api/v1/blacklists'));
    expect([response.status, await response.json()]).toEqual([401, unauthorized]);
  });

  it('403 code (AUTHORIZATION_ERROR), message, required_scopes (array), user_scopes (array): answers a key that lacks a scope', async () => {
    const { ask, service, organizationId } = createTestService();
    const { apiKey } = service.createKey({ organizationId, scopes: ['orders:read', 'blacklists:read'] });
    const { status, body } = await ask('POST', '/blacklists', { name: 'A' }, { apiKey });
    expect(status).toBe(403);
    expect(body).toEqual({
      code: 'AUTHORIZATION_ERROR',
      message: text,
      required_scopes: ['blacklists:write'],
      user_scopes: expect.arrayContaining(['orders:read', 'blacklists:read']),
    });
    expect(body.user_scopes).toHaveLength(2);
  });

  it('403 code (AUTHORIZATION_ERROR), message, required_scopes (array), user_scopes (array): wants blacklist scopes for an order with blacklists', async () => {
    const { ask, service, organizationId, createProfile, createBlacklist } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const blacklist_ids = [await createBlacklist()];
    const { apiKey } = service.createKey({ organizationId, scopes: ['orders:read', 'orders:write'] });
    expect((await ask('POST', '/orders', order, { apiKey })).status).toBe(201);
    const { status, body } = await ask('POST', '/orders', { ...order, blacklist_ids }, { apiKey });
    expect([status, body.code]).toEqual([403, 'AUTHORIZATION_ERROR']);
    expect(body.required_scopes).toEqual(expect.arrayContaining(['orders:read', 'orders:write', 'blacklists:read']));
  });

  it('403 code API_KEY_ROUTE_FORBIDDEN: answers a valid key on a live pipeline route', async () => {
    const { ask } = createTestService();
    for (const path of ['/companies', '/prospects']) {
      const { status, body } = await ask('GET', path);
      expect([status, body.code]).toEqual([403, 'API_KEY_ROUTE_FORBIDDEN']);
    }
  });

  it('404: answers a blacklist id that is unknown or of another organisation, the same way', async () => {
    const { ask, service, createBlacklist } = createTestService();
    const { apiKey } = service.createOrganization({ name: 'other' });
    const theirs = await createBlacklist();
    for (const [identifier, asked] of [
      [unknownId, {}],
      [theirs, { apiKey }],
    ] as const) {
      const { status, body } = await ask('GET', `/blacklists/${identifier}`, undefined, asked);
      expect(status).toBe(404);
      expect(body).toEqual({
        code: 'BLACKLIST_NOT_FOUND',
        message: text,
        resource_type: text,
        identifier,
        blacklist_id: identifier,
      });
    }
  });

  it('409 (profile creation): answers an Idempotency-Key that was used with another body; a new key helps', async () => {
    const { ask } = createTestService();
    const create = (profile_name: string, idempotencyKey: string) =>
      ask('POST', '/search-profile-creations', profileInput({ profile_name }), { idempotencyKey });
    expect((await create('Makers', 'k')).status).toBe(202);
    expect((await create('Traders', 'k')).status).toBe(409);
    expect((await create('Traders', 'l')).status).toBe(202);
  });

  it('422: answers a request that breaks a rule, and nothing is done', async () => {
    const { ask } = createTestService();
    for (const body of [{}, { name: 7 }, [], '{"name":', ''])
      expect((await ask('POST', '/blacklists', body)).status).toBe(422);
    expect((await ask('GET', '/blacklists')).body.blacklists).toEqual([]);
  });

  it('n/a: ORDER_RESULTS_NOT_READY answers for the results of a COMPLETED order that published none', async () => {
    const { ask, createProfile, finishOrder } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const id = await finishOrder({ ...order, title: 'outcome:UNPUBLISHED' });
    expect((await ask('GET', `/orders/${id}`)).body).toMatchObject({ status: 'COMPLETED', results_published: false });
    const { status, body } = await ask('GET', `/orders/${id}/results`);
    expect(body.code).toBe('ORDER_RESULTS_NOT_READY');
    expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe('Errors, Validation errors (422)', () => {
  const send = async (method: string, rest: string, body: unknown) => {
    const { ask, createBlacklist } = createTestService();
    return (await ask(method, `/blacklists${rest.replace('{id}', await createBlacklist())}`, body)).status;
  };

  it('blacklist name empty: is refused, 1 character is not', async () => {
    expect(await send('POST', '', { name: '' })).toBe(422);
    expect(await send('POST', '', { name: 'A' })).toBe(201);
  });

  it('entries array empty: is refused, 1 entry is not', async () => {
    expect(await send('POST', '/{id}/entries', { entries: [] })).toBe(422);
    expect(await send('POST', '/{id}/entries', { entries: [{ company_name: 'A' }] })).toBe(201);
  });

  it('entry_ids array empty: is refused, 1 id is not', async () => {
    expect(await send('DELETE', '/{id}/entries', { entry_ids: [] })).toBe(422);
    expect(await send('DELETE', '/{id}/entries', { entry_ids: [unknownId] })).toBe(204);
  });

  it('website_url without http://, https:// or www.: is refused, and the whole request with it', async () => {
    const { ask, createBlacklist } = createTestService();
    const path = `/blacklists/${await createBlacklist()}/entries`;
    const add = (website_url: string) =>
      ask('POST', path, { entries: [{ company_name: 'A' }, { company_name: 'B', website_url }] });
    expect((await add('acme.example')).status).toBe(422);
    expect((await ask('GET', path)).body.total).toBe(0);
    for (const prefix of ['http://', 'https://', 'www.']) expect((await add(`${prefix}acme.example`)).status).toBe(201);
  });

  it('PATCH with name null: is refused, without name it is not', async () => {
    expect(await send('PATCH', '/{id}', { name: null, description: 'A' })).toBe(422);
    expect(await send('PATCH', '/{id}', { description: 'A' })).toBe(200);
  });

  it('profile creation body invalid or Idempotency-Key header missing: is refused, corrected it is not', async () => {
    const { ask } = createTestService();
    const create = async (body: unknown, asked: { idempotencyKey?: string }) =>
      (await ask('POST', '/search-profile-creations', body, asked)).status;
    expect(await create(profileInput({ target_countries: [] }), { idempotencyKey: 'k' })).toBe(422);
    expect(await create(profileInput(), {})).toBe(422);
    expect(await create(profileInput(), { idempotencyKey: '' })).toBe(422);
    expect(await create(profileInput(), { idempotencyKey: 'k' })).toBe(202);
  });
});
