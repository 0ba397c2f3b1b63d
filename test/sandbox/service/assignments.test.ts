import { createTestService, unknownId } from './service-harness.ts';

describe('blacklist assignments', () => {
  it('are replaced as a whole, without duplicates', async () => {
    const { ask, createProfile, createBlacklist } = createTestService();
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const [a, b, c] = [await createBlacklist(), await createBlacklist(), await createBlacklist()];
    const assigned = async () => (await ask('GET', path)).body.blacklists.map(({ id }: { id: string }) => id);
    expect(await assigned()).toEqual([]);

    const put = await ask('PUT', path, { blacklist_ids: [b, a, b, b.toUpperCase()] });
    expect([put.status, put.text]).toEqual([204, '']);
    expect(await assigned()).toEqual([b, a]);
    await ask('PUT', path, { blacklist_ids: [c] });
    expect(await assigned()).toEqual([c]);
    await ask('PUT', path, { blacklist_ids: [] });
    expect(await assigned()).toEqual([]);
  });

  it('stay unchanged when one of the new ids is unknown', async () => {
    const { ask, createProfile, createBlacklist } = createTestService();
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const id = await createBlacklist();
    await ask('PUT', path, { blacklist_ids: [id] });
    const refused = await ask('PUT', path, { blacklist_ids: [await createBlacklist(), unknownId] });
    expect(refused.status).toBe(404);
    expect(refused.body).toMatchObject({ code: 'BLACKLIST_NOT_FOUND', blacklist_id: unknownId });
    expect((await ask('GET', path)).body.blacklists).toMatchObject([{ id }]);
  });

  it('are removed with their blacklist', async () => {
    const { ask, createProfile, createBlacklist } = createTestService();
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const [kept, deleted] = [await createBlacklist(), await createBlacklist()];
    await ask('PUT', path, { blacklist_ids: [deleted, kept] });
    await ask('DELETE', `/blacklists/${deleted}`);
    expect((await ask('GET', path)).body.blacklists).toMatchObject([{ id: kept }]);
  });

  it('refuse more than 100 ids, equal ones too, and unknown prospect searches', async () => {
    const { ask, createProfile } = createTestService();
    const ids = Array.from({ length: 101 }, () => unknownId);
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    expect((await ask('PUT', path, { blacklist_ids: ids })).status).toBe(422);
    const unknown = await ask('PUT', `/prospect-searches/${unknownId}/blacklists`, { blacklist_ids: [] });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'PROSPECT_SEARCH_NOT_FOUND']);
  });
});
