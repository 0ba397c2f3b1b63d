import { openPortal } from './hubspot-harness.ts';

const contacts = '/crm/v3/objects/contacts';
const two = { email: 'a@acme.example', hs_additional_emails: 'B@acme.example' };

describe('secondary emails', () => {
  it('are not found by reads and updates by email', async () => {
    const { call, batch, create } = openPortal();
    await create('contacts', two);
    const read = await batch('contacts', 'read', [{ id: 'a@acme.example' }, { id: 'b@acme.example' }], {
      idProperty: 'email',
    });
    expect(read.body.results).toHaveLength(1);
    expect(read.body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['b@acme.example'] } }]);
    const path = `${contacts}/b@acme.example?idProperty=email`;
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('PATCH', path, { properties: { city: 'Bern' } })).status).toBe(404);
  });

  it('are found by reads and updates when that is assumed', async () => {
    const { call, batch, create } = openPortal({ assumed: { readBySecondaryEmail: 'found' } });
    const [id] = await create('contacts', two);
    const read = await batch('contacts', 'read', [{ id: 'B@ACME.example' }], { idProperty: 'email' });
    expect(read.body.results).toMatchObject([{ id, properties: { email: 'a@acme.example' } }]);
    expect((await call('GET', `${contacts}/b@acme.example?idProperty=email`)).body.id).toBe(id);
  });

  const upsertBoth = async (email: string, options: Parameters<typeof openPortal>[0] = {}) => {
    const portal = openPortal(options);
    await portal.unique('contacts', 'our_key');
    const [id] = await portal.create('contacts', two);
    const inputs = [email, 'c@acme.example'].map((email, i) => ({
      id: `k${i}`,
      idProperty: 'our_key',
      properties: { email },
      objectWriteTraceId: `t${i}`,
    }));
    const answer = await portal.batch('contacts', 'upsert', inputs);
    return { ...answer, message: `Contact already exists. Existing ID: ${id}`, search: portal.search };
  };

  it.each(['a@acme.example', 'b@acme.example'])('refuse a batch that gives %s to another contact', async (email) => {
    const { status, body, message, search } = await upsertBoth(email);
    expect([status, body]).toMatchObject([409, { message, category: 'CONFLICT' }]);
    expect((await search('contacts', {})).body.total).toBe(1);
  });

  it('refuse only the row when that is assumed', async () => {
    const { status, body, message } = await upsertBoth('b@acme.example', { assumed: { uniqueConflict: 'per-row' } });
    expect([status, body.results.length]).toEqual([207, 1]);
    expect(body.errors).toMatchObject([{ message, context: { objectWriteTraceId: ['t0'] } }]);
  });

  it('become free when they are removed', async () => {
    const { call, create } = openPortal();
    const [id] = await create('contacts', two);
    await call('PATCH', `${contacts}/${id}`, { properties: { hs_additional_emails: '' } });
    const taken = await call('POST', contacts, { properties: { email: 'b@acme.example' } });
    expect(taken.status).toBe(201);
  });
});

describe('archived records', () => {
  const upsertAfterArchiving = async (options: object) => {
    const { call, batch, create, unique } = openPortal(options);
    await unique('companies', 'our_key');
    const [id] = await create('companies', { name: 'A', our_key: 'k' });
    await call('DELETE', `/crm/v3/objects/companies/${id}`);
    const upsert = [{ id: 'k', idProperty: 'our_key', properties: { name: 'B' } }];
    return { id, answer: await batch('companies', 'upsert', upsert) };
  };

  it('free their unique values', async () => {
    const { answer } = await upsertAfterArchiving({});
    expect(answer.body.results).toMatchObject([{ new: true }]);
  });

  it('keep them when that is assumed', async () => {
    const { id, answer } = await upsertAfterArchiving({ assumed: { archivedHoldUniqueValues: true } });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(`${id} already has that value`);
  });

  it('are read in batches on request', async () => {
    const { call, create } = openPortal();
    const [id, other] = await create('companies', { name: 'A' }, { name: 'B' });
    await call('DELETE', `/crm/v3/objects/companies/${id}`);
    const { status, body } = await call('POST', '/crm/v3/objects/companies/batch/read?archived=true', {
      inputs: [{ id }, { id: other }],
    });
    expect(status).toBe(207);
    expect(body.results).toMatchObject([{ id, archived: true, archivedAt: expect.any(String) }]);
    expect(body.errors[0].context).toEqual({ ids: [other] });
  });
});
