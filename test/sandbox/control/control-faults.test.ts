import { createTestControl } from './control-harness.ts';

describe('faults of the control plane', () => {
  it('affect the service, are listed while active, and can be removed', async () => {
    const { control, ask } = createTestControl();
    const fault = { path: '/api/v1/', times: 1, status: 503, headers: { 'retry-after': '2' }, body: { code: 'X' } };
    const { data, response } = await control.POST('/faults', { body: fault });
    expect([response.status, data]).toEqual([201, { fault_id: 'fault-1', calls: 0, left: 1, ...fault }]);
    const spoilt = await ask('GET', '/blacklists');
    expect([spoilt.status, spoilt.body, spoilt.headers.get('retry-after')]).toEqual([503, { code: 'X' }, '2']);
    expect((await ask('GET', '/blacklists')).status).toBe(200);
    expect((await control.GET('/faults')).data).toEqual({ faults: [] });

    await control.POST('/faults', { body: { path: '*', times: 9, reset: true } });
    await control.POST('/faults', { body: { path: '*', times: 9, status: 500 } });
    const path = { fault_id: 'fault-2' };
    await control.DELETE('/faults/{fault_id}', { params: { path } });
    expect((await ask('GET', '/blacklists')).status).toBe(500);
    await control.DELETE('/faults');
    expect((await ask('GET', '/blacklists')).status).toBe(200);
  });

  it('can affect one organisation or key, and never show the key', async () => {
    const { control, ask, apiKey } = createTestControl();
    const { data: other } = await control.POST('/organizations', { body: { name: 'other' } });
    const body = { path: '/api/v1/', times: 9, status: 500, organization_id: other?.organization_id ?? '' };
    await control.POST('/faults', { body });
    await control.POST('/faults', {
      body: { path: '/api/v1/', call: 2, times: 1, status: 502, html: true, api_key: apiKey },
    });
    expect((await ask('GET', '/blacklists', undefined, { apiKey: other?.api_key ?? '' })).status).toBe(500);
    expect((await ask('GET', '/blacklists')).status).toBe(200);
    expect(JSON.stringify((await control.GET('/faults')).data)).not.toContain(apiKey);
    await expect(ask('GET', '/blacklists')).rejects.toThrow(SyntaxError);
  });

  it('can affect one HubSpot portal', async () => {
    const { control, hubspot } = createTestControl();
    const { data } = await control.POST('/portals', { body: { name: 'A' } });
    await control.POST('/faults', { body: { portal_id: data?.portal_id ?? 0, path: '/', times: 1, status: 429 } });
    const headers = { authorization: `Bearer ${data?.token}` };
    const details = async () =>
      (await hubspot.fetch(new Request('http://h.test/account-info/v3/details', { headers }))).status;
    expect([await details(), await details()]).toEqual([429, 200]);
    const query = { portal_id: data?.portal_id ?? 0 };
    const { data: journal } = await control.GET('/journal', { params: { query } });
    expect(journal?.entries.map(({ status, fault_id }) => [status, fault_id])).toEqual([
      [429, 'fault-1'],
      [200, null],
    ]);
  });

  it('accept HubSpot presets, which other fields override', async () => {
    const { control, hubspot } = createTestControl();
    const { data } = await control.POST('/portals', { body: { name: 'A' } });
    const rule = { portal_id: data?.portal_id ?? 0, path: '/account-info/', times: 1 };
    const added = await control.POST('/faults', { body: { ...rule, preset: 'migrating' } });
    expect(added.data).toMatchObject({ fault_id: 'fault-1', status: 477, headers: { 'retry-after': '5' } });
    await control.POST('/faults', { body: { ...rule, preset: 'migrating', headers: { 'retry-after': '9' } } });
    const headers = { authorization: `Bearer ${data?.token}` };
    const details = () => hubspot.fetch(new Request('http://h.test/account-info/v3/details', { headers }));
    const answers = [await details(), await details(), await details()];
    expect(answers.map((answer) => [answer.status, answer.headers.get('retry-after')])).toEqual([
      [477, '5'],
      [477, '9'],
      [200, null],
    ]);
  });
});
