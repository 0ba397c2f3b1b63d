import { limits } from '../../../src/contract/index.ts';
import { createTestService, unknownId } from './service-harness.ts';

describe('blacklists', () => {
  it('are created, listed, read, changed and deleted', async () => {
    const { ask, pass } = createTestService();
    const created = await ask('POST', '/blacklists', { name: 'Customers', description: 'All of them' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Customers',
      description: 'All of them',
      entry_count: 0,
      created_at: '2026-11-20T12:00:00.000000Z',
      updated_at: '2026-11-20T12:00:00.000000Z',
    });
    const path = `/blacklists/${created.body.id}`;
    const second = await ask('POST', '/blacklists', { name: 'Partners' });
    expect(second.body.description).toBeNull();
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [created.body, second.body] });
    expect((await ask('GET', path)).body).toEqual(created.body);

    pass(1.5);
    const renamed = await ask('PATCH', path, { name: 'Clients' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({
      ...created.body,
      name: 'Clients',
      updated_at: '2026-11-20T12:00:01.500000Z',
    });
    expect((await ask('PATCH', path, { description: null })).body).toMatchObject({
      name: 'Clients',
      description: null,
    });

    const deleted = await ask('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await ask('GET', path)).status).toBe(404);
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [second.body] });
  });

  it('return the full 404 body for an unknown id', async () => {
    const { ask } = createTestService();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['GET', '/entries', undefined],
      ['POST', '/entries', { entries: [{ company_name: 'A' }] }],
      ['DELETE', '/entries', { entry_ids: [unknownId] }],
    ] as const) {
      const answer = await ask(method, `/blacklists/${unknownId}${path}`, body);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        code: 'BLACKLIST_NOT_FOUND',
        message: expect.any(String),
        resource_type: 'blacklist',
        identifier: unknownId,
        blacklist_id: unknownId,
      });
    }
  });

  it.each([
    ['no name', 'POST', {}, ['body', 'name']],
    ['an empty name', 'POST', { name: '' }, ['body', 'name']],
    ['a long name', 'POST', { name: 'x'.repeat(limits.blacklistName.max + 1) }, ['body', 'name']],
    ['a long description', 'POST', { name: 'A', description: 'x'.repeat(2_001) }, ['body', 'description']],
    ['a null name', 'PATCH', { name: null }, ['body', 'name']],
    ['an unknown field', 'POST', { name: 'A', colour: 'red' }, ['body', 'colour']],
    ['a list', 'POST', [], ['body']],
    ['broken JSON', 'POST', '{"name":', ['body']],
    ['no body', 'POST', '', ['body']],
  ])('refuse %s with 422', async (_, method, body, loc) => {
    const { ask, createBlacklist } = createTestService();
    const path = method === 'PATCH' ? `/blacklists/${await createBlacklist()}` : '/blacklists';
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ detail: [{ loc, msg: expect.any(String), type: expect.any(String) }] });
  });

  it('accept the longest name and description', async () => {
    const { ask } = createTestService();
    const longest = { name: 'n'.repeat(500), description: 'd'.repeat(2_000) };
    expect((await ask('POST', '/blacklists', longest)).body).toMatchObject(longest);
  });

  it('refuse path ids that are not UUIDs', async () => {
    const { ask } = createTestService();
    const answer = await ask('GET', '/blacklists/17');
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc).toEqual(['path', 'blacklist_id']);
  });
});
