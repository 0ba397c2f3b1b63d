import { z } from 'zod';
import { operations } from '../../../src/service/contract/index.ts';
import { createServiceSandbox } from '../../../sandbox/service/service-sandbox.ts';
import { createResponder } from '../../../sandbox/service/verified-responses.ts';
import { createTestService, unknownId } from './service-harness.ts';

describe('createServiceSandbox', () => {
  const record = async (options = {}) => {
    const service = createTestService(options);
    const { ask, createProfile, createBlacklist, finishOrder } = service;
    const profile_id = await createProfile();
    const blacklist = await createBlacklist([{ company_name: 'A' }, { company_name: 'B' }]);
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 3, blacklist_ids: [blacklist] };
    const id = await finishOrder(order);
    const paths = ['/blacklists', `/blacklists/${blacklist}/entries`, `/orders/${id}`, `/orders/${id}/results`];
    const texts: string[] = [service.apiKey];
    for (const path of paths) texts.push((await ask('GET', path)).text);
    return texts;
  };

  it('returns the same bytes for the same seed, clock and calls, and others for another seed', async () => {
    const first = await record();
    expect(await record()).toEqual(first);
    const other = await record({ seed: 2 });
    for (const [place, text] of first.entries()) expect(other[place]).not.toBe(text);
  });

  it('isolates organisations from each other', async () => {
    const alone = createServiceSandbox();
    const crowded = createServiceSandbox();
    const other = crowded.createOrganization({ name: 'other' });
    const create = async (sandbox: typeof alone, apiKey: string) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: '{"name":"A"}' };
      const response = await sandbox.fetch(new Request('http://s/api/v1/blacklists', init));
      return z.object({ id: z.string() }).parse(await response.json()).id;
    };
    const theirs = await create(crowded, other.apiKey);
    const mine = alone.createOrganization({ name: 'mine' });
    expect(crowded.createOrganization({ name: 'mine' })).toEqual(mine);
    const first = await create(crowded, mine.apiKey);
    expect(first).toBe(await create(alone, mine.apiKey));
    expect(first).not.toBe(theirs);
    expect(crowded.createOrganization({ name: 'mine' }).organizationId).not.toBe(mine.organizationId);
  });

  it('is empty after a reset, with the same organisations and keys', async () => {
    const { ask, service, createBlacklist, organizationId } = createTestService();
    const id = await createBlacklist();
    service.reset();
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
    expect(service.journal.entries({ owner: organizationId })).toMatchObject([
      { path: '/api/v1/blacklists', status: 200 },
    ]);
    expect(await createBlacklist()).toBe(id);
  });

  it('records the requests of an organisation separately', async () => {
    const { ask, service, organizationId } = createTestService();
    const other = service.createOrganization({ name: 'other' });
    await ask('GET', `/blacklists/${unknownId}/entries?limit=7`);
    await ask('GET', '/blacklists', undefined, { apiKey: other.apiKey });
    await ask('GET', '/blacklists', undefined, { apiKey: 'wrong' });
    expect(service.journal.entries({ owner: organizationId })).toEqual([
      {
        number: 1,
        at: Date.parse('2026-11-20T12:00:00Z'),
        method: 'GET',
        path: `/api/v1/blacklists/${unknownId}/entries?limit=7`,
        status: 404,
        owner: organizationId,
        code: 'BLACKLIST_NOT_FOUND',
        idempotency_key: null,
        fault_id: null,
      },
    ]);
    expect(service.journal.entries({ code: 'UNAUTHORIZED' })).toMatchObject([{ number: 3, owner: null, status: 401 }]);
  });

  it('records neither email addresses nor signed file addresses', async () => {
    const { service } = createTestService();
    for (const path of [
      '/crm/v3/objects/contacts/a.b@person.example?idProperty=email&x=c%40d.example',
      '/files/token/a.csv',
    ]) {
      await service.fetch(new Request(`http://service.test${path}`));
    }
    expect(service.journal.entries().map(({ path }) => path)).toEqual([
      '/crm/v3/objects/contacts/{email}?idProperty=email&x={email}',
      '/files/…',
    ]);
  });

  it('ignores unknown request fields when that is assumed', async () => {
    const { ask } = createTestService({ assume: { unknown_request_fields: 'ignore' } });
    const { status, body } = await ask('POST', '/blacklists?colour=red', { name: 'A', colour: 'red' });
    expect(status).toBe(201);
    const entries = [{ company_name: 'A', colour: 'red' }, { company_name: 'B' }];
    expect((await ask('POST', `/blacklists/${body.id}/entries`, { entries, more: 1 })).status).toBe(201);
    expect((await ask('POST', '/blacklists', { colour: 'red' })).status).toBe(422);
  });
});

describe('faults', () => {
  it('lose the answer of an executed request', async () => {
    const { ask, service, organizationId, createBlacklist } = createTestService();
    const id = await createBlacklist();
    const path = `/blacklists/${id}/entries`;
    service.faults.add({ method: 'POST', path: `/api/v1${path}`, times: 1, commit: true, reset: true });
    const entries = [{ company_name: 'A' }];
    await expect(ask('POST', path, { entries })).rejects.toThrow(TypeError);
    expect((await ask('GET', path)).body.total).toBe(1);
    expect(service.journal.entries({ owner: organizationId })).toContainEqual(
      expect.objectContaining({ method: 'POST', path: `/api/v1${path}`, status: 0, fault_id: 'fault-1' }),
    );
  });

  it('allow a lost order to be placed again with its key', async () => {
    const { ask, service, createProfile } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    service.faults.add({ method: 'POST', path: '/api/v1/orders', times: 1, commit: true, reset: true });
    await expect(ask('POST', '/orders', order, { idempotencyKey: 'k' })).rejects.toThrow('fetch failed');
    const [again, more] = [
      await ask('POST', '/orders', order, { idempotencyKey: 'k' }),
      await ask('POST', '/orders', order, { idempotencyKey: 'k' }),
    ];
    expect(again.text).toBe(more.text);
    expect(again.status).toBe(201);
  });
});

describe('createResponder', () => {
  const settings = { results_not_ready_status: 409 };
  const blacklist = {
    id: unknownId,
    name: 'A',
    description: null,
    entry_count: 0,
    created_at: '2026-11-20T12:00:00.000000Z',
    updated_at: '2026-11-20T12:00:00.000000Z',
  };

  it.each([
    ['an unknown field', 200, { ...blacklist, colour: 'red' }, 'colour: no such field'],
    ['a missing field', 200, { ...blacklist, name: undefined }, 'name: must be string'],
    ['a timestamp without microseconds', 200, { ...blacklist, created_at: '2026-11-20T12:00:00Z' }, 'created_at:'],
    ['an undeclared status', 418, {}, 'status 418'],
    ['an unknown error code', 404, { code: 'GONE', message: 'x', resource_type: 'x', identifier: 'x' }, 'code:'],
  ])('turns %s into a 500 with the difference', async (_, status, body, difference) => {
    const answer = { status, body };
    const response = createResponder({ ...settings, strict: true })(operations.getBlacklist, answer);
    expect(response.status).toBe(500);
    const { code, differences } = z
      .object({ code: z.string(), differences: z.array(z.string()) })
      .parse(await response.json());
    expect(code).toBe('INTERNAL_ERROR');
    expect(differences.join('\n')).toContain(difference);
    expect(createResponder({ ...settings, strict: false })(operations.getBlacklist, answer).status).toBe(status);
  });

  it('sends an answer that follows the contract', () => {
    const respond = createResponder({ ...settings, strict: true });
    expect(respond(operations.getBlacklist, { status: 200, body: blacklist }).status).toBe(200);
    expect(respond(operations.deleteBlacklist, { status: 204 }).status).toBe(204);
    expect(respond(operations.deleteBlacklist, { status: 204, body: {} }).status).toBe(500);
  });
});

describe('stepOrder', () => {
  const place = async () => {
    const service = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await service.createProfile(), briefing_quantity: 2 };
    const id = await service.createOrder({ ...order, title: 'stay:RECEIVED' });
    return { ...service, id };
  };

  it('stops the progression of an order', async () => {
    const { ask, service, createProfile, createOrder, pass } = createTestService();
    const id = await createOrder({ order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 2 });
    service.stepOrder(id, { status: 'RECEIVED' });
    pass(3_600);
    expect((await ask('GET', `/orders/${id}`)).body.status).toBe('RECEIVED');
  });

  it('refuses an earlier status, or another one after a final status', async () => {
    const { service, id } = await place();
    service.stepOrder(id, { status: 'IN_PROGRESS' });
    expect(() => service.stepOrder(id, { status: 'ACCEPTED' })).toThrow('status 409');
    service.stepOrder(id, { status: 'CANCELLED' });
    expect(() => service.stepOrder(id, { status: 'COMPLETED' })).toThrow('status 409');
    expect(() => service.stepOrder(unknownId, { status: 'COMPLETED' })).toThrow('status 404');
  });
});
