import { createControlPlane } from '../../src/sandbox/control.ts';
import { createHubSpotSandbox } from '../../src/sandbox/hubspot/sandbox.ts';
import { createTestService, unknownId } from './service/ask.ts';

function createTestControl() {
  const service = createTestService();
  const hubspot = createHubSpotSandbox();
  const control = createControlPlane({ service: service.service, hubspot });
  const order = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await control.fetch(new Request(`http://control.test${path}`, { method, body: sent }));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { ...service, hubspot, order };
}

describe('createControlPlane', () => {
  it('is healthy', async () => {
    const { order } = createTestControl();
    expect(await order('GET', '/health')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  it('creates organisations with a key that holds every scope', async () => {
    const { order, ask } = createTestControl();
    const { status, body } = await order('POST', '/organizations', { name: 'A' });
    expect(status).toBe(201);
    expect(body).toEqual({ organization_id: expect.any(String), api_key: expect.any(String) });
    const { api_key: apiKey } = body;
    expect((await ask('POST', '/blacklists', { name: 'A' }, { apiKey })).status).toBe(201);
    expect((await ask('GET', `/orders/${unknownId}`, undefined, { apiKey })).status).toBe(404);
  });

  it('creates keys with some scopes, for a time', async () => {
    const { order, ask, pass, organizationId } = createTestControl();
    const { status, body } = await order('POST', '/keys', {
      organization_id: organizationId,
      scopes: ['blacklists:read'],
      expires_at: '2026-11-20T13:00:10+01:00',
    });
    expect([status, Object.keys(body)]).toEqual([201, ['api_key']]);
    const { api_key: apiKey } = body;
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(200);
    expect((await ask('POST', '/blacklists', { name: 'A' }, { apiKey })).status).toBe(403);
    pass(10);
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(401);
  });

  it('creates portals', async () => {
    const { order, hubspot } = createTestControl();
    const { status, body } = await order('POST', '/portals', { name: 'A' });
    expect(status).toBe(201);
    expect(body).toEqual({ portal_id: expect.any(Number), token: expect.any(String) });
    const headers = { authorization: `Bearer ${body.token}` };
    const answer = await hubspot.fetch(new Request('http://hubspot.test/account-info/v3/details', { headers }));
    expect(answer.status).toBe(200);
  });

  it('steps orders', async () => {
    const { order, ask, createProfile, createOrder } = createTestControl();
    const id = await createOrder({ order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 });
    expect(await order('POST', `/orders/${id}`, { status: 'COMPLETED', publish: false })).toMatchObject({
      status: 200,
      body: { order_id: id, status: 'COMPLETED', results_published: false },
    });
    expect((await ask('GET', `/orders/${id}`)).body.status).toBe('COMPLETED');
    expect(await order('POST', `/orders/${id}`, { status: 'FAILED' })).toMatchObject({
      status: 409,
      body: { code: 'ORDER_STEP_REFUSED', message: 'No step leads from COMPLETED to FAILED.' },
    });
  });

  it('adds faults to the service', async () => {
    const { order, ask } = createTestControl();
    const fault = { path: '/api/v1/', times: 1, status: 503, headers: { 'retry-after': '2' }, body: { code: 'X' } };
    expect(await order('POST', '/faults', fault)).toEqual({ status: 204, body: undefined });
    const spoilt = await ask('GET', '/blacklists');
    expect([spoilt.status, spoilt.body, spoilt.headers.get('retry-after')]).toEqual([503, { code: 'X' }, '2']);
    expect((await ask('GET', '/blacklists')).status).toBe(200);
    expect((await order('POST', '/faults', { path: 'api', times: 0 })).status).toBe(422);
  });

  it('resets both stand-ins and leaves the keys valid', async () => {
    const { order, ask, createBlacklist } = createTestControl();
    await createBlacklist();
    expect(await order('POST', '/reset')).toEqual({ status: 204, body: undefined });
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
  });

  it.each([
    ['POST', '/organizations', {}, 422, 'name: must be string, found nothing'],
    ['POST', '/organizations', { name: 'A', x: 1 }, 422, 'x: no such field, found a value'],
    ['POST', '/keys', { organization_id: unknownId, scopes: ['everything'] }, 422, 'scopes[0]: must be one of'],
    ['POST', '/keys', { organization_id: unknownId, scopes: [], expires_at: 'soon' }, 422, 'expires_at: '],
    ['POST', `/orders/${unknownId}`, { status: 'DONE' }, 422, 'status: must be one of'],
    ['POST', `/orders/${unknownId}`, { status: 'ACCEPTED', publish: true }, 422, 'publish: belongs to COMPLETED only'],
    ['POST', '/organizations', '{', 422, 'not valid JSON'],
    ['POST', '/keys', { organization_id: unknownId, scopes: [] }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['POST', `/orders/${unknownId}`, { status: 'ACCEPTED' }, 404, 'ORDER_NOT_FOUND'],
    ['GET', '/organizations', undefined, 404, 'ROUTE_NOT_FOUND'],
  ])('says what is wrong: %s %s %j', async (method, path, sent, status, words) => {
    const { order } = createTestControl();
    const answer = await order(method, path, sent);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
  });
});
