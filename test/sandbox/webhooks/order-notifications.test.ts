import { parseAllowance } from '../../../src/base/http/public-address.ts';
import { answer, check, createWebhookService, day, hour, minute } from './webhook-harness.ts';

const webhook_url = 'https://orders.receiver.example/in';

type Surroundings = NonNullable<Parameters<typeof createWebhookService>[0]>;

async function createOrdering(surroundings: Surroundings = {}) {
  const service = createWebhookService(surroundings);
  const profile_id = await service.createProfile();
  const order = async (more: Record<string, unknown> = {}) => {
    const body = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 2, webhook_url, ...more };
    return service.ask('POST', '/orders', body);
  };
  const notifications = () =>
    service.sent
      .filter(({ body }) => body.type === 'order.status_changed')
      .map(({ body: { data } }) => `${data.status}${data.results_published ? ' with results' : ''}`);
  const secret = () => service.webhooks.orders.secret(service.organizationId, { role: 'owner' }).secret;
  return { ...service, order, notifications, secret };
}

describe('order notifications', () => {
  it('report every status after RECEIVED when the order reaches it, without polls', async () => {
    const { order, wait, sent, notifications, secret, clock } = await createOrdering();
    const start = clock.now();
    const { status, body } = await order();
    expect([status, body.status]).toEqual([201, 'RECEIVED']);
    await wait(0);
    expect(notifications()).toEqual([]);
    await wait(hour);
    expect(notifications()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'COMPLETED with results']);
    expect(sent.map(({ at }) => at - start)).toEqual([1_200, 1_400, 4_000]);
    expect(sent.map(({ request }) => check(request, secret()))).toEqual(['verified', 'verified', 'verified']);
    expect(sent[2]?.request.url).toBe(webhook_url);
    expect(sent[2]?.body).toEqual({
      id: sent[2]?.headers['webhook-id'],
      type: 'order.status_changed',
      timestamp: '2026-11-20T12:00:06.000000Z',
      api_version: '2026-11-01',
      data: { order_id: body.order_id, status: 'COMPLETED', results_published: true },
    });
  });

  it.each([
    ['outcome:REJECTED', ['REJECTED']],
    ['outcome:FAILED', ['ACCEPTED', 'IN_PROGRESS', 'FAILED']],
    ['outcome:UNPUBLISHED', ['ACCEPTED', 'IN_PROGRESS', 'COMPLETED']],
    ['stay:ACCEPTED', ['ACCEPTED']],
  ])('report the statuses of an order with %s', async (title, expected) => {
    const { order, wait, notifications } = await createOrdering();
    await order({ title });
    await wait(hour);
    expect(notifications()).toEqual(expected);
  });

  it('are retried a minute later when they could not be stored', async () => {
    const { service, organizationId, order, wait, notifications } = await createOrdering();
    await order();
    const { watchedOrders } = service.organization(organizationId).webhooks;
    jest.spyOn(watchedOrders, 'set').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    await wait(30);
    expect(notifications()).toEqual([]);
    await wait(hour);
    expect(notifications()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'COMPLETED with results']);
  });

  it('report a status that a poll has caused, once', async () => {
    const { service, organizationId, order, ask, wait, notifications } = await createOrdering();
    service.progressions.set(organizationId, { orders: { after_polls: 2 } });
    const { body } = await order();
    const poll = async () => {
      await ask('GET', `/orders/${body.order_id}`);
      await wait(minute);
      return notifications();
    };
    expect(await poll()).toEqual(['ACCEPTED', 'IN_PROGRESS']);
    expect(await poll()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'COMPLETED with results']);
    expect(await poll()).toHaveLength(3);
  });

  it('report manual steps, unless the status is unchanged', async () => {
    const { service, organizationId, order, wait, notifications } = await createOrdering();
    service.progressions.set(organizationId, { orders: 'manual' });
    const { body } = await order();
    for (const status of ['ACCEPTED', 'ACCEPTED', 'IN_PROGRESS', 'CANCELLED'] as const) {
      service.stepOrder(body.order_id, { status });
      await wait(minute);
    }
    expect(notifications()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'CANCELLED']);
  });

  it('omit statuses that a manual step has prevented', async () => {
    const { service, order, wait, notifications } = await createOrdering();
    const { body } = await order();
    await wait(2);
    service.stepOrder(body.order_id, { status: 'CANCELLED' });
    await wait(hour);
    expect(notifications()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'CANCELLED']);
  });

  it('report all statuses of an order with immediate progression', async () => {
    const { service, organizationId, order, wait, notifications } = await createOrdering();
    service.progressions.set(organizationId, { orders: { after_seconds: 0 } });
    await order();
    await wait(0);
    expect(notifications()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'COMPLETED with results']);
  });

  it('are retried by the same rules, can be resent, and pause no address', async () => {
    const { webhooks, organizationId, order, wait, deliveries, notices, address } = await createOrdering({
      answers: (place) => answer([503, 200, 410, 200, 404][place] ?? 200),
    });
    await order({ title: 'outcome:FAILED' });
    await wait(day);
    const [accepted, progress, failed] = deliveries();
    expect(accepted).toMatchObject({ kind: 'order_status', state: 'delivered', address_id: null });
    expect([accepted, progress, failed].map((delivery) => delivery?.attempts.length)).toEqual([2, 1, 1]);
    expect([progress?.state, failed?.state]).toEqual(['delivered', 'failed']);
    expect([notices(), address().state]).toEqual([[], 'active']);
    webhooks.deliveries.resend(organizationId, failed?.delivery_id ?? '');
    await wait(0);
    expect(deliveries().at(-1)?.attempts).toMatchObject([{ status: 410 }, { trigger: 'manual', status: 404 }]);
  });

  it('are signed with a secret of the organisation, which can be rotated', async () => {
    const { webhooks, organizationId, addressId, order, wait, sent, secret } = await createOrdering();
    const old = secret();
    expect(old).not.toBe(webhooks.addresses.secret(organizationId, addressId, { role: 'owner' }).secret);
    webhooks.orders.rotateSecret(organizationId, { role: 'admin' });
    await order();
    await wait(hour);
    expect(check(sent[0]?.request, old)).toBe('verified');
    expect(sent[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(check(sent[0]?.request, secret())).toBe('verified');
  });

  it('require a public https address, or the order is refused', async () => {
    const { order, ask } = await createOrdering();
    for (const refused of [
      'http://orders.receiver.example',
      'https://user:pass@orders.receiver.example',
      'https://192.168.0.1/in',
      'https://localhost/in',
    ]) {
      const { status, body } = await order({ webhook_url: refused });
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'webhook_url']]);
      expect(JSON.stringify(body)).not.toContain(refused);
    }
    expect((await ask('GET', '/orders')).body?.orders ?? []).toEqual([]);
  });

  it('can be sent to this machine when that is allowed', async () => {
    const { order } = await createOrdering({ allowed: parseAllowance(['localhost:8443']) });
    expect((await order({ webhook_url: 'https://localhost:8443/in' })).status).toBe(201);
    expect((await order({ webhook_url: 'https://localhost:9443/in' })).status).toBe(422);
  });

  it('can be sent to this machine by plain http when its network is allowed', async () => {
    const { order, wait, sent } = await createOrdering({ allowed: parseAllowance(['127.0.0.1/32']) });
    const local = 'http://127.0.0.1:8080/in';
    expect((await order({ webhook_url: local })).status).toBe(201);
    await wait(hour);
    expect(sent.map(({ request }) => request.url)).toEqual([local, local, local]);
    for (const refused of ['http://127.0.0.2:8080/in', 'http://orders.receiver.example/in'])
      expect((await order({ webhook_url: refused })).status).toBe(422);
  });

  it('continue after a restore, and are not sent twice', async () => {
    const { service, order, wait, notifications } = await createOrdering();
    await order();
    await wait(1.3);
    service.snapshots.save('accepted');
    await wait(0.3);
    service.snapshots.restore('accepted');
    await wait(0);
    expect(notifications()).toEqual(['ACCEPTED', 'IN_PROGRESS', 'IN_PROGRESS']);
    await wait(hour);
    expect(notifications().slice(3)).toEqual(['COMPLETED with results']);
    service.reset();
    await wait(hour);
    expect(notifications()).toHaveLength(4);
  });

  it('are not sent for an order without webhook_url', async () => {
    const { order, wait, sent } = await createOrdering();
    expect((await order({ webhook_url: undefined })).status).toBe(201);
    await wait(hour);
    expect(sent).toEqual([]);
  });
});
