import * as fc from 'fast-check';
import { answer, check, createWebhookService, day, hour, minute, timeout, wall } from './webhook-harness.ts';
import { runsOf } from '../../helpers/sample.ts';

describe('a delivery', () => {
  it('is sent at once, signed with the secret of its address, and ends when accepted', async () => {
    const { receive, wait, sent, delivery, secret } = createWebhookService({
      answers: () => answer(202, { text: 'thanks' }),
    });
    const [pending] = receive();
    expect(pending).toMatchObject({ kind: 'reply', state: 'pending', attempts: [] });
    await wait(0);
    expect(sent).toHaveLength(1);
    expect(check(sent[0]?.request, secret())).toBe('verified');
    expect(delivery(pending?.delivery_id)).toMatchObject({
      state: 'delivered',
      reason: null,
      next_attempt_at: null,
      attempts: [
        {
          number: 1,
          trigger: 'auto',
          started_at: '2026-11-20T12:00:00.000000Z',
          duration_ms: 0,
          outcome: 'delivered',
          status: 202,
          error: null,
          text: 'thanks',
          next_attempt_at: null,
        },
      ],
    });
    await wait(2 * day);
    expect(sent).toHaveLength(1);
  });

  it('is retried with the same body, then fails; each attempt has the time of the next', async () => {
    const { receive, wait, sent, deliveries } = createWebhookService({ answers: () => answer(503) });
    receive();
    await wait(3 * day);
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
    const [{ state, reason, attempts } = { attempts: [] }] = deliveries();
    expect([state, reason]).toEqual(['failed', 'server_error']);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(attempts.map(({ next_attempt_at }) => next_attempt_at)).toEqual([
      ...attempts.slice(1).map(({ started_at }) => started_at),
      null,
    ]);
  });

  it('respects Retry-After, in seconds or as a date on the receiver’s clock', async () => {
    const asks = ['600', new Date(Math.ceil(wall / 1_000) * 1_000 + 1_200_000).toUTCString(), '1', 'soon'];
    const { receive, wait, sent, clock } = createWebhookService({
      answers: (place) => answer(429, { retryAfter: asks[place] ?? '' }),
    });
    const start = clock.now();
    receive();
    await wait(hour);
    const [, ...later] = sent.map(({ at }) => (at - start) / 1_000);
    expect(later.slice(0, 4)).toEqual([600, 600 + 1_201, 600 + 1_201 + 240, 600 + 1_201 + 240 + 480]);
  });

  it('stores the start of an answer, an error, or the location of a redirect', async () => {
    const answers = [
      answer(500, { text: '🎈'.repeat(2_001) }),
      timeout,
      answer(302, { location: 'https://a.example/' }),
    ];
    const { receive, wait, deliveries } = createWebhookService({ answers: (place) => answers[place] ?? answer(204) });
    receive();
    await wait(hour);
    const attempts = deliveries()[0]?.attempts ?? [];
    expect(attempts[0]?.text).toBe('🎈'.repeat(2_000));
    expect(attempts[1]).toMatchObject({ status: null, error: 'timeout', reason: 'no_answer_in_time', text: '' });
    expect(attempts[2]).toMatchObject({ status: 302, location: 'https://a.example/', outcome: 'failed' });
    expect(attempts).toHaveLength(3);
  });

  it('counts a transport that throws as a broken connection', async () => {
    const { receive, wait, deliveries } = createWebhookService({
      answers: (place) => (place === 0 ? Promise.reject(new Error('boom')) : answer(200)),
    });
    receive();
    await wait(minute);
    expect(deliveries()[0]).toMatchObject({ state: 'delivered', attempts: [{ error: 'reset' }, { status: 200 }] });
  });

  it('is measured by the machine’s clock, not the sandbox clock', async () => {
    let now = wall;
    const { receive, wait, deliveries } = createWebhookService({
      wallNow: () => now,
      answers: () => {
        now += 250;
        return answer(204);
      },
    });
    receive();
    await wait(0);
    expect(deliveries()[0]?.attempts[0]?.duration_ms).toBe(250);
  });

  it.each(['wall', 'virtual'] as const)('has the %s time of the attempt', async (signing_clock) => {
    const { receive, wait, sent } = createWebhookService({ signing_clock, answers: () => answer(500) });
    receive();
    await wait(minute);
    const expected = sent.map(({ at }) => String(Math.floor((signing_clock === 'wall' ? wall : at) / 1_000)));
    expect(sent.map(({ headers }) => headers['webhook-timestamp'])).toEqual(expected);
    expect(sent).toHaveLength(2);
  });

  it('has the same bytes for the same seed, and others for another seed', async () => {
    const run = async (seed: number) => {
      const { receive, wait, sent } = createWebhookService({ seed });
      receive({ reply_text: 'Hello' });
      await wait(0);
      return sent.map(({ headers, text }) => [headers, text]);
    };
    expect(await run(1)).toEqual(await run(1));
    expect(await run(2)).not.toEqual(await run(1));
  });

  it('ends within the schedule for any answers; ids stay and timestamps increase', async () => {
    const anyAnswer = fc.oneof(
      fc.constantFrom(204, 302, 400, 401, 404, 408, 410, 429, 500, 503).map((status) => answer(status)),
      fc.integer({ min: 0, max: 100_000 }).map((seconds) => answer(503, { retryAfter: String(seconds) })),
      fc.constantFrom(...(['timeout', 'dns', 'connect', 'reset', 'certificate'] as const)).map((error) => {
        return { kind: 'error' as const, error, code: null };
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyAnswer, { maxLength: 15 }), async (answers) => {
        const { service, receive, wait, sent, delivery, clock } = createWebhookService({
          signing_clock: 'virtual',
          answers: (place) => answers[place] ?? answer(500),
        });
        const start = clock.now();
        const [{ delivery_id } = { delivery_id: '' }] = receive();
        await wait(2 * day);
        const { state, attempts } = delivery(delivery_id);
        expect(['delivered', 'failed']).toContain(state);
        expect(sent.length).toBeLessThanOrEqual(11);
        expect(attempts).toHaveLength(sent.length);
        // Twelve hours of waiting, the last of which a Retry-After may make as long again.
        expect((sent.at(-1)?.at ?? 0) - start).toBeLessThanOrEqual(24.25 * hour * 1_000);
        expect(
          sent.every(({ headers, body }) => headers['webhook-id'] === delivery_id && body.id === delivery_id),
        ).toBe(true);
        const timestamps = sent.map(({ headers }) => Number(headers['webhook-timestamp']));
        expect(timestamps).toEqual([...new Set(timestamps)].toSorted((a, b) => a - b));
        service.close();
      }),
      { numRuns: runsOf(60) },
    );
  });
});

describe('an attempt that cannot be stored', () => {
  const fail = () => {
    throw new Error('the disk is full');
  };

  it('ends its delivery with a reason, and can be resent', async () => {
    const { service, webhooks, organizationId, receive, wait, delivery, sent } = createWebhookService();
    jest.spyOn(service.organization(organizationId).webhooks.addresses, 'set').mockImplementationOnce(fail);
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    await wait(day);
    expect(delivery(delivery_id)).toMatchObject({
      state: 'failed',
      reason: 'sender_failed',
      next_attempt_at: null,
      attempts: [],
    });
    expect(sent).toHaveLength(1);
    webhooks.deliveries.resend(organizationId, delivery_id);
    await wait(0);
    expect(delivery(delivery_id)).toMatchObject({ state: 'delivered', attempts: [{ trigger: 'manual' }] });
  });

  it('ends its delivery as soon as the store is writable again', async () => {
    const { service, organizationId, receive, wait, delivery } = createWebhookService();
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    const write = jest.spyOn(service.organization(organizationId).webhooks.deliveries, 'set').mockImplementation(fail);
    await wait(3 * minute);
    expect(delivery(delivery_id).state).toBe('pending');
    write.mockRestore();
    await wait(minute);
    expect(delivery(delivery_id)).toMatchObject({ state: 'failed', reason: 'sender_failed' });
  });

  it('lets a kept delivery expire later, and shows in the result of a test', async () => {
    const { service, webhooks, organizationId, actionId, receive, wait, delivery } = createWebhookService({
      answers: () => answer(410),
    });
    const { webhooks: stored } = service.organization(organizationId);
    receive();
    await wait(0);
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    await wait(30 * day - 1);
    const write = jest.spyOn(stored.deliveries, 'set').mockImplementation(fail);
    await wait(1);
    write.mockRestore();
    expect(delivery(delivery_id).state).toBe('kept');
    await wait(minute);
    expect(delivery(delivery_id).state).toBe('expired');

    const attempt = webhooks.replies.sendTestAndResume(organizationId, actionId, { role: 'owner' });
    jest.spyOn(stored.deliveries, 'set').mockImplementationOnce(fail);
    expect(await attempt).toMatchObject({ kind: 'test', state: 'failed', reason: 'sender_failed' });
  });

  it('keeps the schedule when another transaction is rolled back', async () => {
    const { service, organizationId, receive, wait, delivery, sent } = createWebhookService({
      answers: (place) => answer(place === 0 ? 503 : place === 1 ? 410 : 204),
    });
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    await wait(30);
    // The second is answered with 410, and so would keep the first; that is undone.
    const { deliveries } = service.organization(organizationId).webhooks;
    const write = deliveries.set.bind(deliveries);
    receive();
    jest.spyOn(deliveries, 'set').mockImplementation((id, stored) => {
      write(id, stored);
      if (stored.state === 'kept') fail();
    });
    await wait(minute);
    expect(sent).toHaveLength(3);
    expect(delivery(delivery_id)).toMatchObject({ state: 'delivered', attempts: [{ status: 503 }, { status: 204 }] });
  });
});

describe('resend', () => {
  it('sends one more attempt with the same id and body, without retries', async () => {
    const { webhooks, organizationId, receive, wait, sent, delivery } = createWebhookService({
      answers: (place) => answer([404, 500][place] ?? 200),
    });
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    await wait(0);
    const resend = () => webhooks.deliveries.resend(organizationId, delivery_id);
    expect(resend()).toMatchObject({ delivery_id, state: 'pending' });
    await wait(day);
    expect(delivery(delivery_id)).toMatchObject({ state: 'failed', attempts: [{}, { trigger: 'manual', number: 2 }] });
    resend();
    await wait(0);
    expect(delivery(delivery_id).state).toBe('delivered');
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([delivery_id, delivery_id, delivery_id]);
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
    expect(resend).toThrow(expect.objectContaining({ status: 409 }));
  });

  it('is refused for a pending or unknown delivery, and for a paused address', async () => {
    const { webhooks, organizationId, receive, wait } = createWebhookService({
      answers: (place) => answer(place === 0 ? 500 : 410),
    });
    const resend = (id: string) => () => webhooks.deliveries.resend(organizationId, id);
    const [{ delivery_id: tried } = { delivery_id: '' }] = receive();
    await wait(0);
    expect(resend(tried)).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ code: 'DELIVERY_NOT_FAILED' }) }),
    );
    const [{ delivery_id: gone } = { delivery_id: '' }] = receive();
    await wait(0);
    expect(resend(gone)).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ code: 'RECEIVER_ADDRESS_PAUSED' }) }),
    );
    expect(resend('unknown')).toThrow(expect.objectContaining({ status: 404 }));
  });
});

describe('restart', () => {
  it('continues pending deliveries after a restore, and drops later ones', async () => {
    const { service, receive, wait, sent, deliveries } = createWebhookService({ answers: () => answer(500) });
    receive();
    await wait(0);
    service.snapshots.save('before');
    await wait(2 * minute);
    receive();
    await wait(0);
    expect(sent).toHaveLength(3);
    service.snapshots.restore('before');
    expect(deliveries()).toMatchObject([{ state: 'pending', attempts: [{ number: 1 }] }]);
    await wait(0);
    // Its retry was due a minute ago.
    expect(sent).toHaveLength(4);
    await wait(2 * minute);
    expect(sent).toHaveLength(5);
    expect(deliveries()).toMatchObject([{ attempts: [{}, {}, {}] }]);
  });

  it('ignores the result of an earlier attempt', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof answer>>();
    const { service, receive, wait, sent, deliveries } = createWebhookService({
      answers: (place) => (place === 0 ? promise : answer(503)),
    });
    receive();
    await Promise.resolve();
    await Promise.resolve();
    expect(sent).toHaveLength(1);
    service.snapshots.save('in flight');
    service.snapshots.restore('in flight');
    expect(sent[0]?.request.signal.aborted).toBe(true);
    resolve(answer(200));
    await wait(0);
    expect(deliveries()).toMatchObject([{ state: 'pending', attempts: [{ status: 503 }] }]);
  });

  it('sends a due delivery once', async () => {
    const { service, receive, wait, sent } = createWebhookService();
    receive();
    service.snapshots.save('about to');
    service.snapshots.restore('about to');
    await wait(0);
    expect(sent).toHaveLength(1);
  });

  it('leaves no delivery after a reset', async () => {
    const { service, receive, wait, sent, deliveries } = createWebhookService({ answers: () => answer(500) });
    receive();
    await wait(0);
    service.reset();
    await wait(day);
    expect(sent).toHaveLength(1);
    expect(deliveries()).toEqual([]);
  });

  it('aborts a running test', async () => {
    const { service, webhooks, organizationId, actionId } = createWebhookService({
      answers: (_place, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
    });
    const test = webhooks.replies.sendTest(organizationId, actionId);
    service.reset();
    await expect(test).rejects.toMatchObject({ status: 409, body: { code: 'DELIVERY_ABANDONED' } });
  });
});
