import { createTestService, profileInput } from './service-harness.ts';

const row = { company_name: 'Acme', website_url: 'https://acme.test' };

describe('orders', () => {
  it('return what was sent, and the times of their creation and last change', async () => {
    const { ask, advance, createProfile } = createTestService();
    const profile_id = await createProfile();
    const sent = { order_type: 'DISCOVERY', profile_id, title: 'First', features: ['CONTACTS'], briefing_quantity: 7 };
    const created = await ask('POST', '/orders', { ...sent, webhook_url: 'https://receiver.example/orders' });
    const { order_id } = created.body;
    const received = {
      ...sent,
      order_id,
      status: 'RECEIVED',
      available_briefing_quantity: 0,
      results_published: false,
      result_summary: null,
      created_at: '2026-11-20T12:00:02.000000Z',
      updated_at: '2026-11-20T12:00:02.000000Z',
    };
    expect(created.body).toEqual(received);
    await advance(1.2);
    expect((await ask('GET', `/orders/${order_id}`)).body).toEqual({
      ...received,
      status: 'ACCEPTED',
      updated_at: '2026-11-20T12:00:03.200000Z',
    });
    await advance(2.8);
    expect((await ask('GET', `/orders/${order_id}`)).body).toEqual({
      ...received,
      status: 'COMPLETED',
      available_briefing_quantity: 7,
      results_published: true,
      result_summary: { requested_count: 7, fully_enriched_count: 7, annotated_count: 0, reasons: [] },
      updated_at: '2026-11-20T12:00:06.000000Z',
    });
  });

  it('take the configured time, and answer RECEIVED also with immediate progression', async () => {
    const { ask, createProfile } = createTestService({ progression: { orders: { after_seconds: 0 } } });
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const { body } = await ask('POST', '/orders', order);
    expect(body).toMatchObject({ status: 'RECEIVED', results_published: false, title: null });
    expect((await ask('GET', `/orders/${body.order_id}`)).body).toMatchObject({
      status: 'COMPLETED',
      results_published: true,
    });
  });

  it.each(['REJECTED', 'FAILED', 'CANCELLED'])(
    'refuse their results after outcome:%s in the title',
    async (outcome) => {
      const { ask, createProfile, finishOrder } = createTestService();
      const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
      const id = await finishOrder({ ...order, title: `Spring outcome:${outcome}` });
      const results = await ask('GET', `/orders/${id}/results`);
      expect([results.status, results.body.code]).toEqual([409, 'ORDER_RESULTS_NOT_READY']);
    },
  );

  it('need no further scopes for an empty list of blacklists (A13)', async () => {
    const { ask, service, organizationId, createProfile } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const { apiKey } = service.createKey({ organizationId, scopes: ['orders:read', 'orders:write'] });
    expect((await ask('POST', '/orders', { ...order, blacklist_ids: [] }, { apiKey })).status).toBe(201);
  });

  it('are not placed on a profile that is not ready', async () => {
    // The same seed and calls give the same ids, so the id is known before the profile exists.
    const profile_id = await createTestService().createProfile();
    const { ask, pass } = createTestService();
    await ask('POST', '/search-profile-creations', profileInput(), { idempotencyKey: 'k' });
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1 };
    expect((await ask('POST', '/orders', order)).body.code).toBe('PROFILE_NOT_FOUND');
    pass(2);
    expect((await ask('POST', '/orders', order)).status).toBe(201);
  });

  it.each([
    ['no type', { order_type: undefined }],
    ['a quantity of zero', { briefing_quantity: 0 }],
    ['an enrichment order without rows', { order_type: 'ENRICHMENT', briefing_quantity: undefined }],
    [
      'a row without a name',
      { order_type: 'ENRICHMENT', briefing_quantity: undefined, companies: [{ website_url: row.website_url }] },
    ],
  ])('refuse %s', async (_, changes) => {
    const { ask, createProfile } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    expect((await ask('POST', '/orders', { ...order, ...changes })).status).toBe(422);
  });
});
