import { createTestService, profileInput, unknownId } from './service-harness.ts';

const row = { company_name: 'Acme', website_url: 'https://acme.test' };

describe('orders', () => {
  it('progress from RECEIVED to COMPLETED and publish at the end', async () => {
    const { ask, advance, createProfile } = createTestService();
    const profile_id = await createProfile();
    const created = await ask('POST', '/orders', {
      order_type: 'DISCOVERY',
      profile_id,
      briefing_quantity: 7,
      title: 'First',
      features: ['CONTACTS'],
      webhook_url: 'https://receiver.example/orders',
    });
    expect(created.status).toBe(201);
    const { order_id } = created.body;
    const received = {
      order_id,
      status: 'RECEIVED',
      briefing_quantity: 7,
      available_briefing_quantity: 0,
      results_published: false,
      result_summary: null,
      order_type: 'DISCOVERY',
      profile_id,
      title: 'First',
      features: ['CONTACTS'],
      created_at: '2026-11-20T12:00:02.000000Z',
      updated_at: '2026-11-20T12:00:02.000000Z',
    };
    expect(created.body).toEqual(received);
    const read = async () => (await ask('GET', `/orders/${order_id}`)).body;
    expect(await read()).toEqual(received);
    await advance(1.2);
    expect(await read()).toEqual({ ...received, status: 'ACCEPTED', updated_at: '2026-11-20T12:00:03.200000Z' });
    await advance(0.2);
    expect(await read()).toEqual({ ...received, status: 'IN_PROGRESS', updated_at: '2026-11-20T12:00:03.400000Z' });
    await advance(2.6);
    expect(await read()).toEqual({
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
    expect(body).toMatchObject({ status: 'RECEIVED', results_published: false });
    expect((await ask('GET', `/orders/${body.order_id}`)).body).toMatchObject({
      status: 'COMPLETED',
      results_published: true,
    });
  });

  it('derive the quantity of an enrichment order from its rows', async () => {
    const { ask, createProfile } = createTestService();
    const order = { order_type: 'ENRICHMENT', profile_id: await createProfile(), companies: [row, row, row] };
    expect((await ask('POST', '/orders', order)).body).toMatchObject({ briefing_quantity: 3, title: null });
  });

  it.each([
    ['REJECTED', 'REJECTED'],
    ['FAILED', 'FAILED'],
    ['CANCELLED', 'CANCELLED'],
    ['UNPUBLISHED', 'COMPLETED'],
  ])('with outcome:%s in the title end as %s without results', async (outcome, status) => {
    const { ask, createProfile, finishOrder } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const id = await finishOrder({ ...order, title: `Spring outcome:${outcome}` });
    expect((await ask('GET', `/orders/${id}`)).body).toMatchObject({
      status,
      results_published: false,
      result_summary: null,
      available_briefing_quantity: 0,
    });
    const results = await ask('GET', `/orders/${id}/results`);
    expect([results.status, results.body.code]).toEqual([409, 'ORDER_RESULTS_NOT_READY']);
  });

  it.each(['RECEIVED', 'ACCEPTED', 'IN_PROGRESS'])('with stay:%s in the title stay there', async (status) => {
    const { ask, createProfile, finishOrder } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const id = await finishOrder({ ...order, title: `stay:${status}` });
    expect((await ask('GET', `/orders/${id}`)).body.status).toBe(status);
  });

  it('require their profile, their blacklists and, with blacklists, further scopes', async () => {
    const { ask, service, organizationId, createProfile, createBlacklist } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const noProfile = await ask('POST', '/orders', { ...order, profile_id: unknownId });
    expect([noProfile.status, noProfile.body.code]).toEqual([404, 'PROFILE_NOT_FOUND']);
    const noBlacklist = await ask('POST', '/orders', { ...order, blacklist_ids: [unknownId] });
    expect([noBlacklist.status, noBlacklist.body.blacklist_id]).toEqual([404, unknownId]);

    const { apiKey } = service.createKey({ organizationId, scopes: ['orders:read', 'orders:write'] });
    expect((await ask('POST', '/orders', order, { apiKey })).status).toBe(201);
    const blacklist_ids = [await createBlacklist()];
    const refused = await ask('POST', '/orders', { ...order, blacklist_ids }, { apiKey });
    expect(refused.status).toBe(403);
    expect(refused.body.required_scopes).toContain('blacklists:read');
    expect(refused.body.user_scopes).toEqual(['orders:read', 'orders:write']);
    // An empty list is an order without blacklists (A13).
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
    ['no quantity', { briefing_quantity: undefined }],
    ['a quantity of zero', { briefing_quantity: 0 }],
    ['rows in a discovery order', { companies: [row] }],
    ['an unknown feature', { features: ['MAGIC'] }],
    ['a receiver without https', { webhook_url: 'http://receiver.example' }],
    ['an enrichment order without rows', { order_type: 'ENRICHMENT', briefing_quantity: undefined }],
    ['an enrichment order with a quantity', { order_type: 'ENRICHMENT', companies: [row] }],
    [
      'a row without a name',
      { order_type: 'ENRICHMENT', briefing_quantity: undefined, companies: [{ website_url: 'www.a.example' }] },
    ],
  ])('refuse %s', async (_, changes) => {
    const { ask, createProfile } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    expect((await ask('POST', '/orders', { ...order, ...changes })).status).toBe(422);
  });

  it('return 404 for an unknown id', async () => {
    const { ask } = createTestService();
    for (const path of [`/orders/${unknownId}`, `/orders/${unknownId}/results`]) {
      const { status, body } = await ask('GET', path);
      expect(status).toBe(404);
      expect(body).toEqual({
        code: 'ORDER_NOT_FOUND',
        message: expect.any(String),
        resource_type: 'order',
        identifier: unknownId,
      });
    }
  });
});
