import { openPortal } from '../hubspot-harness.ts';

const properties = '/crm/v3/properties/companies';
const own = (name: string) => ({
  name,
  label: name,
  type: 'string',
  fieldType: 'text',
  groupName: 'companyinformation',
});

async function openFree() {
  const portal = openPortal();
  portal.sandbox.configure(portal.portalId, { plan: 'free' });
  const inputs = Array.from({ length: 12 }, (_, i) => own(`own_${i}`));
  const made = await portal.call('POST', `${properties}/batch/create`, { inputs });
  return { ...portal, made };
}

describe('custom properties', () => {
  it('are limited by the plan, archived ones not counted', async () => {
    const { call, made, sandbox, portalId } = await openFree();
    expect([made.status, made.body.results.length, made.body.errors.length]).toEqual([207, 10, 2]);
    expect(made.body.errors[0].message).toContain('10 custom properties');
    expect((await call('POST', properties, own('more'))).status).toBe(400);
    await call('DELETE', `${properties}/own_0`);
    expect((await call('POST', properties, own('more'))).status).toBe(201);
    // Nor is there room to restore one.
    expect((await call('POST', properties, own('own_0'))).status).toBe(400);
    sandbox.configure(portalId, { plan: 'enterprise' });
    expect((await call('POST', properties, own('own_0'))).status).toBe(201);
  });

  it.each(['/crm/v3/limits/custom-properties', '/crm/limits/2026-09/custom-properties'])(
    'are counted by %s',
    async (path) => {
      const { call } = await openFree();
      const { status, body } = await call('GET', path);
      expect(status).toBe(200);
      expect(Reflect.get(body, 'byObjectType')).toEqual(
        expect.arrayContaining([
          {
            objectTypeId: '0-1',
            singularLabel: 'Contact',
            pluralLabel: 'Contacts',
            limit: 10,
            usage: 0,
            percentage: 0,
          },
          {
            objectTypeId: '0-2',
            singularLabel: 'Company',
            pluralLabel: 'Companies',
            limit: 10,
            usage: 10,
            percentage: 100,
          },
        ]),
      );
      expect(body).toMatchObject({ overallUsage: 10, overallLimit: expect.any(Number) });
    },
  );

  it('are not counted for a token that may only read schemas', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const token = sandbox.createToken({ portalId, scopes: ['crm.schemas.companies.read'] });
    expect((await callWith(token, 'GET', '/crm/limits/2026-09/custom-properties')).status).toBe(403);
  });

  it('cannot be archived while they are in use', async () => {
    const { sandbox, portalId, call } = openPortal();
    await call('POST', properties, own('own'));
    sandbox.configure(portalId, { propertiesInUse: { companies: ['own'] } });
    const { status, body } = await call('DELETE', `${properties}/own`);
    expect([status, body.subCategory]).toEqual([400, 'PropertyValidationError.CANNOT_DELETE_PROPERTY_IN_USE']);
    expect((await call('GET', `${properties}/own`)).status).toBe(200);
    sandbox.configure(portalId, { propertiesInUse: {} });
    expect((await call('DELETE', `${properties}/own`)).status).toBe(204);
  });

  it('are deleted 90 days after they were archived', async () => {
    let now = Date.parse('2026-11-21T10:00:00.000Z');
    const { call } = openPortal({ clock: () => new Date(now) });
    await call('POST', properties, own('own'));
    await call('DELETE', `${properties}/own`);
    now += 90 * 86_400_000 - 1;
    expect((await call('GET', `${properties}/own?archived=true`)).status).toBe(200);
    now += 1;
    expect((await call('GET', `${properties}/own?archived=true`)).status).toBe(404);
    expect((await call('GET', `${properties}?archived=true`)).body.results).toEqual([]);
    expect((await call('POST', properties, own('own'))).body.createdAt).toBe(new Date(now).toISOString());
  });
});
