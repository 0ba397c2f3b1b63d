import { createTestControl } from './control-harness.ts';

describe('the state of the control plane', () => {
  it('empties the service and HubSpot, and keeps the keys valid', async () => {
    const { control, ask, createBlacklist } = createTestControl();
    await createBlacklist();
    await control.POST('/faults', { body: { path: '/', times: 9, status: 500 } });
    expect((await control.POST('/reset')).response.status).toBe(204);
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
  });

  it('restores a snapshot any number of times', async () => {
    const { control, ask, createProfile, createBlacklist, finishOrder, readSlots } = createTestControl();
    const blacklist = await createBlacklist([{ company_name: 'A' }, { company_name: 'B' }]);
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const published = await finishOrder(order);
    const slots = await readSlots(published);
    const { body: before } = await ask('GET', `/blacklists/${blacklist}/entries`);
    await control.POST('/snapshots', { body: { name: 'full' } });
    for (let round = 0; round < 2; round += 1) {
      await ask('DELETE', `/blacklists/${blacklist}`);
      const later = (await control.POST('/organizations', { body: { name: 'later' } })).data;
      const path = { name: 'full' };
      expect((await control.POST('/snapshots/{name}/restore', { params: { path } })).response.status).toBe(204);
      expect((await ask('GET', `/blacklists/${blacklist}/entries`)).body).toEqual(before);
      expect(await readSlots(published)).toEqual(slots);
      expect((await ask('GET', '/blacklists', undefined, { apiKey: later?.api_key ?? '' })).status).toBe(401);
    }
    expect((await control.GET('/snapshots')).data).toEqual({ snapshots: ['full'] });
    // What comes after goes on where the snapshot stood: ids are not given twice.
    expect(await createBlacklist()).not.toBe(blacklist);
  });

  it('removes only the given snapshot', async () => {
    const { control } = createTestControl();
    for (const name of ['a', 'b']) await control.POST('/snapshots', { body: { name } });
    const drop = async () =>
      (await control.DELETE('/snapshots/{name}', { params: { path: { name: 'a' } } })).response.status;
    expect([await drop(), await drop()]).toEqual([204, 404]);
    await control.POST('/snapshots', { body: { name: 'c' } });
    expect((await control.GET('/snapshots')).data).toEqual({ snapshots: ['b', 'c'] });
    const restored = await control.POST('/snapshots/{name}/restore', { params: { path: { name: 'b' } } });
    expect(restored.response.status).toBe(204);
  });

  it('replaces a snapshot of the same name', async () => {
    const { control, ask, createBlacklist } = createTestControl();
    await control.POST('/snapshots', { body: { name: 'a' } });
    await createBlacklist();
    await control.POST('/snapshots', { body: { name: 'a' } });
    await control.POST('/reset');
    await control.POST('/snapshots/{name}/restore', { params: { path: { name: 'a' } } });
    expect((await ask('GET', '/blacklists')).body.blacklists).toHaveLength(1);
  });

  it('seeds an organisation without journal entries and faults', async () => {
    const { control, ask, organizationId, readSlots, service } = createTestControl();
    await control.POST('/faults', { body: { path: '/', times: 1, status: 500 } });
    const { data } = await control.POST('/seed', {
      body: { organization_id: organizationId, entries: 12, companies: 30 },
    });
    expect(service.journal.entries()).toEqual([]);
    await control.DELETE('/faults');
    expect((await ask('GET', `/blacklists/${data?.blacklist_id}`)).body.entry_count).toBe(12);
    expect(await readSlots(data?.discovery_order_id ?? '')).toHaveLength(30);
    expect(await readSlots(data?.enrichment_order_id ?? '')).toHaveLength(150);
    // The pace of the organisation is its own business.
    await control.PUT('/progression', { body: { orders: 'manual' } });
    expect(service.progressions.forOrganization(organizationId).orders).toBe('manual');
  });

  it('stops seeding after a reset, and leaves no key behind', async () => {
    const { control, ask, organizationId } = createTestControl();
    await control.POST('/snapshots', { body: { name: 'empty' } });
    const seeding = control.POST('/seed', { body: { organization_id: organizationId, entries: 20_000, companies: 1 } });
    await new Promise((resolve) => setImmediate(resolve));
    await control.POST('/snapshots/{name}/restore', { params: { path: { name: 'empty' } } });
    const { response, error } = await seeding;
    expect([response.status, error?.code]).toEqual([409, 'SEEDING_ABANDONED']);
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
  });
});
