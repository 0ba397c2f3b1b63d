import { unknownId } from '../service/service-harness.ts';
import { createTestControl } from './control-harness.ts';

describe('organisations and keys', () => {
  it('creates organisations with a key that has every scope', async () => {
    const { control, ask } = createTestControl();
    const { data, response } = await control.POST('/organizations', { body: { name: 'A' } });
    expect(response.status).toBe(201);
    expect(data).toEqual({
      organization_id: expect.any(String),
      key_id: expect.any(String),
      api_key: expect.any(String),
    });
    const apiKey = data?.api_key ?? '';
    expect((await ask('POST', '/blacklists', { name: 'A' }, { apiKey })).status).toBe(201);
    expect((await ask('GET', `/orders/${unknownId}`, undefined, { apiKey })).status).toBe(404);
  });

  it('issues keys with limited scopes and an expiry time', async () => {
    const { control, ask, pass, organizationId } = createTestControl();
    const { data } = await control.POST('/keys', {
      body: { organization_id: organizationId, scopes: ['blacklists:read'], expires_at: '2026-11-20T13:00:10+01:00' },
    });
    const apiKey = data?.api_key ?? '';
    expect((await ask('POST', '/blacklists', { name: 'A' }, { apiKey })).status).toBe(403);
    pass(9.999);
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(200);
    pass(0.001);
    expect((await ask('GET', '/blacklists', undefined, { apiKey })).status).toBe(401);
  });

  it('keeps scopes of older keys, which grant nothing', async () => {
    const { control, ask, organizationId } = createTestControl();
    const { data } = await control.POST('/keys', {
      body: { organization_id: organizationId, scopes: ['blacklists:read'], older_scopes: ['companies:admin'] },
    });
    const { status, body } = await ask('POST', '/blacklists', { name: 'A' }, { apiKey: data?.api_key ?? '' });
    expect([status, body.user_scopes]).toEqual([403, ['blacklists:read', 'companies:admin']]);
  });

  it('revokes only the given key', async () => {
    const { control, ask, organizationId } = createTestControl();
    const { data } = await control.POST('/keys', {
      body: { organization_id: organizationId, scopes: ['blacklists:read'] },
    });
    const { response } = await control.DELETE('/keys/{key_id}', { params: { path: { key_id: data?.key_id ?? '' } } });
    expect(response.status).toBe(204);
    expect((await ask('GET', '/blacklists', undefined, { apiKey: data?.api_key ?? '' })).status).toBe(401);
    expect((await ask('GET', '/blacklists')).status).toBe(200);
  });
});
