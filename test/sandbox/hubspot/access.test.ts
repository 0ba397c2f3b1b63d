import { allScopes } from '../../../sandbox/hubspot/scopes.ts';
import { openPortal } from './hubspot-harness.ts';

const companies = '/crm/v3/objects/companies';

describe('createHubSpotSandbox', () => {
  it('refuses a missing and a wrong key with 401', async () => {
    const { callWith } = openPortal();
    for (const key of [undefined, 'pat-na1-wrong']) {
      const { status, body } = await callWith(key, 'GET', companies);
      expect(status).toBe(401);
      expect(body).toEqual({
        status: 'error',
        message: expect.stringMatching(/^Authentication credentials not found\./),
        correlationId: expect.any(String),
        category: 'INVALID_AUTHENTICATION',
      });
    }
  });

  it('returns the time zone of the portal and its current offset', async () => {
    const { sandbox, portalId, call } = openPortal({ clock: () => new Date('2026-07-01T12:00:00.000Z') });
    const details = async () => (await call('GET', '/account-info/2026-09/details')).body;
    expect(await details()).toMatchObject({ timeZone: 'Europe/Berlin', utcOffset: '+02:00' });
    sandbox.configure(portalId, { timeZone: 'America/St_Johns' });
    expect(await details()).toMatchObject({ utcOffset: '-02:30', utcOffsetMilliseconds: -9_000_000 });
    expect(() => sandbox.configure(portalId, { timeZone: 'Mars/Olympus' })).toThrow(RangeError);
  });

  it('returns id and type of the portal', async () => {
    const { sandbox, callWith, call, portalId } = openPortal();
    expect(await call('GET', '/account-info/v3/details')).toMatchObject({
      status: 200,
      body: { portalId, accountType: 'STANDARD' },
    });
    const test = sandbox.createPortal({ name: 'Test', accountType: 'DEVELOPER_TEST' });
    const { body } = await callWith(test.token, 'GET', '/account-info/v3/details');
    expect(body).toMatchObject({ portalId: test.portalId, accountType: 'DEVELOPER_TEST' });
  });

  it.each([
    ['GET', companies, 'crm.objects.companies.read'],
    ['POST', `${companies}/search`, 'crm.objects.companies.read'],
    ['POST', `${companies}/batch/read`, 'crm.objects.companies.read'],
    ['POST', companies, 'crm.objects.companies.write'],
    ['POST', `${companies}/batch/upsert`, 'crm.objects.companies.write'],
    ['POST', `${companies}/merge`, 'crm.objects.companies.write'],
    ['DELETE', '/crm/v3/objects/contacts/1', 'crm.objects.contacts.write'],
    ['GET', '/crm/v3/objects/deals', 'crm.objects.deals.read'],
    ['POST', '/crm/v3/objects/deals', 'crm.objects.deals.write'],
    ['GET', '/crm/v3/objects/notes', 'crm.objects.contacts.read'],
    ['POST', '/crm/v3/objects/notes', 'crm.objects.contacts.write'],
    ['GET', '/crm/v3/objects/tasks', 'crm.objects.contacts.read'],
    ['POST', '/crm/v3/objects/tasks', 'crm.objects.contacts.write'],
    ['POST', '/crm/v3/properties/companies', 'crm.schemas.companies.write'],
    ['DELETE', '/crm/v3/properties/contacts/x', 'crm.schemas.contacts.write'],
    ['POST', '/crm/v3/properties/contacts/groups', 'crm.schemas.contacts.write'],
    ['GET', '/crm-object-schemas/v3/schemas/companies', 'crm.schemas.companies.read'],
    ['POST', '/crm/v4/associations/contacts/companies/batch/read', 'crm.objects.companies.read'],
    ['POST', '/crm/v4/associations/contacts/companies/batch/associate/default', 'crm.objects.contacts.write'],
    ['GET', '/crm/v3/owners', 'crm.objects.owners.read'],
    ['GET', '/crm/v3/lists/1/memberships', 'crm.lists.read'],
    ['POST', '/crm/v3/lists/search', 'crm.lists.read'],
    ['PUT', '/crm/v3/lists/1/memberships/add', 'crm.lists.write'],
    ['POST', '/crm/v3/lists', 'crm.lists.write'],
  ])('%s %s needs the scope %s', async (method, path, scope) => {
    const { sandbox, portalId, callWith } = openPortal();
    const body = ['POST', 'PUT'].includes(method) ? {} : undefined;
    const without = sandbox.createToken({ portalId, scopes: allScopes.filter((held) => held !== scope) });
    const refused = await callWith(without, method, path, body);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      category: 'MISSING_SCOPES',
      errors: [{ context: { requiredGranularScopes: [scope] } }],
      links: { scopes: 'https://developers.hubspot.com/scopes' },
    });
  });

  it('allows reading definitions with a scope for records', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const read = sandbox.createToken({ portalId, scopes: ['crm.objects.companies.read'] });
    expect((await callWith(read, 'GET', '/crm/v3/properties/companies')).status).toBe(200);
    expect((await callWith(read, 'GET', '/crm/v3/properties/contacts')).status).toBe(403);
  });

  it('accepts singular, plural and id of an object type, and nothing else', async () => {
    const { call } = openPortal();
    for (const type of ['companies', 'company', '0-2']) {
      expect((await call('GET', `/crm/v3/objects/${type}`)).status).toBe(200);
    }
    const { status, body } = await call('GET', '/crm/v3/objects/widgets');
    expect(status).toBe(400);
    expect(body).toEqual({
      status: 'error',
      message: 'Unable to infer object type from: widgets',
      correlationId: expect.any(String),
    });
  });

  it.each([
    ['POST', '/crm/v3/objects/tickets'],
    ['POST', '/crm/v3/objects/2-123456'],
    ['PATCH', '/crm/v3/objects/invoices/1'],
    ['POST', '/crm/v3/objects/carts/batch/upsert'],
    ['GET', '/crm/v3/properties/orders'],
    ['GET', '/crm/v3/pipelines/orders'],
    ['POST', '/crm/v3/objects/communications/batch/create'],
    ['POST', '/crm/v3/exports/export/async'],
    ['DELETE', '/crm/v3/lists/1/memberships'],
    ['POST', '/crm/v3/objects/companies/gdpr-delete'],
    ['GET', '/crm/objects/2026-09/deals/1/nothing/here'],
    ['POST', '/crm/v4/associations/companies/tickets/batch/create'],
    ['GET', '/crm/v4/associations/contacts/tickets/labels'],
    ['POST', '/communication-preferences/v3/unsubscribe'],
    ['PUT', '/crm/v3/objects/companies'],
  ])('answers 501 for %s %s, which is not implemented', async (method, path) => {
    const { call } = openPortal();
    const { status, body } = await call(method, path);
    expect(status).toBe(501);
    expect(body).toMatchObject({ status: 'error', code: 'SANDBOX_NOT_BUILT', category: 'SANDBOX_NOT_BUILT' });
  });

  it('answers 404 for a path that HubSpot does not have', async () => {
    const { call } = openPortal();
    expect(await call('GET', '/nonsense')).toMatchObject({
      status: 404,
      body: { status: 'error', message: 'resource not found' },
    });
  });

  it('separates portals', async () => {
    const { sandbox, call, callWith, create, portalId } = openPortal();
    const other = sandbox.createPortal({ name: 'Other' });
    expect(other.portalId).not.toBe(portalId);
    const [id] = await create('companies', { name: 'A' });
    expect((await callWith(other.token, 'GET', `${companies}/${id}`)).status).toBe(404);
    expect((await callWith(other.token, 'GET', companies)).body.results).toEqual([]);
    expect((await call('GET', companies)).body.results).toHaveLength(1);
  });

  it('returns the same portal, ids and answers for the same seed', async () => {
    const run = async (seed: string) => {
      const portal = openPortal({ seed, clock: () => new Date(0) });
      const created = await portal.batch('companies', 'create', [
        { properties: { name: 'A' } },
        { properties: { name: 'B' } },
      ]);
      const failed = await portal.call('GET', `${companies}/1`);
      return JSON.stringify([portal.portalId, portal.token, created, failed]);
    };
    expect(await run('a')).toBe(await run('a'));
    expect(await run('a')).not.toBe(await run('b'));
  });

  it('empties one portal or all, and keeps their tokens', async () => {
    const { sandbox, callWith, token, portalId } = openPortal();
    const other = sandbox.createPortal({ name: 'Other' });
    const fill = async () => {
      for (const key of [token, other.token]) await callWith(key, 'POST', companies, { properties: { name: 'A' } });
    };
    const sizes = () =>
      Promise.all([token, other.token].map(async (key) => (await callWith(key, 'GET', companies)).body.results.length));
    await fill();
    sandbox.reset(portalId);
    expect(await sizes()).toEqual([0, 1]);
    await fill();
    sandbox.reset();
    expect(await sizes()).toEqual([0, 0]);
    expect(sandbox.journal(portalId).entries()).toHaveLength(1);
  });

  it('records the requests of a portal in a journal', async () => {
    const { sandbox, portalId, call, callWith } = openPortal();
    await call('GET', `${companies}?limit=5`);
    await call('GET', `${companies}/1`);
    await callWith('wrong', 'GET', companies);
    expect(sandbox.journal(portalId).entries()).toMatchObject([
      { method: 'GET', path: `${companies}?limit=5`, status: 200 },
      { method: 'GET', path: `${companies}/1`, status: 404 },
    ]);
  });
});

describe('faults', () => {
  it('matches by a pattern, sends headers, and answers without a body when none is given', async () => {
    const { sandbox, portalId, token, call } = openPortal();
    sandbox.faults(portalId).add({ path: /\/search$/, status: 502, headers: { 'retry-after': '3' }, times: 1 });
    expect((await call('GET', companies)).status).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    const response = await sandbox.fetch(
      new Request(`https://api.hubapi.test${companies}/search`, { method: 'POST', headers }),
    );
    expect([response.status, response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([
      502,
      null,
      '3',
    ]);
    expect(await response.text()).toBe('');
  });

  it('breaks the connection after the write was committed', async () => {
    const { sandbox, portalId, call } = openPortal();
    sandbox.faults(portalId).add({ path: companies, commit: true, reset: true, times: 1 });
    const lost = call('POST', companies, { properties: { name: 'A' } });
    await expect(lost).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect((await call('GET', companies)).body.results).toHaveLength(1);
    expect(sandbox.journal(portalId).entries()[0]).toMatchObject({ method: 'POST', path: companies, status: 0 });
  });

  it('answers a 504 after the write was committed', async () => {
    const { sandbox, portalId, call } = openPortal();
    sandbox.faults(portalId).add({ path: companies, commit: true, status: 504, times: 1 });
    expect(await call('POST', companies, { properties: { name: 'A' } })).toEqual({ status: 504, body: undefined });
    expect((await call('GET', companies)).body.results).toHaveLength(1);
  });

  it('affects one portal', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const other = sandbox.createPortal({ name: 'Other' });
    sandbox.faults(portalId).add({ path: '/', status: 500, times: 1 });
    expect((await callWith(other.token, 'GET', companies)).status).toBe(200);
  });
});
