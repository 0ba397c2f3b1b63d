import { createTestService } from './service-harness.ts';

const names = (count: number) => Array.from({ length: count }, (_, place) => ({ company_name: `Company ${place}` }));

describe('blacklist entries', () => {
  it('change updated_at of their blacklist', async () => {
    const { ask, createBlacklist, pass } = createTestService();
    const id = await createBlacklist();
    pass(1);
    const { body } = await ask('POST', `/blacklists/${id}/entries`, { entries: names(1) });
    const updated_at = '2026-11-20T12:00:01.000000Z';
    expect(body).toMatchObject([{ created_at: updated_at }]);
    expect((await ask('GET', `/blacklists/${id}`)).body).toMatchObject({ entry_count: 1, updated_at });
  });

  it('are added twice by the same request sent twice', async () => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist(names(3));
    await ask('POST', `/blacklists/${id}/entries`, { entries: names(3) });
    expect((await ask('GET', `/blacklists/${id}/entries`)).body.total).toBe(6);
  });

  it('are removed by an id in upper case', async () => {
    const { ask, createBlacklist } = createTestService();
    const id = await createBlacklist(names(2));
    const { entries } = (await ask('GET', `/blacklists/${id}/entries`)).body;
    await ask('DELETE', `/blacklists/${id}/entries`, { entry_ids: [entries[0].id.toUpperCase()] });
    expect((await ask('GET', `/blacklists/${id}/entries`)).body.entries).toEqual([entries[1]]);
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
