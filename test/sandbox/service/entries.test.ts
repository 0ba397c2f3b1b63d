import * as fc from 'fast-check';
import { createTestService, unknownId } from './service-harness.ts';

const names = (count: number) => Array.from({ length: count }, (_, place) => ({ company_name: `Company ${place}` }));

describe('blacklist entries', () => {
  it('are returned as an array, with null for omitted fields', async () => {
    const { ask, createBlacklist, pass } = createTestService();
    const id = await createBlacklist();
    pass(1);
    const full = {
      company_name: 'A',
      website_url: 'www.a.example',
      city: 'Bern',
      country: 'CH',
      external_id: '7',
      reason: 'customer',
    };
    const { status, body } = await ask('POST', `/blacklists/${id}/entries`, { entries: [full, { company_name: 'B' }] });
    expect(status).toBe(201);
    const created_at = '2026-11-20T12:00:01.000000Z';
    const none = { website_url: null, city: null, country: null, external_id: null, reason: null };
    expect(body).toEqual([
      { ...full, id: expect.any(String), created_at },
      { ...none, company_name: 'B', id: expect.any(String), created_at },
    ]);
    expect((await ask('GET', `/blacklists/${id}`)).body).toMatchObject({ entry_count: 2, updated_at: created_at });
  });

  it('are added twice by the same request sent twice', async () => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist(names(3));
    await ask('POST', `/blacklists/${id}/entries`, { entries: names(3) });
    expect((await ask('GET', `/blacklists/${id}/entries`)).body.total).toBe(6);
  });

  it('are removed by id; unknown ids change nothing', async () => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist(names(5));
    const { body: page } = await ask('GET', `/blacklists/${id}/entries`);
    const removed = [page.entries[1].id, page.entries[3].id.toUpperCase(), unknownId];
    expect((await ask('DELETE', `/blacklists/${id}/entries`, { entry_ids: removed })).status).toBe(204);
    expect((await ask('DELETE', `/blacklists/${id}/entries`, { entry_ids: removed })).status).toBe(204);
    const left = await ask('GET', `/blacklists/${id}/entries`);
    expect(left.body.entries).toEqual([page.entries[0], page.entries[2], page.entries[4]]);
    expect((await ask('GET', `/blacklists/${id}`)).body.entry_count).toBe(3);
  });

  it('are paged without gaps at any limit', async () => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist(names(137));
    const whole = (await ask('GET', `/blacklists/${id}/entries?limit=200`)).body.entries;
    expect(whole).toHaveLength(137);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (limit) => {
        const read: unknown[] = [];
        for (let offset = 0, more = true; more; offset += limit) {
          const { body } = await ask('GET', `/blacklists/${id}/entries?limit=${limit}&offset=${offset}`);
          expect(body).toMatchObject({ total: 137, limit, offset });
          read.push(...body.entries);
          more = offset + limit < body.total;
        }
        expect(read).toEqual(whole);
      }),
      { numRuns: 20 },
    );
    expect((await ask('GET', `/blacklists/${id}/entries`)).body).toMatchObject({ limit: 50, offset: 0 });
    expect((await ask('GET', `/blacklists/${id}/entries?offset=500`)).body.entries).toEqual([]);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'offset=-1', 'cursor=7'])('refuse ?%s', async (query) => {
    const { ask, createBlacklist } = createTestService();
    const answer = await ask('GET', `/blacklists/${await createBlacklist()}/entries?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc).toEqual(['query', query.split('=')[0]]);
  });

  it.each([
    ['no entries', 'POST', { entries: [] }],
    ['more than 10,000 entries', 'POST', { entries: names(10_001) }],
    ['an entry without a name', 'POST', { entries: [{ city: 'Bern' }] }],
    ['a website without a prefix', 'POST', { entries: [{ company_name: 'A', website_url: 'a.example' }] }],
    ['a long website', 'POST', { entries: [{ company_name: 'A', website_url: `https://${'a'.repeat(2_041)}` }] }],
    ['no entry ids', 'DELETE', { entry_ids: [] }],
    ['more than 1,000 entry ids', 'DELETE', { entry_ids: Array.from({ length: 1_001 }, () => unknownId) }],
    ['an entry id that is no UUID', 'DELETE', { entry_ids: ['7'] }],
  ])('refuse %s', async (_, method, body) => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist();
    expect((await ask(method, `/blacklists/${id}/entries`, body)).status).toBe(422);
    expect((await ask('GET', `/blacklists/${id}`)).body.entry_count).toBe(0);
  });

  it('report at most 100 broken rules and never values', async () => {
    const { ask, createBlacklist } = createTestService();
    const entries = Array.from({ length: 500 }, () => ({ company_name: 'A', website_url: 'secret.example' }));
    const answer = await ask('POST', `/blacklists/${await createBlacklist()}/entries`, { entries });
    expect(answer.body.detail).toHaveLength(100);
    expect(answer.body.detail[7].loc).toEqual(['body', 'entries', 7, 'website_url']);
    expect(answer.text).not.toContain('secret');
  });
});
