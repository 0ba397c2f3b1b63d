import { createTestControl } from './control-harness.ts';

describe('the journal of the control plane', () => {
  it('lists requests, and suggests routes for an unknown one', async () => {
    const { order, ask, organizationId } = createTestControl();
    await ask('GET', '/blacklists');
    await ask('GET', '/blacklist');
    await ask('PUT', '/orders/1');
    await ask('GET', '/nothing/of/the/kind/at/all');
    const { body } = await order('GET', `/journal?organization_id=${organizationId}`);
    expect(body.entries).toMatchObject([
      { number: 1, at: '2026-11-20T12:00:00.000Z', method: 'GET', path: '/api/v1/blacklists', status: 200, code: null },
      { code: 'ROUTE_NOT_FOUND', meant: expect.arrayContaining(['GET /api/v1/blacklists']) },
      { code: 'METHOD_NOT_ALLOWED', meant: expect.arrayContaining(['GET /api/v1/orders/{order_id}']) },
      { code: 'ROUTE_NOT_FOUND', meant: [] },
    ]);
    expect((await order('GET', '/journal?status=404&limit=1')).body.entries).toMatchObject([{ number: 4 }]);
  });

  it('waits for a request', async () => {
    const { order, ask } = createTestControl();
    const waited = order('GET', '/journal/wait?method=POST&path=/api/v1/blacklists&status=201');
    await ask('GET', '/blacklists');
    await ask('POST', '/blacklists', { name: 'A' });
    expect((await waited).body).toMatchObject({ satisfied: true, entries: [{ number: 2 }], near_misses: [] });
  });

  it('returns near misses after the timeout', async () => {
    const { order, ask } = createTestControl();
    await ask('POST', '/blacklists', { name: '' });
    const { body } = await order('GET', '/journal/wait?method=POST&path=/api/v1/blacklists&status=201&timeout_ms=5');
    expect(body).toMatchObject({
      satisfied: false,
      entries: [],
      near_misses: [{ differs: 'status', entry: { number: 1, status: 422 } }],
    });
  });

  it('waits for entries after a known number', async () => {
    const { order, ask } = createTestControl();
    await ask('GET', '/blacklists');
    const [{ number }] = (await order('GET', '/journal')).body.entries;
    const waited = order('GET', `/journal/wait?path=/api/v1/blacklists&after=${number}`);
    await ask('GET', '/blacklists');
    expect((await waited).body).toMatchObject({ satisfied: true, entries: [{ number: number + 1 }] });
  });

  it('waits for several requests', async () => {
    const { order, ask } = createTestControl();
    const waited = order('GET', '/journal/wait?count=2');
    await ask('GET', '/blacklists');
    await ask('GET', '/blacklists');
    expect((await waited).body.entries).toHaveLength(2);
  });
});
