import { createTestService } from '../service/service-harness.ts';

describe('publishedSet', () => {
  it('caches the most recently used sets', async () => {
    const { service, organizationId, createProfile, finishOrder, readSlots } = createTestService();
    const profile_id = await createProfile();
    const companies = [{ company_name: 'Acme', website_url: 'https://acme.test' }];
    const orders: string[] = [];
    for (let place = 0; place < 9; place += 1) {
      orders.push(await finishOrder({ order_type: 'ENRICHMENT', profile_id, companies }));
    }
    const [first = '', ...others] = orders;
    await readSlots(first);
    const built = jest.spyOn(service.organization(organizationId).submissions, 'get');
    for (const other of others) {
      await readSlots(other);
      await readSlots(first);
    }
    expect(built.mock.calls.map(([id]) => id)).toEqual(others);
    service.close();
  });
});

describe('publishDue', () => {
  it('reads open orders once, until one of them can complete', async () => {
    const { ask, service, organizationId, createProfile, createOrder, pass } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const open = [
      await createOrder(order),
      await createOrder(order),
      await createOrder({ ...order, title: 'stay:RECEIVED' }),
    ];
    await ask('GET', '/blacklists');
    const read = jest.spyOn(service.organization(organizationId).orders, 'get');
    pass(1);
    for (let round = 0; round < 5; round += 1) await ask('GET', '/blacklists');
    expect(read).not.toHaveBeenCalled();
    pass(3);
    const statuses = open.map(async (id) => (await ask('GET', `/orders/${id}`)).body.results_published);
    expect(await Promise.all(statuses)).toEqual([true, true, false]);
  });

  it('publishes again after a rollback', async () => {
    const { ask, service, createProfile, createOrder, finishOrder, pass } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const ended = await finishOrder(order);
    await ask('GET', `/orders/${ended}`);
    const due = await createOrder(order);
    await ask('GET', '/blacklists');
    pass(4);
    expect(() => service.stepOrder(ended, { status: 'FAILED' })).toThrow('refused with status 409');
    expect((await ask('GET', `/orders/${due}`)).body.results_published).toBe(true);
  });
});
