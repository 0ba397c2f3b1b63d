import { closedRoutes, operations, scopes, type Scope } from '../../../src/service/contract/index.ts';
import { createTestService, profileInput, unknownId } from './service-harness.ts';

const concrete = (path: string) => path.replace('/api/v1', '').replace(/\{\w+\}/g, unknownId);

describe('authentication', () => {
  it.each([
    ['GET', '/nowhere', undefined],
    ['POST', '/blacklists', '{'],
    ['GET', '/blacklists/not-a-uuid', undefined],
    ['GET', '/companies', undefined],
    ['PUT', '/blacklists', undefined],
  ])('is checked before path, method and body: %s %s', async (method, path, body) => {
    expect((await createTestService().ask(method, path, body, { apiKey: 'wrong' })).status).toBe(401);
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

  it.each(closedRoutes)('closes %s to every method, and every path below it', async (route) => {
    const { ask } = createTestService();
    const path = route.replace('/api/v1', '');
    const answers = [ask('POST', path), ask('GET', `${path}/${unknownId}`), ask('POST', `${path}/${unknownId}`)];
    for (const { status, body } of await Promise.all(answers))
      expect([status, body]).toEqual([403, { code: 'API_KEY_ROUTE_FORBIDDEN', message: expect.any(String) }]);
  });

  it.each(['/nowhere', '/blacklists/'])('answers 404 ROUTE_NOT_FOUND to GET %s', async (path) => {
    const { status, body } = await createTestService().ask('GET', path);
    expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it.each([
    ['PUT', '/blacklists', 'POST, GET, HEAD'],
    ['DELETE', '/orders/x/results', 'GET, HEAD'],
    ['PATCH', `/prospect-searches/${unknownId}/blacklists`, 'GET, HEAD, PUT'],
  ])('answers 405 with the methods of the path to %s %s (A88)', async (method, path, allow) => {
    const { status, body, headers } = await createTestService().ask(method, path);
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
    const other = createTestService({ assume: { wrong_method: '404' } });
    expect((await other.ask(method, path)).body.code).toBe('ROUTE_NOT_FOUND');
  });
});

describe('an id that is unknown, or of another organisation', () => {
  const csv = { output_type: 'csv' };

  it('is refused with its kind of resource and the id', async () => {
    const mine = createTestService();
    const { apiKey } = mine.service.createOrganization({ name: 'other' });
    const profile = await mine.createProfile();
    const blacklist = await mine.createBlacklist();
    const discovery = { order_type: 'DISCOVERY', profile_id: profile, briefing_quantity: 1 };
    const order = await mine.finishOrder(discovery);
    const keyed = { idempotencyKey: 'k' };
    const { body: creation } = await mine.ask('POST', '/search-profile-creations', profileInput(), keyed);
    const { body: output } = await mine.ask('POST', `/orders/${order}/outputs`, csv);
    await mine.advance(1);
    const requests: readonly (readonly [kind: string, id: string, method: string, path: string, body?: object])[] = [
      ['blacklist', blacklist, 'GET', '/blacklists/ID'],
      ['blacklist', blacklist, 'PATCH', '/blacklists/ID', {}],
      ['blacklist', blacklist, 'DELETE', '/blacklists/ID'],
      ['blacklist', blacklist, 'GET', '/blacklists/ID/entries'],
      ['blacklist', blacklist, 'POST', '/blacklists/ID/entries', { entries: [{ company_name: 'A' }] }],
      ['blacklist', blacklist, 'DELETE', '/blacklists/ID/entries', { entry_ids: [unknownId] }],
      ['order', order, 'GET', '/orders/ID'],
      ['order', order, 'GET', '/orders/ID/results'],
      ['order', order, 'GET', '/orders/ID/outputs'],
      ['order', order, 'GET', `/orders/ID/outputs/${output.output_id}`],
      ['order', order, 'POST', '/orders/ID/outputs', csv],
      ['order', order, 'POST', '/orders/ID/export', csv],
      ['prospect_search', profile, 'GET', '/prospect-searches/ID/blacklists'],
      ['prospect_search', profile, 'PUT', '/prospect-searches/ID/blacklists', { blacklist_ids: [] }],
      ['prospect_search', profile, 'GET', '/deliveries/ID/companies'],
      ['prospect_search', profile, 'GET', `/deliveries/ID/companies/${unknownId}/website-markdown`],
      ['profile', profile, 'POST', '/orders', discovery],
      ['profile_creation', creation.profile_creation_id, 'GET', '/search-profile-creations/ID'],
      ['export_job', output.export_job_id, 'GET', '/exports/jobs/ID/download'],
    ];
    for (const [kind, id, method, path, body] of requests) {
      const refusalOf = (identifier: string) => ({
        code: `${kind.toUpperCase()}_NOT_FOUND`,
        message: expect.any(String),
        resource_type: kind,
        identifier,
        ...(kind === 'blacklist' && { blacklist_id: identifier }),
      });
      const asOther = await mine.ask(method, path.replace('ID', id), body, { apiKey });
      expect([method, path, asOther.status, asOther.body]).toEqual([method, path, 404, refusalOf(id)]);
      const withUnknownId = JSON.stringify(body)?.replace(id, unknownId);
      const { status, body: unknown } = await mine.ask(method, path.replace('ID', unknownId), withUnknownId);
      expect([method, path, status, unknown]).toEqual([method, path, 404, refusalOf(unknownId)]);
    }
    expect((await mine.ask('GET', '/blacklists', undefined, { apiKey })).body).toEqual({ blacklists: [] });
  });
});
