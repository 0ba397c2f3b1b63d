import { createTestControl } from './control-harness.ts';

function openControl() {
  const { control, hubspot, clock } = createTestControl();
  const ask = async (token: string | undefined, path: string, body?: unknown) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = body === undefined ? null : JSON.stringify(body);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await hubspot.fetch(new Request(`http://h.test${path}`, { method, headers, body: sent }));
    return { status: answer.status, headers: answer.headers };
  };
  const make = async (settings: object = {}) => {
    const { data } = await control.POST('/portals', { body: { name: 'A', ...settings } });
    return { portal_id: data?.portal_id ?? 0, token: data?.token ?? '' };
  };
  const companies = '/crm/objects/2026-09/companies';
  return { control, clock, ask, make, companies };
}

const unlimited = {
  plan: 'none',
  increases: 0,
  rates: { burst: null, daily: null, search: null, association_burst: null, association_daily: null },
  daily_used: 0,
  time_zone: 'Europe/Berlin',
  required_properties: {},
  properties_in_use: {},
  search_lag_ms: 0,
};

describe('portals of the control plane', () => {
  it('are created without rate limits and with a token that has every scope', async () => {
    const { control, ask, make } = openControl();
    const { portal_id, token } = await make();
    const answer = await ask(token, '/account-info/v3/details');
    expect([answer.status, answer.headers.get('x-hubspot-ratelimit-max')]).toEqual([200, '1000000']);
    expect((await control.GET('/portals')).data).toEqual({
      portals: [{ portal_id, name: 'A', account_type: 'STANDARD', ...unlimited }],
    });
  });

  it('are created with the given settings', async () => {
    const { control, ask, make, companies } = openControl();
    const settings = {
      account_type: 'DEVELOPER_TEST',
      plan: 'professional',
      increases: 1,
      time_zone: 'Asia/Kolkata',
      required_properties: { companies: ['city'] },
      properties_in_use: { companies: ['own'] },
      search_lag_ms: 2_000,
    };
    const { token } = await make({ ...settings, rates: { search: 2 } });
    const rates = { burst: 250, daily: 1_625_000, search: 2 };
    expect((await control.GET('/portals')).data?.portals).toMatchObject([{ ...settings, rates, daily_used: 0 }]);
    const refused = await ask(token, companies, { properties: { name: 'A' } });
    expect([refused.status, refused.headers.get('x-hubspot-ratelimit-daily-remaining')]).toEqual([400, '1624999']);
  });

  it('can be changed', async () => {
    const { control, ask, make, companies } = openControl();
    const { portal_id, token } = await make();
    const change = (body: object) =>
      control.PATCH('/portals/{portal_id}', { params: { path: { portal_id } }, body: body });
    const used = await change({ plan: 'free', daily_used: 250_000 });
    expect(used.data).toMatchObject({ plan: 'free', daily_used: 250_000, rates: { burst: 100, daily: 250_000 } });
    expect((await ask(token, companies)).status).toBe(429);
    await change({ daily_used: 0, required_properties: { companies: ['city'] } });
    expect((await ask(token, companies, { properties: { name: 'A' } })).status).toBe(400);
    await change({ required_properties: {} });
    expect((await ask(token, companies, { properties: { name: 'A' } })).status).toBe(201);
    expect((await change({})).data).toMatchObject({ plan: 'free', daily_used: 2 });
  });

  it('issue tokens with the given scopes', async () => {
    const { control, ask, make, companies } = openControl();
    const { portal_id } = await make();
    const body = { scopes: ['crm.objects.companies.read'] };
    const { data } = await control.POST('/portals/{portal_id}/tokens', { params: { path: { portal_id } }, body });
    expect((await ask(data?.token, companies)).status).toBe(200);
    expect((await ask(data?.token, companies, { properties: { name: 'A' } })).status).toBe(403);
  });

  it('are emptied separately, and keep settings and tokens', async () => {
    const { control, ask, make, companies } = openControl();
    const [one, other] = [await make({ plan: 'free' }), await make({ plan: 'free' })];
    for (const { token } of [one, other]) await ask(token, companies, { properties: { name: 'A' } });
    const path = { portal_id: one.portal_id };
    expect((await control.POST('/portals/{portal_id}/reset', { params: { path } })).response.status).toBe(204);
    expect((await control.GET('/portals')).data?.portals).toMatchObject([
      { plan: 'free', daily_used: 0 },
      { plan: 'free', daily_used: 1 },
    ]);
    expect((await ask(one.token, companies)).status).toBe(200);
    const { data } = await control.GET('/journal', { params: { query: path } });
    expect(data?.entries.map(({ method }) => method)).toEqual(['GET']);
  });

  it('use the sandbox clock', async () => {
    const { control, ask, make, companies, clock } = openControl();
    const { token } = await make({ rates: { burst: 1 } });
    const statuses = async () => [(await ask(token, companies)).status, (await ask(token, companies)).status];
    expect(await statuses()).toEqual([200, 429]);
    await clock.advanceTo(clock.now() + 10_000);
    expect((await control.GET('/portals')).response.status).toBe(200);
    expect(await statuses()).toEqual([200, 429]);
  });

  it('edit records as a user, and refuse unknown records and properties', async () => {
    const { control, hubspot } = createTestControl();
    const { data } = await control.POST('/portals', { body: { name: 'A' } });
    const { portal_id = 0, token = '' } = data ?? {};
    const ask = async (method: string, place: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}` };
      const url = `http://h.test/crm/v3/objects/companies${place}`;
      const answer = await hubspot.fetch(
        new Request(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) }),
      );
      return (await answer.json()) as {
        id: string;
        propertiesWithHistory: { name: { value: string; sourceType: string }[] };
      };
    };
    const { id } = await ask('POST', '', { properties: { name: 'Acme', domain: 'acme.example' } });
    const edit = async (record_id: string, properties: Record<string, string>) => {
      const path = { portal_id, object_type: 'companies' as const, record_id };
      const { response } = await control.PATCH('/portals/{portal_id}/records/{object_type}/{record_id}', {
        params: { path },
        body: { properties },
      });
      return response.status;
    };
    expect(await edit(id, { name: 'Edited' })).toBe(204);
    expect(await edit('1', { name: 'Edited' })).toBe(404);
    expect(await edit(id, { no_such_property: 'x' })).toBe(422);
    const { propertiesWithHistory } = await ask('GET', `/${id}?propertiesWithHistory=name`);
    expect(propertiesWithHistory.name.map(({ value, sourceType }) => [value, sourceType])).toEqual([
      ['Edited', 'CRM_UI'],
      ['Acme', 'INTEGRATION'],
    ]);
  });
});
