import { createTestService, unknownId } from '../sandbox/service/service-harness.ts';
import { expectScope, timestamp, uuid } from './surroundings.ts';

const hour = 3_600;

describe('Blacklist', () => {
  it('id: is a UUID, another one for every blacklist', async () => {
    const { createBlacklist } = createTestService();
    const [first, second] = [await createBlacklist(), await createBlacklist()];
    expect(first).toMatch(uuid);
    expect(second).toMatch(uuid);
    expect(second).not.toBe(first);
  });

  it('name: takes 1 and 500 characters', async () => {
    const { ask } = createTestService();
    for (const name of ['n', 'n'.repeat(500)]) {
      const { status, body } = await ask('POST', '/blacklists', { name });
      expect([status, body.name]).toEqual([201, name]);
    }
  });

  it.each([
    ['no character', ''],
    ['501 characters', 'n'.repeat(501)],
    ['null', null],
    ['a number', 7],
    ['nothing', undefined],
  ])('name: refuses %s', async (_, name) => {
    const { ask } = createTestService();
    expect((await ask('POST', '/blacklists', { name })).status).toBe(422);
  });

  it('name: cannot be null on update, and keeps its limits there', async () => {
    const { ask, createBlacklist } = createTestService();
    const path = `/blacklists/${await createBlacklist()}`;
    const before = (await ask('GET', path)).body;
    for (const name of [null, '', 'n'.repeat(501)]) expect((await ask('PATCH', path, { name })).status).toBe(422);
    expect((await ask('GET', path)).body).toEqual(before);
    const name = 'm'.repeat(500);
    expect((await ask('PATCH', path, { name })).body.name).toBe(name);
  });

  it('description: takes 2,000 characters, refuses 2,001, is null when not sent', async () => {
    const { ask } = createTestService();
    const create = (description?: unknown) => ask('POST', '/blacklists', { name: 'A', description });
    expect((await create('d'.repeat(2_000))).body.description).toBe('d'.repeat(2_000));
    expect((await create('d'.repeat(2_001))).status).toBe(422);
    expect((await create(7)).status).toBe(422);
    expect((await create()).body.description).toBeNull();
  });

  it('description: is cleared by null and by nothing else', async () => {
    const { ask, createBlacklist } = createTestService();
    const path = `/blacklists/${await createBlacklist()}`;
    await ask('PATCH', path, { description: 'All customers' });
    expect((await ask('PATCH', path, { name: 'B' })).body.description).toBe('All customers');
    expect((await ask('PATCH', path, { description: 'd'.repeat(2_001) })).status).toBe(422);
    expect((await ask('GET', path)).body.description).toBe('All customers');
    expect((await ask('PATCH', path, { description: null })).body.description).toBeNull();
    expect((await ask('GET', path)).body.description).toBeNull();
  });

  it('entry_count: is the number of entries, as they come and go', async () => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist();
    const count = async () => (await ask('GET', `/blacklists/${id}`)).body.entry_count;
    expect(await count()).toBe(0);
    const entries = [{ company_name: 'A' }, { company_name: 'A' }, { company_name: 'B' }];
    const { body } = await ask('POST', `/blacklists/${id}/entries`, { entries });
    expect(await count()).toBe(3);
    await ask('DELETE', `/blacklists/${id}/entries`, { entry_ids: [body[1].id] });
    expect(await count()).toBe(2);
    expect((await ask('GET', '/blacklists')).body.blacklists[0].entry_count).toBe(2);
  });

  it('created_at: is in UTC with microseconds and Z, and never moves', async () => {
    const { ask, pass } = createTestService();
    const { body } = await ask('POST', '/blacklists', { name: 'A' });
    expect(body.created_at).toMatch(timestamp);
    pass(hour);
    expect((await ask('PATCH', `/blacklists/${body.id}`, { name: 'B' })).body.created_at).toBe(body.created_at);
  });

  it('updated_at: has the same format, and moves with a change', async () => {
    const { ask, pass } = createTestService();
    const { body } = await ask('POST', '/blacklists', { name: 'A' });
    expect(body.updated_at).toMatch(timestamp);
    pass(hour);
    expect((await ask('GET', `/blacklists/${body.id}`)).body.updated_at).toBe(body.updated_at);
    const { updated_at } = (await ask('PATCH', `/blacklists/${body.id}`, { name: 'B' })).body;
    expect(updated_at).toMatch(timestamp);
    expect(Date.parse(updated_at) - Date.parse(body.updated_at)).toBe(hour * 1_000);
  });
});

describe('Blacklists', () => {
  const fields = ['id', 'name', 'description', 'entry_count', 'created_at', 'updated_at'];

  it('POST /api/v1/blacklists: answers 201 with the blacklist, name required, description optional', async () => {
    const service = createTestService();
    const { status, body } = await service.ask('POST', '/blacklists', { name: 'A', description: 'B' });
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(fields.toSorted());
    expect((await service.ask('POST', '/blacklists', { name: 'A' })).status).toBe(201);
    expect((await service.ask('POST', '/blacklists', { description: 'B' })).status).toBe(422);
    await expectScope(service, 'blacklists:write', 'POST', '/blacklists', { name: 'A' });
  });

  it('GET /api/v1/blacklists: answers 200 with every blacklist of the organisation', async () => {
    const service = createTestService();
    expect((await service.ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
    const created = [
      (await service.ask('POST', '/blacklists', { name: 'A' })).body,
      (await service.ask('POST', '/blacklists', { name: 'B', description: 'C' })).body,
    ];
    const { apiKey } = service.service.createOrganization({ name: 'other' });
    await service.ask('POST', '/blacklists', { name: 'Theirs' }, { apiKey });
    const { status, body } = await service.ask('GET', '/blacklists');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['blacklists']);
    expect(body.blacklists).toHaveLength(2);
    expect(body.blacklists).toEqual(expect.arrayContaining(created));
    await expectScope(service, 'blacklists:read', 'GET', '/blacklists');
  });

  it('GET /api/v1/blacklists/{blacklist_id}: answers 200 with the blacklist as it was created', async () => {
    const service = createTestService();
    const { body: created } = await service.ask('POST', '/blacklists', { name: 'A' });
    const { status, body } = await service.ask('GET', `/blacklists/${created.id}`);
    expect([status, body]).toEqual([200, created]);
    await expectScope(service, 'blacklists:read', 'GET', `/blacklists/${created.id}`);
  });

  it('PATCH /api/v1/blacklists/{blacklist_id}: answers 200 and leaves omitted fields as they were', async () => {
    const service = createTestService();
    const { body: created } = await service.ask('POST', '/blacklists', { name: 'A', description: 'B' });
    const path = `/blacklists/${created.id}`;
    const renamed = await service.ask('PATCH', path, { name: 'C' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...created, name: 'C', updated_at: expect.any(String) }]);
    expect((await service.ask('PATCH', path, { description: 'D' })).body).toMatchObject({
      name: 'C',
      description: 'D',
    });
    expect((await service.ask('PATCH', path, {})).body).toMatchObject({ name: 'C', description: 'D' });
    await expectScope(service, 'blacklists:write', 'PATCH', path, { name: 'E' });
  });

  it('DELETE /api/v1/blacklists/{blacklist_id}: answers 204 without a body; entries and assignments go too', async () => {
    const service = createTestService();
    const { ask, createBlacklist, createProfile } = service;
    const search = `/prospect-searches/${await createProfile()}/blacklists`;
    const [gone, kept] = [await createBlacklist([{ company_name: 'A' }]), await createBlacklist()];
    await ask('PUT', search, { blacklist_ids: [gone, kept] });
    const deleted = await ask('DELETE', `/blacklists/${gone}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await ask('GET', `/blacklists/${gone}`)).status).toBe(404);
    expect((await ask('GET', `/blacklists/${gone}/entries`)).status).toBe(404);
    expect((await ask('GET', search)).body.blacklists).toMatchObject([{ id: kept }]);
    await expectScope(service, 'blacklists:write', 'DELETE', `/blacklists/${kept}`);
  });

  it('POST /api/v1/blacklists/{blacklist_id}/entries: answers 201 with a bare array of the created entries', async () => {
    const service = createTestService();
    const path = `/blacklists/${await service.createBlacklist()}/entries`;
    const entries = [{ company_name: 'A' }, { company_name: 'B' }];
    const { status, body } = await service.ask('POST', path, { entries });
    expect(status).toBe(201);
    expect(Array.isArray(body)).toBe(true);
    expect(body).toMatchObject(entries);
    for (const refused of [{}, { entries: { company_name: 'A' } }, entries])
      expect((await service.ask('POST', path, refused)).status).toBe(422);
    await expectScope(service, 'blacklists:write', 'POST', path, { entries });
  });

  it('GET /api/v1/blacklists/{blacklist_id}/entries: pages; more exist while offset + limit < total', async () => {
    const service = createTestService();
    const names = Array.from({ length: 5 }, (_, place) => ({ company_name: `Company ${place}` }));
    const path = `/blacklists/${await service.createBlacklist(names)}/entries`;
    const whole = await service.ask('GET', path);
    expect([whole.status, whole.body]).toEqual([200, { entries: expect.any(Array), total: 5, limit: 50, offset: 0 }]);
    expect(whole.body.entries).toHaveLength(5);
    const read: unknown[] = [];
    for (let offset = 0, more = true; more; offset += 2) {
      const { body } = await service.ask('GET', `${path}?limit=2&offset=${offset}`);
      expect(body).toMatchObject({ total: 5, limit: 2, offset });
      read.push(...body.entries);
      more = offset + 2 < body.total;
    }
    expect(read).toEqual(whole.body.entries);
    await expectScope(service, 'blacklists:read', 'GET', path);
  });

  it('DELETE /api/v1/blacklists/{blacklist_id}/entries: answers 204 and removes the named entries', async () => {
    const service = createTestService();
    const path = `/blacklists/${await service.createBlacklist([{ company_name: 'A' }, { company_name: 'B' }])}/entries`;
    const [a, b] = (await service.ask('GET', path)).body.entries;
    const removed = await service.ask('DELETE', path, { entry_ids: [a.id] });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await service.ask('GET', path)).body.entries).toEqual([b]);
    for (const refused of [{}, { entry_ids: b.id }, { entry_ids: ['7'] }])
      expect((await service.ask('DELETE', path, refused)).status).toBe(422);
    await expectScope(service, 'blacklists:write', 'DELETE', path, { entry_ids: [b.id] });
  });

  it('GET /api/v1/prospect-searches/{prospect_search_id}/blacklists: lists what is assigned, none at first', async () => {
    const service = createTestService();
    const { ask, createBlacklist, createProfile } = service;
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const none = await ask('GET', path);
    expect([none.status, none.body]).toEqual([200, { blacklists: [] }]);
    const id = await createBlacklist([{ company_name: 'A' }]);
    await ask('PUT', path, { blacklist_ids: [id] });
    const { body: blacklist } = await ask('GET', `/blacklists/${id}`);
    expect((await ask('GET', path)).body).toEqual({ blacklists: [blacklist] });
    await expectScope(service, 'blacklists:read', 'GET', path);
  });

  it('PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: replaces all at once, or nothing', async () => {
    const service = createTestService();
    const { ask, createBlacklist, createProfile } = service;
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const [a, b, c] = [await createBlacklist(), await createBlacklist(), await createBlacklist()];
    const assigned = async () => new Set((await ask('GET', path)).body.blacklists.map(({ id }: { id: string }) => id));
    const put = await ask('PUT', path, { blacklist_ids: [a, b, a] });
    expect([put.status, put.text]).toEqual([204, '']);
    expect((await ask('GET', path)).body.blacklists).toHaveLength(2);
    expect(await assigned()).toEqual(new Set([a, b]));
    expect((await ask('PUT', path, { blacklist_ids: [c, unknownId] })).status).toBe(404);
    expect(await assigned()).toEqual(new Set([a, b]));
    await ask('PUT', path, { blacklist_ids: [c] });
    expect(await assigned()).toEqual(new Set([c]));
    await ask('PUT', path, { blacklist_ids: [] });
    expect(await assigned()).toEqual(new Set());
    for (const refused of [{}, { blacklist_ids: a }, { blacklist_ids: ['7'] }])
      expect((await ask('PUT', path, refused)).status).toBe(422);
    await expectScope(service, 'blacklists:write', 'PUT', path, { blacklist_ids: [a] });
  });
});
