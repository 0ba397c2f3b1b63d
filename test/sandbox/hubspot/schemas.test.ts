import { openPortal } from './hubspot-harness.ts';

const legacy = '/crm-object-schemas/v3/schemas';
const bases = [legacy, '/crm/v3/schemas', '/crm-object-schemas/2026-03/schemas', '/crm-object-schemas/2026-09/schemas'];

describe('a schema', () => {
  it('describes companies under each of their names', async () => {
    const { call } = openPortal();
    const { status, body } = await call('GET', `${legacy}/companies`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: '0-2',
      objectTypeId: '0-2',
      name: 'COMPANY',
      fullyQualifiedName: 'COMPANY',
      labels: { singular: 'Company', plural: 'Companies' },
      primaryDisplayProperty: 'name',
      searchableProperties: ['name', 'domain', 'website', 'phone'],
      requiredProperties: [],
    });
    expect(Reflect.get(body, 'associations')).toContainEqual({
      id: '280',
      name: 'company_to_contact_unlabeled',
      fromObjectTypeId: '0-2',
      toObjectTypeId: '0-1',
    });
    for (const name of ['0-2', 'company', 'COMPANY']) {
      expect((await call('GET', `${legacy}/${name}`)).body).toEqual(body);
    }
  });

  it('contains the same properties as the properties API, without archived ones', async () => {
    const { call, unique } = openPortal();
    await unique('companies', 'our_key');
    await unique('companies', 'old_key');
    await call('DELETE', '/crm/v3/properties/companies/old_key');
    const { body } = await call('GET', `${legacy}/companies`);
    expect(body.properties).toEqual((await call('GET', '/crm/v3/properties/companies')).body.results);
    expect(body.properties).toContainEqual(expect.objectContaining({ name: 'our_key', hasUniqueValue: true }));
  });

  it.each(bases)('lists the required properties on %s, also if that version does not enforce them', async (base) => {
    const { call, sandbox, portalId } = openPortal();
    sandbox.configure(portalId, { requiredProperties: { companies: ['city', 'not_there'], deals: ['amount'] } });
    const required = async (type: string) =>
      Reflect.get((await call('GET', `${base}/${type}`)).body, 'requiredProperties') as unknown;
    expect(await required('companies')).toEqual(['city']);
    expect(await required('contacts')).toEqual([]);
    expect(await required('deals')).toEqual(['dealname', 'dealstage', 'amount']);
  });

  it('returns 404 for unknown object types, and 501 for unimplemented ones', async () => {
    const { call } = openPortal();
    expect((await call('GET', `${legacy}/unknown`)).status).toBe(400);
    for (const [method, path] of [
      ['GET', `${legacy}/tickets`],
      ['POST', legacy],
      ['PATCH', `${legacy}/companies`],
    ] as const) {
      expect((await call(method, path, method === 'GET' ? undefined : {})).status).toBe(501);
    }
  });

  it('requires the scope of the schema; a scope of the records is not enough', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const ask = (scope: string, path: string) =>
      callWith(sandbox.createToken({ portalId, scopes: [scope] }), 'GET', `${legacy}${path}`);
    expect((await ask('crm.objects.companies.read', '/companies')).status).toBe(403);
    expect((await ask('crm.schemas.contacts.read', '/companies')).status).toBe(403);
    expect((await ask('crm.schemas.companies.read', '/companies')).status).toBe(200);
    expect((await ask('crm.objects.companies.read', '')).status).toBe(403);
  });
});

describe('the list of schemas', () => {
  it.each(bases)('contains only custom object types, of which there are none, on %s', async (base) => {
    const { call } = openPortal();
    expect(await call('GET', base)).toEqual({ status: 200, body: { results: [] } });
    expect((await call('GET', `${base}/contacts`)).body).toMatchObject({ objectTypeId: '0-1', name: 'CONTACT' });
  });
});
