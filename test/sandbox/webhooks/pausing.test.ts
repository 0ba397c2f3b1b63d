import { answer, createWebhookService, day, hour, minute } from './webhook-harness.ts';

/** An address that is paused because of a 410. */
async function createPaused(later: (place: number) => ReturnType<typeof answer> = () => answer(204)) {
  const service = createWebhookService({ answers: (place) => (place === 0 ? answer(410) : later(place - 1)) });
  service.receive();
  await service.wait(0);
  return service;
}

describe('an address', () => {
  it('is paused by a 410, and its owner gets an email', async () => {
    const { address, notices, deliveries, addressId } = await createPaused();
    expect(address()).toMatchObject({ state: 'paused', paused_because: 'gone' });
    expect(deliveries()).toMatchObject([{ state: 'failed', reason: 'gone' }]);
    expect(notices()).toMatchObject([
      { kind: 'delivery_failed', to: 'Anna', reason: 'gone' },
      { kind: 'address_paused', to: 'Olga', reason: 'gone', address_id: addressId, at: '2026-11-20T12:00:00.000000Z' },
    ]);
  });

  it('shows its failed deliveries, and after three days of them the reason of its pause', async () => {
    const { receive, wait, address, notices } = createWebhookService({ answers: () => answer(404) });
    receive();
    receive();
    await wait(0);
    expect(address()).toMatchObject({ failed_deliveries: 2, first_failure_at: '2026-11-20T12:00:00.000000Z' });
    await wait(3 * day);
    receive();
    await wait(0);
    expect(address()).toMatchObject({ state: 'paused', paused_because: 'failing_for_days' });
    expect(notices().filter(({ kind }) => kind === 'address_paused')).toMatchObject([
      { to: 'Olga', reason: 'failing_for_days' },
    ]);
  });

  it('counts from zero after a successful delivery', async () => {
    const { receive, wait, address } = createWebhookService({ answers: (place) => answer(place === 2 ? 200 : 404) });
    for (let place = 0; place < 3; place += 1) receive();
    await wait(4 * day);
    expect(address()).toMatchObject({ failed_deliveries: 0, first_failure_at: null });
    for (let place = 0; place < 3; place += 1) receive();
    await wait(0);
    expect(address()).toMatchObject({ state: 'active', failed_deliveries: 3 });
  });

  it('does not count tests and manual resends', async () => {
    const { webhooks, organizationId, actionId, receive, wait, address } = createWebhookService({
      answers: () => answer(404),
    });
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    await wait(4 * day);
    for (let times = 0; times < 3; times += 1) {
      webhooks.deliveries.resend(organizationId, delivery_id);
      await webhooks.replies.sendTest(organizationId, actionId);
    }
    expect(address()).toMatchObject({ state: 'active', failed_deliveries: 1 });
  });
});

describe('a paused address', () => {
  it('gets no requests; replies are kept for 30 days and expire', async () => {
    const { receive, wait, sent, delivery, clock } = await createPaused();
    const [kept] = receive();
    expect(kept).toMatchObject({ state: 'kept', next_attempt_at: null, kept_until: '2026-12-20T12:00:00.000000Z' });
    await wait(30 * day - 1);
    expect(delivery(kept?.delivery_id).state).toBe('kept');
    await wait(1);
    expect(delivery(kept?.delivery_id)).toMatchObject({ state: 'expired', kept_until: null, attempts: [] });
    expect(sent).toHaveLength(1);
    expect(new Date(clock.now()).toISOString()).toBe('2026-12-20T12:00:00.000Z');
  });

  it('keeps deliveries that were waiting for a retry', async () => {
    const { receive, wait, sent, deliveries } = createWebhookService({ answers: (place) => answer(place ? 410 : 503) });
    receive();
    await wait(0);
    receive();
    await wait(day);
    expect(sent).toHaveLength(2);
    expect(deliveries()).toMatchObject([
      { state: 'kept', reason: 'server_error', attempts: [{}] },
      { state: 'failed', reason: 'gone' },
    ]);
  });

  it('accepts the result of a running attempt, but does not retry it', async () => {
    const slow = [503, 200, 404].map((status) => ({ status, ...Promise.withResolvers<void>() }));
    const { receive, wait, deliveries } = createWebhookService({
      answers: async (place) => {
        await slow[place]?.promise;
        return answer(slow[place]?.status ?? 410);
      },
    });
    for (let place = 0; place < 4; place += 1) receive();
    await new Promise(setImmediate);
    for (const { resolve } of slow) resolve();
    await wait(day);
    expect(deliveries().map(({ state }) => state)).toEqual(['kept', 'delivered', 'failed', 'failed']);
    expect(deliveries()[0]).toMatchObject({
      next_attempt_at: null,
      attempts: [{ status: 503, next_attempt_at: null }],
    });
  });

  it('is not paused again by another 410', async () => {
    const { receive, wait, notices } = createWebhookService({ answers: () => answer(410) });
    receive();
    receive();
    await wait(0);
    expect(notices().filter(({ kind }) => kind === 'address_paused')).toHaveLength(1);
  });

  it('does not keep a reply longer when it is paused again', async () => {
    const { webhooks, organizationId, actionId, receive, wait, deliveries } = await createPaused((place) =>
      answer(place === 0 ? 204 : 410),
    );
    receive();
    await webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'owner' });
    await wait(10 * day);
    receive();
    await wait(0);
    expect(deliveries({ state: 'kept' })).toMatchObject([{ kept_until: '2026-12-20T12:00:00.000000Z' }]);
  });

  it('counts a delivery once when its attempt ends after the pause', async () => {
    const slow = Promise.withResolvers<ReturnType<typeof answer>>();
    const { webhooks, organizationId, actionId, addressId, receive, deliveries, address } = createWebhookService({
      answers: (place) => [slow.promise, answer(410), answer(204)][place] ?? answer(404),
    });
    const settle = () => new Promise(setImmediate);
    receive();
    receive();
    await settle();
    await webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'owner' });
    webhooks.replies.sendKept(organizationId, { address_id: addressId });
    await settle();
    slow.resolve(answer(404));
    await settle();
    expect(deliveries()[0]).toMatchObject({ state: 'failed', attempts: [{}, {}] });
    expect(address().failed_deliveries).toBe(1);
  });

  it('is resumed by a test; a kept reply that is sent then does not expire', async () => {
    const { webhooks, organizationId, actionId, receive, wait, address, deliveries } = await createPaused();
    receive();
    const test = await webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'owner' });
    expect(test).toMatchObject({ kind: 'test', state: 'delivered' });
    expect(address()).toMatchObject({ state: 'active', paused_because: null });
    const [released] = webhooks.replies.sendKept(organizationId, { action_id: actionId });
    expect(released).toMatchObject({ state: 'pending', kept_until: null });
    await wait(40 * day);
    expect(deliveries().map(({ state }) => state)).toEqual(['failed', 'delivered', 'delivered']);
  });

  it('returns the failed attempt of a test, and refuses tests that do not resume it', async () => {
    const { webhooks, organizationId, actionId, sent } = await createPaused(() => answer(500));
    expect(await webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'admin' })).toMatchObject({
      state: 'failed',
      attempts: [{ trigger: 'test', status: 500 }],
    });
    await expect(webhooks.replies.sendTest(organizationId, actionId)).rejects.toMatchObject({
      status: 409,
      body: { code: 'RECEIVER_ADDRESS_PAUSED' },
    });
    expect(sent).toHaveLength(2);
  });

  it('sends the chosen kept replies only when it is active', async () => {
    const { webhooks, organizationId, actionId, addressId, addAction, receive, wait, deliveries } =
      await createPaused();
    const second = addAction({ campaign_id: 'winter' });
    receive();
    receive({ campaign_id: 'winter' });
    const send = (chosen: { action_id: string } | { address_id: string }) =>
      webhooks.replies.sendKept(organizationId, chosen).map(({ action_id }) => action_id);
    expect(() => send({ address_id: addressId })).toThrow(expect.objectContaining({ status: 409 }));
    await webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'admin' });
    expect(send({ action_id: second })).toEqual([second]);
    expect(send({ address_id: addressId })).toEqual([actionId]);
    expect(send({ address_id: addressId })).toEqual([]);
    await wait(0);
    expect(deliveries({ state: 'delivered' })).toHaveLength(3);
  });

  it('retries kept replies like others after they are sent', async () => {
    const { webhooks, organizationId, actionId, addressId, receive, wait, sent } = await createPaused((place) =>
      answer(place === 0 ? 204 : 503),
    );
    receive();
    await wait(10 * day);
    await webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'owner' });
    webhooks.replies.sendKept(organizationId, { address_id: addressId });
    await wait(day);
    expect(sent).toHaveLength(2 + 11);
  });

  it('and its kept replies survive a restore, and expire in time', async () => {
    const { service, receive, wait, deliveries, address } = await createPaused();
    receive();
    service.snapshots.save('paused');
    await wait(hour);
    service.snapshots.restore('paused');
    expect(address().state).toBe('paused');
    await wait(30 * day);
    expect(deliveries({ state: 'expired' })).toHaveLength(1);
  });
});

describe('failure notices', () => {
  it('are sent to the owner of the action, once a day for each action and reason', async () => {
    const answers = [404, 404, 401, 404, 404, 404];
    const { receive, wait, notices, addAction } = createWebhookService({
      answers: (place) => answer(answers[place] ?? 404),
    });
    const other = addAction({ campaign_id: 'winter', added_by: 'Wanda' });
    const one = async (campaign_id = 'autumn') => {
      receive({ campaign_id });
      await wait(0);
      return notices().map(({ to, reason }) => `${to} ${reason}`);
    };
    expect(await one()).toEqual(['Anna not_found']);
    expect(await one()).toHaveLength(1);
    expect(await one()).toEqual(['Anna not_found', 'Anna receiver_wants_key']);
    expect(await one('winter')).toHaveLength(3);
    expect(notices().at(-1)).toMatchObject({ to: 'Wanda', action_id: other });
    await wait(day - 1);
    expect(await one()).toHaveLength(3);
    await wait(1);
    expect(await one()).toHaveLength(4);
  });

  it('are sent when a delivery has failed finally, and not for tests', async () => {
    const { webhooks, organizationId, actionId, receive, wait, notices } = createWebhookService({
      answers: () => answer(503),
    });
    receive();
    await wait(735 * minute - 1);
    await webhooks.replies.sendTest(organizationId, actionId);
    expect(notices()).toEqual([]);
    await wait(1);
    expect(notices()).toMatchObject([{ reason: 'server_error', at: '2026-11-21T00:15:00.000000Z' }]);
  });
});
