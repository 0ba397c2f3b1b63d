import { openPortal } from './hubspot-harness.ts';

const companies = '/crm/v3/objects/companies';
const contacts = '/crm/v3/objects/contacts';

describe('single records', () => {
  it('creates a company and reads it with the default properties', async () => {
    const { call } = openPortal({ clock: () => new Date('2026-11-21T10:00:00.000Z') });
    const created = await call('POST', companies, {
      properties: { name: 'Acme', domain: 'acme.example', city: 'Bern' },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^\d{11}$/),
      createdAt: '2026-11-21T10:00:00.000Z',
      updatedAt: '2026-11-21T10:00:00.000Z',
      archived: false,
      properties: {
        name: 'Acme',
        domain: 'acme.example',
        city: 'Bern',
        hs_object_id: created.body.id,
        createdate: '2026-11-21T10:00:00.000Z',
        hs_lastmodifieddate: '2026-11-21T10:00:00.000Z',
      },
    });
    const read = await call('GET', `${companies}/${created.body.id}`);
    expect(Object.keys(read.body.properties).sort()).toEqual([
      'createdate',
      'domain',
      'hs_lastmodifieddate',
      'hs_object_id',
      'name',
    ]);
  });

  it('returns requested properties, null without a value, and omits unknown names', async () => {
    const { call, create } = openPortal();
    const [id] = await create('companies', { name: 'Acme' });
    for (const query of ['properties=name,phone,nonsense', 'properties=name&properties=phone&properties=nonsense']) {
      const { body } = await call('GET', `${companies}/${id}?${query}`);
      expect(body.properties).toMatchObject({ name: 'Acme', phone: null });
      expect(body.properties).not.toHaveProperty('nonsense');
      expect(body.properties).not.toHaveProperty('domain');
    }
  });

  it('finds a contact by email in any case, and a record by a custom unique property', async () => {
    const { call, create, unique } = openPortal();
    await unique('companies', 'our_key');
    const [company] = await create('companies', { name: 'Acme', our_key: 'k-1' });
    const [contact] = await create('contacts', { email: 'Ada@Acme.Example' });
    expect((await call('GET', `${contacts}/ADA%40acme.example?idProperty=email`)).body.id).toBe(contact);
    expect((await call('GET', `${companies}/k-1?idProperty=our_key`)).body.id).toBe(company);
  });

  it('does not find a company by its domain, which is not unique', async () => {
    const { call, create } = openPortal();
    await create('companies', { domain: 'acme.example' });
    expect((await call('GET', `${companies}/acme.example?idProperty=domain`)).status).toBe(404);
  });

  it('answers 404 in the documented shape for an unknown record', async () => {
    const { call } = openPortal();
    const { status, body } = await call('GET', `${companies}/123`);
    expect(status).toBe(404);
    expect(body).toEqual({
      status: 'error',
      message: 'Object not found.  objectId are usually numeric.',
      correlationId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      context: { id: ['123'] },
      category: 'OBJECT_NOT_FOUND',
    });
    expect((await call('PATCH', `${companies}/123`, { properties: { name: 'x' } })).status).toBe(404);
  });

  it('updates a record by id and by email, clears with "", and changes the modified date', async () => {
    let now = '2026-11-21T10:00:00.000Z';
    const { call, create } = openPortal({ clock: () => new Date(now) });
    const [id] = await create('contacts', { email: 'ada@acme.example', firstname: 'Ada', city: 'Bern' });
    now = '2026-11-21T11:00:00.000Z';
    await call('PATCH', `${contacts}/${id}`, { properties: { city: '' } });
    const changed = await call('PATCH', `${contacts}/ada@acme.example?idProperty=email`, {
      properties: { phone: 123 },
    });
    expect(changed).toMatchObject({ status: 200, body: { id, updatedAt: now } });
    const { body } = await call('GET', `${contacts}/${id}?properties=city,phone,firstname`);
    expect(body.properties).toMatchObject({ city: null, phone: '123', firstname: 'Ada', lastmodifieddate: now });
    expect(body.createdAt).toBe('2026-11-21T10:00:00.000Z');
  });

  it('requires a name or domain of a company, and an email or name of a contact', async () => {
    const { call } = openPortal();
    const company = await call('POST', companies, { properties: { city: 'Bern' } });
    expect(company.status).toBe(400);
    expect(company.body).toMatchObject({
      message: 'Error creating COMPANY. Some required properties were not set.',
      category: 'VALIDATION_ERROR',
      context: { properties: ['name', 'domain'] },
    });
    expect((await call('POST', contacts, { properties: { jobtitle: 'CTO' } })).status).toBe(400);
    expect((await call('POST', contacts, { properties: { lastname: 'Lovelace' } })).status).toBe(201);
  });

  it('allows two companies with one domain', async () => {
    const { create } = openPortal();
    const ids = await create('companies', { domain: 'acme.example' }, { domain: 'acme.example' });
    expect(new Set(ids).size).toBe(2);
  });

  it('hides archived records, frees their unique values and shows them on request', async () => {
    const { call, create } = openPortal();
    const [id] = await create('contacts', { email: 'ada@acme.example' });
    expect(await call('DELETE', `${contacts}/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await call('GET', `${contacts}/${id}`)).status).toBe(404);
    expect((await call('GET', `${contacts}/${id}?archived=true`)).body).toMatchObject({ id, archived: true });
    expect((await call('GET', `${contacts}/${id}?archived=true`)).body.archivedAt).toMatch(/Z$/);
    expect((await call('DELETE', `${contacts}/${id}`)).status).toBe(204);
    await create('contacts', { email: 'ada@acme.example' });
  });

  it('refuses a taken email with 409, and with that assumption also a secondary address', async () => {
    const { call, create } = openPortal({ assumed: { singleEmailConflict: 'conflict' } });
    const [id] = await create('contacts', {
      email: 'ada@acme.example',
      hs_additional_emails: 'a@acme.example;b@acme.example',
    });
    for (const email of ['ADA@acme.example', 'b@acme.example']) {
      const { status, body } = await call('POST', contacts, { properties: { email } });
      expect(status).toBe(409);
      expect(body).toEqual({
        status: 'error',
        message: `Contact already exists. Existing ID: ${id}`,
        correlationId: expect.any(String),
        category: 'CONFLICT',
      });
    }
  });

  it.each([
    ['changes an email to a taken one', 'PATCH', { email: 'a@acme.example' }],
    ['creates a contact with a secondary address of another', 'POST', { email: 'b@acme.example' }],
    ['creates a contact with a taken unique value', 'POST', { lastname: 'C', our_key: 'k1' }],
    ['changes a unique value to a taken one', 'PATCH', { our_key: 'K1' }],
  ])('names both records when a single write %s', async (_, method, properties) => {
    const { call, create, unique, portalId } = openPortal();
    await unique('contacts', 'our_key');
    const [owner, other] = await create(
      'contacts',
      { email: 'a@acme.example', hs_additional_emails: 'b@acme.example', our_key: 'k1' },
      { lastname: 'B' },
    );
    const path = method === 'PATCH' ? `${contacts}/${other}` : contacts;
    const { status, body } = await call(method, path, { properties });
    const [name, value = ''] = Object.entries(properties).at(-1) ?? [];
    const place = `portalId=${portalId}, objectTypeId=ObjectTypeId{legacyObjectType=CONTACT}, propertyName=${name}, value=${value.toLowerCase()}`;
    const [before, target] = body.message.split(/ on (\d+)\. /);
    expect(status).toBe(400);
    expect(body).toEqual({
      status: 'error',
      message: `${before} on ${target}. ${owner} already has that value.`,
      correlationId: expect.any(String),
      category: 'VALIDATION_ERROR',
    });
    expect(before).toBe(`Cannot set PropertyValueCoordinates{${place}}`);
    // A new record is named by an id that no record gets.
    expect(target === other).toBe(method === 'PATCH');
    expect((await call('GET', `${contacts}/${target}`)).status).toBe(method === 'PATCH' ? 200 : 404);
  });

  it.each(['tickets', 'line_items', 'quotes', 'orders', '0-123', '2-123456', 'p123_car'])(
    'shows no associations with %s, of which there are no records',
    async (type) => {
      const { call, create } = openPortal();
      const [company] = await create('companies', { name: 'A' });
      const [contact] = await create('contacts', { lastname: 'L' });
      const path = '/crm/v4/associations/companies/contacts/batch/associate/default';
      await call('POST', path, { inputs: [{ from: { id: company }, to: { id: contact } }] });
      const { status, body } = await call('GET', `${companies}/${company}?associations=contacts,${type}`);
      expect(status).toBe(200);
      expect(Object.keys(Reflect.get(body, 'associations') as object)).toEqual(['contacts']);
      const list = await call('GET', `${companies}?associations=${type}`);
      expect([list.status, list.body.results]).toEqual([200, [expect.not.objectContaining({ associations: {} })]]);
      expect((await call('GET', `${companies}?associations=false`)).status).toBe(400);
    },
  );

  it.each(['orders', 'users', 'invoices', 'carts', 'goal_targets', 'tickets', '0-142', '2-123456', 'p_car'])(
    'finds no %s',
    async (type) => {
      const { call, batch, search } = openPortal();
      const path = `/crm/v3/objects/${type}`;
      expect(await call('GET', path)).toEqual({ status: 200, body: { results: [] } });
      expect((await call('GET', `${path}/42`)).status).toBe(404);
      expect(await search(type, { limit: 1 })).toEqual({ status: 200, body: { total: 0, results: [] } });
      const read = await batch(type, 'read', [{ id: '42' }]);
      expect([read.status, read.body.results]).toEqual([207, []]);
      expect(read.body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['42'] } }]);
    },
  );

  it('associates a new record with existing ones, and refuses unknown ones', async () => {
    const { call, create } = openPortal();
    const [company] = await create('companies', { name: 'Acme' });
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 1 }];
    const body = { properties: { lastname: 'L' }, associations: [{ to: { id: company }, types }] };
    const { body: contact } = await call('POST', contacts, body);
    const links = await call('GET', `/crm/v4/objects/contacts/${contact.id}/associations/companies`);
    expect(links.body.results).toMatchObject([
      { toObjectId: company, associationTypes: [{ typeId: 1 }, { typeId: 279 }] },
    ]);
    const lost = { properties: { lastname: 'L' }, associations: [{ to: { id: '1' }, types }] };
    expect((await call('POST', contacts, lost)).status).toBe(400);
  });

  it('answers 501 for a query parameter that is not implemented', async () => {
    const { call } = openPortal();
    expect((await call('GET', `${companies}?propertiesWithHistory=name`)).status).toBe(501);
  });
});

describe('list', () => {
  it('pages through every record in the order of ids, ten at a time by default', async () => {
    const { call, create } = openPortal();
    const ids = await create('companies', ...Array.from({ length: 25 }, (_, i) => ({ name: `C${i}` })));
    const first = await call('GET', companies);
    expect(first.body.results).toHaveLength(10);
    const seen: string[] = [];
    let after: string | undefined = '';
    while (after !== undefined) {
      const { body } = await call('GET', `${companies}?limit=12&after=${after}&properties=name`);
      seen.push(...body.results.map(({ id }) => id));
      after = body.paging?.next.after;
    }
    expect(seen).toEqual(ids);
  });

  it('returns empty pages, no paging after the last page, and archived records separately', async () => {
    const { call, create } = openPortal();
    expect((await call('GET', companies)).body).toEqual({ results: [] });
    const [id] = await create('companies', { name: 'A' }, { name: 'B' });
    expect((await call('GET', `${companies}?limit=2`)).body).not.toHaveProperty('paging');
    await call('DELETE', `${companies}/${id}`);
    expect((await call('GET', companies)).body.results).toHaveLength(1);
    expect((await call('GET', `${companies}?archived=true`)).body.results).toMatchObject([{ id, archived: true }]);
  });

  it('refuses a limit above 100 and a foreign cursor', async () => {
    const { call } = openPortal();
    expect((await call('GET', `${companies}?limit=100`)).status).toBe(200);
    expect((await call('GET', `${companies}?limit=101`)).status).toBe(400);
    expect((await call('GET', `${companies}?limit=0`)).status).toBe(400);
    expect((await call('GET', `${companies}?after=abc`)).status).toBe(400);
  });
});
