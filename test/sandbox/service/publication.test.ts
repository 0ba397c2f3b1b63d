import { createTestService } from './ask.ts';

describe('publishedSet', () => {
  it('keeps the sets that were used last, however long ago they were made', async () => {
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
