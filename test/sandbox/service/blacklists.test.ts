import { createTestService, unknownId } from './service-harness.ts';

describe('blacklists', () => {
  it('are listed in the order of their creation, with the time of the sandbox clock', async () => {
    const { ask, pass } = createTestService();
    const { body: first } = await ask('POST', '/blacklists', { name: 'Customers' });
    expect(first).toMatchObject({
      created_at: '2026-11-20T12:00:00.000000Z',
      updated_at: '2026-11-20T12:00:00.000000Z',
    });
    pass(1.5);
    const { body: second } = await ask('POST', '/blacklists', { name: 'Archive' });
    expect(second.created_at).toBe('2026-11-20T12:00:01.500000Z');
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [first, second] });
  });

  it.each([
    ['no name', 'POST', '', {}, ['body', 'name']],
    ['an unknown field', 'POST', '', { name: 'A', colour: 'red' }, ['body', 'colour']],
    ['a list', 'POST', '', [], ['body']],
    ['broken JSON', 'POST', '', '{"name":', ['body']],
    ['no body', 'POST', '', '', ['body']],
    ['a path id that is no UUID', 'GET', '/17', undefined, ['path', 'blacklist_id']],
  ])('name the place of %s in the refusal', async (_, method, path, body, loc) => {
    const answer = await createTestService().ask(method, `/blacklists${path}`, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ detail: [{ loc, msg: expect.any(String), type: expect.any(String) }] });
  });
});

describe('blacklist assignments', () => {
  it('keep their order, and name an unknown blacklist; an id in upper case is the same id', async () => {
    const { ask, createProfile, createBlacklist } = createTestService();
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const [a, b] = [await createBlacklist(), await createBlacklist()];
    await ask('PUT', path, { blacklist_ids: [b, a, b, b.toUpperCase()] });
    expect((await ask('GET', path)).body.blacklists).toMatchObject([{ id: b }, { id: a }]);
    const refused = await ask('PUT', path, { blacklist_ids: [a, unknownId] });
    expect([refused.status, refused.body.blacklist_id]).toEqual([404, unknownId]);
  });
});
