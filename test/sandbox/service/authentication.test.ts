import { closedRoutes, operations, scopes, type Scope } from '../../../src/contract/index.ts';
import { createTestService, profileInput, unknownId } from './service-harness.ts';

const concrete = (path: string) => path.replace('/api/v1', '').replace(/\{\w+\}/g, unknownId);

describe('authentication', () => {
  it.each([
    ['missing', {}],
    ['unknown', { authorization: 'Bearer sk_sandbox_0' }],
    ['of another scheme', { authorization: 'Basic c2s6c2s=' }],
  ])('answers 401 when the key is %s', async (_, headers: Record<string, string>) => {
    const { service } = createTestService();
    const response = await service.fetch(new Request('http://s/api/v1/blacklists', { headers }));
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: 'UNAUTHORIZED',
      message: expect.any(String),
      request_id: expect.any(String),
    });
  });

  it('answers 401 from the moment a key expires', async () => {
    const { service, organizationId, ask, pass } = createTestService();
    const expiresAt = new Date('2026-11-20T12:00:10Z');
    const { apiKey } = service.createKey({ organizationId, scopes, expiresAt });
    pass(9.999);
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(200);
    pass(0.001);
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(401);
  });

  it('is checked before unknown paths and invalid bodies', async () => {
    const { ask } = createTestService();
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', '/blacklists'],
      ['GET', '/blacklists/not-a-uuid'],
      ['GET', '/companies'],
    ] as const) {
      const body = method === 'POST' ? '{' : undefined;
      expect((await ask(method, path, body, { apiKey: 'wrong' })).status).toBe(401);
    }
  });

  it.each(Object.entries(operations))(
    'answers 403 with required and held scopes: %s',
    async (_, { method, path, scopes: required }) => {
      const { service, organizationId, ask } = createTestService();
      const held = scopes.filter((scope) => !required.some((other: Scope) => other === scope));
      const { apiKey } = service.createKey({ organizationId, scopes: held });
      const { status, body } = await ask(method.toUpperCase(), concrete(path), undefined, { apiKey });
      expect(status).toBe(403);
      expect(body).toEqual({
        code: 'AUTHORIZATION_ERROR',
        message: expect.any(String),
        required_scopes: required,
        user_scopes: held,
      });
    },
  );

  it.each(closedRoutes.flatMap((path) => [path, `${path}/${unknownId}`]))(
    'closes the live pipeline route %s',
    async (path) => {
      const { ask } = createTestService();
      for (const method of ['GET', 'POST']) {
        const { status, body } = await ask(method, path.replace('/api/v1', ''));
        expect(status).toBe(403);
        expect(body).toEqual({ code: 'API_KEY_ROUTE_FORBIDDEN', message: expect.any(String) });
      }
    },
  );

  it('answers 404 ROUTE_NOT_FOUND on unknown paths and trailing slashes', async () => {
    const { ask } = createTestService();
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['GET', '/blacklists/'],
    ] as const) {
      const { status, body } = await ask(method, path);
      expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  });

  it.each([
    ['PUT', '/blacklists', 'POST, GET, HEAD'],
    ['DELETE', '/orders/x/results', 'GET, HEAD'],
    ['PATCH', `/prospect-searches/${unknownId}/blacklists`, 'GET, HEAD, PUT'],
  ])('answers 405 with the methods of the path to %s %s (A88)', async (method, path, allow) => {
    const { ask } = createTestService();
    const { status, body, headers } = await ask(method, path);
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
    const other = createTestService({ assume: { wrong_method: '404' } });
    expect((await other.ask(method, path)).body.code).toBe('ROUTE_NOT_FOUND');
    expect((await ask(method, path, undefined, { apiKey: 'unknown' })).status).toBe(401);
  });

  it.each(Object.values(operations))('answers $method $path for a key with every scope', async (operation) => {
    const { ask } = createTestService();
    const { status, body } = await ask(operation.method.toUpperCase(), concrete(operation.path));
    expect([200, 404, 422]).toContain(status);
    expect(body?.code).not.toBe('ROUTE_NOT_FOUND');
  });
});

describe('organisations', () => {
  it('cannot see data of each other', async () => {
    const mine = createTestService();
    const { apiKey } = mine.service.createOrganization({ name: 'other' });
    const profileId = await mine.createProfile();
    const blacklistId = await mine.createBlacklist();
    const orderId = await mine.finishOrder({ order_type: 'DISCOVERY', profile_id: profileId, briefing_quantity: 1 });
    const creation = await mine.ask('POST', '/search-profile-creations', profileInput(), { idempotencyKey: 'k' });
    const csv = { output_type: 'csv' };
    const outputs = await mine.ask('POST', `/orders/${orderId}/outputs`, csv);
    await mine.advance(1);
    const asOther = async (method: string, path: string, body?: unknown) => {
      const answer = await mine.ask(method, path, body, { apiKey });
      return [answer.status, answer.body.code];
    };
    expect(await asOther('GET', `/blacklists/${blacklistId}`)).toEqual([404, 'BLACKLIST_NOT_FOUND']);
    expect(await asOther('DELETE', `/blacklists/${blacklistId}`)).toEqual([404, 'BLACKLIST_NOT_FOUND']);
    expect(await asOther('GET', `/blacklists/${blacklistId}/entries`)).toEqual([404, 'BLACKLIST_NOT_FOUND']);
    expect(await asOther('GET', `/orders/${orderId}`)).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(await asOther('GET', `/orders/${orderId}/results`)).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(await asOther('GET', `/prospect-searches/${profileId}/blacklists`)).toEqual([
      404,
      'PROSPECT_SEARCH_NOT_FOUND',
    ]);
    expect(await asOther('GET', `/search-profile-creations/${creation.body.profile_creation_id}`)).toEqual([
      404,
      'PROFILE_CREATION_NOT_FOUND',
    ]);
    for (const path of [`/orders/${orderId}/outputs`, `/orders/${orderId}/outputs/${outputs.body.output_id}`])
      expect(await asOther('GET', path)).toEqual([404, 'ORDER_NOT_FOUND']);
    for (const path of ['outputs', 'export'])
      expect(await asOther('POST', `/orders/${orderId}/${path}`, csv)).toEqual([404, 'ORDER_NOT_FOUND']);
    const download = `/exports/jobs/${outputs.body.export_job_id}/download`;
    expect(await asOther('GET', download)).toEqual([404, 'EXPORT_JOB_NOT_FOUND']);
    for (const path of ['companies', `companies/${unknownId}/website-markdown`])
      expect(await asOther('GET', `/deliveries/${profileId}/${path}`)).toEqual([404, 'PROSPECT_SEARCH_NOT_FOUND']);
    const order = { order_type: 'DISCOVERY', profile_id: profileId, briefing_quantity: 1 };
    expect(await asOther('POST', '/orders', order)).toEqual([404, 'PROFILE_NOT_FOUND']);
    expect((await mine.ask('GET', '/blacklists', undefined, { apiKey })).body).toEqual({ blacklists: [] });
    mine.service.close();
  });
});
