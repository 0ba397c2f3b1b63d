import { openPortal } from './hubspot-harness.ts';

const owners = '/crm/v3/owners';

describe('owners', () => {
  it('pages through active owners, and lists archived owners separately', async () => {
    const { call } = openPortal();
    const { status, body } = await call('GET', `${owners}/`);
    expect(status).toBe(200);
    expect(body.results).toHaveLength(3);
    expect(body).not.toHaveProperty('paging');
    const first = await call('GET', `${owners}?limit=2`);
    const rest = await call('GET', `${owners}?limit=2&after=${first.body.paging?.next.after}`);
    expect([...first.body.results, ...rest.body.results]).toEqual(body.results);
    expect((await call('GET', `${owners}?archived=true`)).body.results).toMatchObject([{ archived: true }]);
    expect((await call('GET', `${owners}?limit=500`)).status).toBe(200);
    expect((await call('GET', `${owners}?limit=501`)).status).toBe(400);
  });

  it('finds an owner by id, user id and email', async () => {
    const { call } = openPortal();
    const [owner] = (await call('GET', owners)).body.results;
    const { id, userId, email } = owner as unknown as { id: string; userId: number; email: string };
    expect((await call('GET', `${owners}/${id}`)).body).toEqual(owner);
    expect((await call('GET', `${owners}/${userId}?idProperty=userId`)).body).toEqual(owner);
    expect((await call('GET', `${owners}?email=${email.toUpperCase()}`)).body.results).toEqual([owner]);
    expect((await call('GET', `${owners}/1`)).status).toBe(404);
    expect((await call('GET', `/crm/owners/2026-09/${id}`)).body).toEqual(owner);
  });
});
