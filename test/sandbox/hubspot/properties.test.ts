import { openPortal } from './hubspot-harness.ts';

const path = '/crm/v3/properties/companies';
const own = { name: 'own', label: 'Own', type: 'string', fieldType: 'text', groupName: 'companyinformation' };

describe('properties', () => {
  it('has realistic defaults for companies and contacts', async () => {
    const { call } = openPortal();
    const names = async (type: string) =>
      (await call('GET', `/crm/v3/properties/${type}`)).body.results.map(({ name }) => name);
    for (const [type, known] of [
      ['companies', 'name domain industry numberofemployees lifecyclestage linkedin_company_page'],
      ['contacts', 'email firstname jobtitle mobilephone hs_linkedin_url hs_lead_status hs_language'],
    ] as const)
      expect(await names(type)).toEqual(expect.arrayContaining(known.split(' ')));
    const { body } = await call('GET', `${path}/industry`);
    expect(body).toMatchObject({
      type: 'enumeration',
      fieldType: 'select',
      hubspotDefined: true,
      hasUniqueValue: false,
    });
    expect(body.options).toContainEqual({
      value: 'COMPUTER_SOFTWARE',
      label: 'Computer software',
      displayOrder: 24,
      hidden: false,
    });
  });

  it('refuses names that begin with hs_, unless that is assumed otherwise', async () => {
    const reserved = { ...own, name: 'hs_own' };
    const { call } = openPortal();
    expect((await call('POST', path, reserved)).status).toBe(400);
    const batch = await call('POST', `${path}/batch/create`, { inputs: [reserved, own] });
    expect([batch.status, batch.body.errors]).toMatchObject([207, [{ context: { name: ['hs_own'] } }]]);
    const lenient = openPortal({ assumed: { reservedPropertyNames: 'allowed' } });
    expect((await lenient.call('POST', path, reserved)).status).toBe(201);
  });

  it('creates a property that records can use', async () => {
    const { call, create } = openPortal();
    const created = await call('POST', path, own);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      ...own,
      hubspotDefined: false,
      archived: false,
      hasUniqueValue: false,
      options: [],
    });
    expect((await call('GET', `${path}/own`)).body).toEqual(created.body);
    await create('companies', { name: 'A', own: 'x' });
  });

  it('refuses a name that exists with 409 and changes nothing', async () => {
    const { call } = openPortal();
    await call('POST', path, own);
    const { status, body } = await call('POST', path, { ...own, label: 'Other' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      message: "A property named 'own' already exists.",
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    });
    expect((await call('GET', `${path}/own`)).body.label).toBe('Own');
  });

  it('restores an archived name with the new definition and its old creation date', async () => {
    let now = '2026-11-21T10:00:00.000Z';
    const { call } = openPortal({ clock: () => new Date(now) });
    await call('POST', path, own);
    now = '2026-11-22T10:00:00.000Z';
    expect((await call('DELETE', `${path}/own`)).status).toBe(204);
    expect((await call('GET', `${path}/own`)).status).toBe(404);
    expect((await call('GET', `${path}/own?archived=true`)).body).toMatchObject({ archived: true, archivedAt: now });
    expect((await call('GET', `${path}?archived=true`)).body.results).toHaveLength(1);
    const restored = await call('POST', path, { ...own, label: 'Back' });
    expect(restored).toMatchObject({ status: 201, body: { label: 'Back', createdAt: '2026-11-21T10:00:00.000Z' } });
    expect((await call('GET', `${path}/own?archived=true`)).status).toBe(404);
  });

  it('returns 404 OBJECT_NOT_FOUND for an unknown name', async () => {
    const { call } = openPortal();
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      expect(await call(method, `${path}/nothing`, body)).toMatchObject({
        status: 404,
        body: { category: 'OBJECT_NOT_FOUND' },
      });
    }
  });

  it('allows ten unique properties per object type, and uniqueness only at creation', async () => {
    const { call, unique } = openPortal();
    for (let i = 0; i < 10; i++) expect((await unique('companies', `key_${i}`)).status).toBe(201);
    expect(await unique('companies', 'key_10')).toMatchObject({ status: 400, body: { category: 'VALIDATION_ERROR' } });
    expect((await unique('contacts', 'key_10')).status).toBe(201);
    await call('POST', path, own);
    await call('PATCH', `${path}/own`, { hasUniqueValue: true });
    expect((await call('GET', `${path}/own`)).body.hasUniqueValue).toBe(false);
    await call('DELETE', `${path}/key_0`);
    expect((await unique('companies', 'key_10')).status).toBe(201);
  });

  it.each([
    { name: 'Own' },
    { name: '1own' },
    { name: 'o-wn' },
    { name: `o${'w'.repeat(100)}` },
    { type: 'text' },
    { fieldType: 'number' },
    { groupName: 'nothing' },
    { type: 'enumeration', fieldType: 'select' },
    { type: 'bool', fieldType: 'booleancheckbox', hasUniqueValue: true },
    { label: undefined },
  ])('refuses %j', async (change) => {
    const { call } = openPortal();
    expect(await call('POST', path, { ...own, ...change })).toMatchObject({
      status: 400,
      body: { category: 'VALIDATION_ERROR' },
    });
  });

  it('replaces all options, only when options are sent', async () => {
    const { call } = openPortal();
    const options = ['a', 'b'].map((value) => ({ value, label: value }));
    await call('POST', path, { ...own, type: 'enumeration', fieldType: 'select', options });
    await call('PATCH', `${path}/own`, { label: 'New' });
    expect((await call('GET', `${path}/own`)).body).toMatchObject({
      label: 'New',
      options: [{ value: 'a' }, { value: 'b' }],
    });
    await call('PATCH', `${path}/own`, { options: [{ value: 'c', label: 'C' }] });
    expect((await call('GET', `${path}/own`)).body.options).toMatchObject([{ value: 'c' }]);
  });

  it("lets HubSpot's own enumerations gain options, and nothing else of its own change", async () => {
    const { call } = openPortal();
    const { body } = await call('GET', `${path}/hs_lead_status`);
    const options = [...body.options, { value: 'HOT', label: 'Hot' }];
    expect((await call('PATCH', `${path}/hs_lead_status`, { options })).status).toBe(200);
    const lead = { properties: { name: 'A', hs_lead_status: 'HOT' } };
    expect((await call('POST', '/crm/v3/objects/companies', lead)).status).toBe(201);
    expect((await call('PATCH', `${path}/name`, { label: 'x' })).status).toBe(400);
    expect((await call('DELETE', `${path}/name`)).status).toBe(400);
  });

  it('creates, reads and archives batches, with a result for each input', async () => {
    const { call } = openPortal();
    const created = await call('POST', `${path}/batch/create`, { inputs: [own, { ...own, name: 'name' }] });
    expect(created.status).toBe(207);
    expect(created.body).toMatchObject({
      numErrors: 1,
      results: [{ name: 'own' }],
      errors: [{ category: 'OBJECT_ALREADY_EXISTS' }],
    });
    const inputs = [{ name: 'own' }, { name: 'nothing' }];
    const read = await call('POST', `${path}/batch/read`, { inputs, archived: false });
    expect(read).toMatchObject({
      status: 207,
      body: { results: [{ name: 'own' }], errors: [{ category: 'OBJECT_NOT_FOUND' }] },
    });
    expect((await call('POST', `${path}/batch/archive`, { inputs })).status).toBe(204);
    expect((await call('GET', `${path}/own`)).status).toBe(404);
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `p${i}` }));
    expect((await call('POST', `${path}/batch/read`, { inputs: many })).status).toBe(400);
  });
});

describe('property groups', () => {
  it('are created, listed, changed and removed', async () => {
    const { call } = openPortal();
    expect((await call('POST', `${path}/groups`, { name: 'ours', label: 'Ours' })).status).toBe(201);
    expect((await call('POST', `${path}/groups`, { name: 'ours', label: 'Ours' })).status).toBe(409);
    expect((await call('PATCH', `${path}/groups/ours`, { label: 'All ours' })).body.label).toBe('All ours');
    const { body } = await call('GET', `${path}/groups`);
    expect(body.results.map(({ name }) => name)).toEqual(['companyinformation', 'ours']);
    expect((await call('DELETE', `${path}/groups/ours`)).status).toBe(204);
    expect((await call('GET', `${path}/groups/ours`)).status).toBe(404);
  });

  it('cannot be removed while they have active properties', async () => {
    const { call } = openPortal();
    await call('POST', `${path}/groups`, { name: 'ours', label: 'Ours' });
    await call('POST', path, { ...own, groupName: 'ours' });
    const { status, body } = await call('DELETE', `${path}/groups/ours`);
    expect(status).toBe(400);
    expect(body.subCategory).toContain('GROUP_WITH_ACTIVE_PROPERTIES');
    await call('DELETE', `${path}/own`);
    expect((await call('DELETE', `${path}/groups/ours`)).status).toBe(204);
  });
});
