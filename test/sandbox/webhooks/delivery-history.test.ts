import { createControlPlane } from '../../../sandbox/control/control-plane.ts';
import { createHubSpotSandbox } from '../../../sandbox/hubspot/hubspot-sandbox.ts';
import { answer, createWebhookService } from './webhook-harness.ts';

describe('list', () => {
  it('returns matching deliveries, newest first, page by page', async () => {
    const { webhooks, organizationId, receive, wait } = createWebhookService({
      answers: (place) => answer(place % 2 === 0 ? 204 : 404),
    });
    const ids: string[] = [];
    for (let place = 0; place < 230; place += 1) {
      const [delivery] = receive();
      ids.unshift(delivery?.delivery_id ?? '');
    }
    await wait(0);
    const list = (...given: [Parameters<typeof webhooks.deliveries.list>[1]?, { limit?: number; offset?: number }?]) =>
      webhooks.deliveries.list(organizationId, ...given).map(({ delivery_id }) => delivery_id);
    expect(list()).toEqual(ids.slice(0, 100));
    expect(list({}, { limit: 3 })).toEqual(ids.slice(0, 3));
    expect(list({}, { limit: 1_000, offset: 99 })).toEqual(ids.slice(99));
    expect(list({ state: 'delivered' }, { limit: 2, offset: 60 })).toEqual([ids[121], ids[123]]);
    expect(list({ address_id: 'another' })).toEqual([]);
  });
});

describe('GET /deliveries of the control plane', () => {
  it('accepts a limit of at most 1,000, and an offset', async () => {
    const { service, clock, organizationId, receive, wait } = createWebhookService();
    const ids = [receive(), receive(), receive()].flatMap(([delivery]) => delivery?.delivery_id ?? []);
    await wait(0);
    const { fetch } = createControlPlane({ service, hubspot: createHubSpotSandbox(), clock });
    const list = (query: string) =>
      fetch(new Request(`http://127.0.0.1/organizations/${organizationId}/deliveries?${query}`));
    const idsOf = async (query: string) => {
      const { deliveries } = (await (await list(query)).json()) as { deliveries: { delivery_id: string }[] };
      return deliveries.map(({ delivery_id }) => delivery_id);
    };
    expect(await idsOf('limit=1')).toEqual([ids[2]]);
    expect(await idsOf('state=delivered&offset=2')).toEqual([ids[0]]);
    expect(
      await Promise.all(['limit=0', 'limit=1001', 'offset=-1'].map(async (query) => (await list(query)).status)),
    ).toEqual([422, 422, 422]);
  });
});

describe('wait', () => {
  it('resolves as soon as enough deliveries match, without polling', async () => {
    const { service, webhooks, organizationId, receive, wait } = createWebhookService();
    const reads = jest.spyOn(service.organization(organizationId).webhooks.deliveries, 'values');
    receive();
    await wait(0);
    const waiting = webhooks.deliveries.wait(organizationId, { state: 'delivered' }, { count: 3, timeoutMs: 60_000 });
    const before = reads.mock.calls.length;
    const elsewhere = service.createOrganization({ name: 'other' }).organizationId;
    const { address_id } = webhooks.addresses.add(elsewhere, {
      role: 'owner',
      added_by: 'Olga',
      url: 'https://hooks.receiver.example/other',
    });
    webhooks.actions.add(elsewhere, { campaign_id: 'autumn', added_by: 'Anna', address_id });
    const reply = { classification: 'interested', campaign_id: 'autumn', reply_from_email: '' } as const;
    webhooks.replies.receive(elsewhere, reply);
    receive();
    await wait(0);
    expect(reads.mock.calls).toHaveLength(before);
    const [last] = receive();
    await wait(0);
    const { satisfied, deliveries } = await waiting;
    expect(satisfied).toBe(true);
    expect(deliveries).toHaveLength(3);
    expect(deliveries[0]).toMatchObject({ delivery_id: last?.delivery_id, state: 'delivered' });
  });

  it('does not count deliveries that no longer match, and ends at the timeout', async () => {
    const { webhooks, organizationId, receive, wait } = createWebhookService();
    const waiting = webhooks.deliveries.wait(organizationId, { state: 'pending' }, { count: 2, timeoutMs: 20 });
    receive();
    await wait(0);
    receive();
    await wait(0);
    expect(await waiting).toEqual({ satisfied: false, deliveries: [] });
  });

  it('starts again after a reset', async () => {
    const { service, webhooks, organizationId, receive, wait } = createWebhookService();
    service.snapshots.save('nothing');
    receive();
    await wait(0);
    const waiting = webhooks.deliveries.wait(organizationId, {}, { count: 2, timeoutMs: 60_000 });
    service.snapshots.restore('nothing');
    receive();
    await wait(0);
    receive();
    expect((await waiting).deliveries).toHaveLength(2);
  });

  it('ends when the sandbox closes, without reading the store', async () => {
    jest.useFakeTimers();
    try {
      const { service, webhooks, organizationId } = createWebhookService();
      const waiting = webhooks.deliveries.wait(organizationId, {}, { count: 1, timeoutMs: 600_000 });
      service.close();
      expect(await waiting).toEqual({ satisfied: false, deliveries: [] });
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
