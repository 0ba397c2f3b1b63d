import { openPortal, specs } from './hubspot-harness.ts';

function mergingPortal(options = {}) {
  const portal = openPortal(options);
  const merge = (type: string, primaryObjectId: string, objectIdToMerge: string) =>
    portal.call('POST', `/crm/v3/objects/${type}/merge`, { primaryObjectId, objectIdToMerge });
  const read = async (type: string, id: string, ...names: string[]) =>
    (await portal.call('GET', `/crm/v3/objects/${type}/${id}?properties=${names.join(',')}`)).body.properties;
  return { ...portal, merge, read, linked: portal.typesOf };
}

describe('merge', () => {
  it('creates a new record in which values of the primary record win', async () => {
    const { create, merge, call, read, search } = mergingPortal({ assumed: { mergedIds: 'gone' } });
    const [a, b] = await create(
      'companies',
      { name: 'A', domain: 'a.example' },
      { name: 'B', domain: 'b.example', city: 'Bern' },
    );
    const { status, body } = await merge('companies', a, b);
    expect(status).toBe(200);
    expect(body).toMatchObject({ archived: false, properties: { name: 'A', domain: 'a.example' } });
    expect([a, b]).not.toContain(body.id);
    for (const id of [a, b]) {
      expect((await call('GET', `/crm/v3/objects/companies/${id}`)).status).toBe(404);
      expect((await call('GET', `/crm/v3/objects/companies/${id}?archived=true`)).status).toBe(404);
    }
    expect(await read('companies', body.id, 'city', 'hs_merged_object_ids', 'hs_additional_domains')).toMatchObject({
      city: 'Bern',
      hs_merged_object_ids: `${a};${b}`,
      hs_additional_domains: 'b.example',
      hs_object_id: body.id,
    });
    expect((await search('companies', {})).body.results.map(({ id }) => id)).toEqual([body.id]);
    expect((await call('GET', '/crm/v3/objects/companies')).body.results.map(({ id }) => id)).toEqual([body.id]);
  });

  it('keeps the id of the primary record when that is assumed', async () => {
    const { create, merge, call, read } = mergingPortal({ assumed: { mergeKeepsPrimaryId: true, mergedIds: 'gone' } });
    const [a, b, c] = await create('companies', { name: 'A' }, { name: 'B', city: 'Bern' }, { name: 'C' });
    expect((await merge('companies', a, b)).body.id).toBe(a);
    expect((await merge('companies', a, c)).body.id).toBe(a);
    expect(await read('companies', a, 'city', 'hs_merged_object_ids')).toMatchObject({
      city: 'Bern',
      hs_merged_object_ids: `${b};${c}`,
    });
    expect((await call('GET', `/crm/v3/objects/companies/${b}`)).status).toBe(404);
  });

  it('resolves old ids to the merged record', async () => {
    const { create, merge, call, batch, linked, search } = mergingPortal();
    const [a, b, c] = await create('companies', { name: 'A' }, { name: 'B' }, { name: 'C' });
    const [contact] = await create('contacts', { lastname: 'L' });
    const first = (await merge('companies', a, b)).body.id;
    const { id } = (await merge('companies', c, first)).body;
    expect((await call('GET', `/crm/v3/objects/companies/${a}`)).body.id).toBe(id);
    expect((await batch('companies', 'read', [{ id: a }, { id: c }])).body.results.map((record) => record.id)).toEqual([
      id,
    ]);
    const updated = await batch('companies', 'update', [{ id: b, properties: { city: 'Bern' } }]);
    expect(updated.body.results).toMatchObject([{ id, properties: { city: 'Bern' } }]);
    await call('POST', '/crm/v4/associations/contacts/companies/batch/associate/default', {
      inputs: [{ from: { id: contact }, to: { id: a } }],
    });
    expect(await linked('contacts', contact, 'companies')).toEqual({ [id]: [279] });
    expect((await search('companies', {})).body.total).toBe(1);
  });

  it('adds the addresses of the merged contact as secondary emails', async () => {
    const { create, merge, call, read, search } = mergingPortal();
    const [a, b] = await create(
      'contacts',
      { email: 'a@acme.example', hs_additional_emails: 'a2@acme.example' },
      { email: 'b@acme.example', hs_additional_emails: 'b2@acme.example' },
    );
    const { id } = (await merge('contacts', a, b)).body;
    const emails = await read('contacts', id, 'email', 'hs_additional_emails');
    expect(emails).toMatchObject({
      email: 'a@acme.example',
      hs_additional_emails: 'a2@acme.example;b@acme.example;b2@acme.example',
    });
    const filters = [{ propertyName: 'email', operator: 'EQ', value: 'b@acme.example' }];
    expect((await search('contacts', { filterGroups: [{ filters }] })).body.total).toBe(0);
    expect(await call('POST', '/crm/v3/objects/contacts', { properties: { email: 'b@acme.example' } })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(new RegExp(` ${id} already has that value\\.$`)) },
    });
  });

  it('keeps the only email address of both', async () => {
    const { create, merge, read } = mergingPortal();
    const [a, b] = await create('contacts', { lastname: 'A' }, { email: 'b@acme.example' });
    const { id } = (await merge('contacts', a, b)).body;
    expect(await read('contacts', id, 'email', 'hs_email_domain', 'hs_additional_emails')).toMatchObject({
      email: 'b@acme.example',
      hs_email_domain: 'acme.example',
      hs_additional_emails: null,
    });
  });

  it('moves unique values, and frees the value that is dropped', async () => {
    const { create, merge, call, batch, unique } = mergingPortal();
    await unique('companies', 'our_key');
    const [a, b, c] = await create(
      'companies',
      { name: 'A', our_key: 'ka' },
      { name: 'B', our_key: 'kb' },
      { name: 'C' },
    );
    const merged = (await merge('companies', a, b)).body.id;
    const byKey = (key: string) => call('GET', `/crm/v3/objects/companies/${key}?idProperty=our_key`);
    expect((await byKey('ka')).body.id).toBe(merged);
    expect((await byKey('kb')).status).toBe(404);
    const upsert = [{ id: 'kb', idProperty: 'our_key', properties: { name: 'New' } }];
    expect((await batch('companies', 'upsert', upsert)).body.results).toMatchObject([{ new: true }]);
    const last = (await merge('companies', c, merged)).body.id;
    expect((await byKey('ka')).body.id).toBe(last);
  });

  it('moves associations with their labels, and keeps the primary company of the primary contact', async () => {
    const { create, merge, call, linked } = mergingPortal();
    const [a, b] = await create('contacts', { lastname: 'A' }, { lastname: 'B' });
    const [x, y] = await create('companies', { name: 'X' }, { name: 'Y' });
    const inputs = [
      { from: { id: a }, to: { id: x }, types: specs(1) },
      { from: { id: b }, to: { id: x }, types: specs(279) },
      { from: { id: b }, to: { id: y }, types: specs(1) },
    ];
    await call('POST', '/crm/v4/associations/contacts/companies/batch/create', { inputs });
    const contact = (await merge('contacts', a, b)).body.id;
    expect(await linked('contacts', contact, 'companies')).toEqual({ [x]: [1, 279], [y]: [279] });
    const company = (await merge('companies', y, x)).body.id;
    expect(await linked('contacts', contact, 'companies')).toEqual({ [company]: [1, 279] });
    expect(await linked('companies', company, 'contacts')).toEqual({ [contact]: [2, 280] });
  });

  it('removes the association between two merged records', async () => {
    const { create, merge, call, linked } = mergingPortal();
    const [a, b, c] = await create('companies', { name: 'A' }, { name: 'B' }, { name: 'C' });
    const inputs = [a, b].map((id) => ({ from: { id: c }, to: { id }, types: specs(13) }));
    inputs.push({ from: { id: a }, to: { id: b }, types: specs(450) });
    await call('POST', '/crm/v4/associations/companies/companies/batch/create', { inputs });
    const { id } = (await merge('companies', a, b)).body;
    expect(await linked('companies', id, 'companies')).toEqual({ [c]: [14, 450] });
  });

  it('refuses the 251st merge with 414', async () => {
    const { create, merge } = mergingPortal();
    let [last] = await create('contacts', { lastname: 'A' });
    for (let i = 0; i < 250; i++) {
      const [other] = await create('contacts', { lastname: 'B' });
      last = (await merge('contacts', last, other)).body.id;
    }
    const [other] = await create('contacts', { lastname: 'C' });
    expect((await merge('contacts', last, other)).status).toBe(414);
    expect((await merge('contacts', other, last)).status).toBe(414);
  });

  it('refuses unknown records, and a record with itself', async () => {
    const { create, merge } = mergingPortal();
    const [a] = await create('companies', { name: 'A' });
    expect((await merge('companies', a, '42')).status).toBe(404);
    expect((await merge('companies', '42', a)).status).toBe(404);
    expect((await merge('companies', a, a)).status).toBe(400);
  });
});
