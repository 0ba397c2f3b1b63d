import { closeAll, connect, type Received } from '../sandbox/webhooks/receiver.ts';
import { answer, check, createWebhookService, day, hour, timeout, wall } from '../sandbox/webhooks/webhook-harness.ts';

afterEach(closeAll);

const classifications = [
  'interested',
  'not_interested',
  'referral',
  'out_of_office',
  'wrong_person',
  'do_not_contact',
  'unactionable',
] as const;

/** One reply as its receiver got it over HTTP. */
async function receiveOne(): Promise<Received & { secret: string }> {
  const { receive, wait, received, secret } = await connect((_, response) => response.writeHead(204).end());
  receive();
  await wait(0);
  const [first] = received;
  if (!first) throw new Error('nothing arrived');
  return { ...first, secret };
}

describe('Request sent to the receiver', () => {
  it('content-type: is application/json', async () => {
    expect((await receiveOne()).headers['content-type']).toBe('application/json');
  });

  it('user-agent: names the product', async () => {
    expect((await receiveOne()).headers['user-agent']).toMatch(/^[A-Za-z]+-Webhooks\/1\.0$/);
  });

  it('webhook-id: is the id of the body', async () => {
    const { headers, body } = await receiveOne();
    expect(headers['webhook-id']).toBe(JSON.parse(body.toString()).id);
  });

  it('webhook-timestamp: is the Unix time of the attempt in seconds', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { headers } = await receiveOne();
    expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/);
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before);
    expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it('webhook-signature: is one v1 entry, two after a rotation', async () => {
    expect((await receiveOne()).headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    const { webhooks, organizationId, addressId, receive, wait, sent } = createWebhookService();
    webhooks.addresses.rotateSecret(organizationId, addressId, { role: 'owner' });
    receive();
    await wait(0);
    expect(sent[0]?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  });
});

describe('Request sent to the receiver, Body fields', () => {
  it('id: stays on every retry and on a manual resend', async () => {
    const { webhooks, organizationId, receive, wait, sent } = createWebhookService({ answers: () => answer(503) });
    const [{ delivery_id } = { delivery_id: '' }] = receive();
    await wait(day);
    webhooks.deliveries.resend(organizationId, delivery_id);
    await wait(0);
    expect(sent).toHaveLength(12);
    expect(new Set(sent.map(({ body }) => body.id))).toEqual(new Set([delivery_id]));
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery_id]));
  });

  it('id: is new for every test and every delivery', async () => {
    const { webhooks, organizationId, actionId, receive, wait, sent } = createWebhookService();
    receive();
    receive();
    await webhooks.replies.sendTest(organizationId, actionId);
    await webhooks.replies.sendTest(organizationId, actionId);
    await wait(0);
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(4);
  });

  it.each(classifications)('type: is reply.%s for such a reply', async (classification) => {
    const { receive, wait, sent } = createWebhookService();
    receive({ classification });
    await wait(0);
    expect(sent.map(({ body }) => [body.type, body.data.classification])).toEqual([
      [`reply.${classification}`, classification],
    ]);
  });

  it('timestamp: is ISO 8601 UTC', async () => {
    const { receive, wait, sent } = createWebhookService();
    receive();
    await wait(0);
    expect(sent[0]?.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect(Date.parse(sent[0]?.body.timestamp)).toBe(sent[0]?.at);
  });

  it('api_version: is a date', async () => {
    const { receive, wait, sent } = createWebhookService();
    receive();
    await wait(0);
    expect(sent[0]?.body.api_version).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('test: is true for a test sample only', async () => {
    const { webhooks, organizationId, actionId, receive, wait, sent } = createWebhookService();
    receive();
    await wait(0);
    await webhooks.replies.sendTest(organizationId, actionId);
    expect(sent.map(({ body }) => body.test)).toEqual([false, true]);
  });

  it('data: is one level deep, with every key always there and the empty string for what is unknown', async () => {
    const { receive, wait, newest } = createWebhookService();
    receive({ reply_from_email: '' });
    await wait(0);
    const keys = `classification classification_reason prospect_first_name prospect_last_name prospect_full_name
      prospect_email prospect_job_title company_name company_website company_country campaign_id campaign_name flow_name
      thread_subject reply_text reply_text_truncated reply_from_email reply_received_at sent_from_email app_url`;
    const data = newest();
    expect(Object.keys(data).toSorted()).toEqual(keys.split(/\s+/).toSorted());
    const { reply_text_truncated, ...texts } = data;
    expect(reply_text_truncated).toBe(false);
    expect(new Set(Object.values(texts).map((value) => typeof value))).toEqual(new Set(['string']));
    expect(data).toMatchObject({ prospect_email: '', company_name: '', thread_subject: '', reply_text: '' });
  });
});

describe('Webhook receiver address', () => {
  /** What the page shows of the address, and of the action that uses it. */
  const shown = ({ webhooks, organizationId, actionId, address }: ReturnType<typeof createWebhookService>) => [
    address().state,
    webhooks.actions.get(organizationId, actionId).address_state,
  ];

  it('active receiver answers 410: any delivery pauses it; who added it is told, actions show it', async () => {
    const replied = createWebhookService({ answers: () => answer(410) });
    expect(shown(replied)).toEqual(['active', 'active']);
    replied.receive();
    await replied.wait(0);
    expect(shown(replied)).toEqual(['paused', 'paused']);
    expect(replied.notices()).toContainEqual(expect.objectContaining({ kind: 'address_paused', to: 'Olga' }));
    const tested = createWebhookService({ answers: () => answer(410) });
    await tested.webhooks.replies.sendTest(tested.organizationId, tested.actionId);
    expect(shown(tested)).toEqual(['paused', 'paused']);
  });

  it('active every delivery failed for three days in a row: three deliveries at least pause it', async () => {
    const failing = createWebhookService({ answers: () => answer(500) });
    for (let place = 0; place < 3; place += 1) {
      expect(shown(failing)).toEqual(['active', 'active']);
      failing.receive();
      await failing.wait(2 * day);
    }
    expect(shown(failing)).toEqual(['paused', 'paused']);
    expect(failing.notices()).toContainEqual(expect.objectContaining({ kind: 'address_paused', to: 'Olga' }));
  });

  it('active every delivery failed for three days in a row: one that is delivered between keeps it active', async () => {
    const service = createWebhookService({ answers: (place) => answer(place === 1 ? 200 : 404) });
    for (let place = 0; place < 5; place += 1) {
      service.receive();
      await service.wait(day);
    }
    expect(shown(service)).toEqual(['active', 'active']);
  });

  it('paused: a delivered test of an owner or admin makes it active; kept replies are only offered', async () => {
    const service = createWebhookService({ answers: (place) => answer([410, 500][place] ?? 200) });
    const { webhooks, organizationId, actionId, receive, wait, sent, address } = service;
    const resume = (role: 'owner' | 'admin' | 'member') =>
      webhooks.replies.sendTestAndResume(organizationId, actionId, { role });
    receive();
    await wait(0);
    receive();
    await wait(day);
    expect(sent).toHaveLength(1);
    await expect(resume('member')).rejects.toMatchObject({ status: 403 });
    await resume('admin');
    expect(shown(service)).toEqual(['paused', 'paused']);
    await resume('admin');
    expect(shown(service)).toEqual(['active', 'active']);
    await wait(day);
    expect(sent.map(({ body }) => body.test)).toEqual([false, true, true]);
    expect(address().kept_replies).toBe(1);
    webhooks.replies.sendKept(organizationId, { action_id: actionId });
    await wait(0);
    expect([sent.length, address().kept_replies]).toEqual([4, 0]);
  });
});

/** What became of one reply that was always answered in this way, and how often it was sent within two days. */
async function answered(...answers: ReturnType<typeof answer>[]) {
  const { receive, wait, sent, delivery, address } = createWebhookService({
    answers: (place) => answers[place] ?? answers.at(-1) ?? timeout,
  });
  const [{ delivery_id } = { delivery_id: '' }] = receive();
  await wait(2 * day);
  const { state, reason, attempts } = delivery(delivery_id);
  return { state, reason, attempts, times: sent.length, address: address().state };
}

describe('Receiver answers and retries', () => {
  it.each([200, 202, 204, 299])('2xx: ends the delivery (%i)', async (status) => {
    expect(await answered(answer(status))).toMatchObject({ state: 'delivered', times: 1, address: 'active' });
  });

  const retried = '408, 429, 5xx, no answer within 15 seconds, address unreachable';
  const unreachable = { kind: 'error', error: 'connect', code: 'ECONNREFUSED' } as const;

  it.each([
    [408, answer(408)],
    [429, answer(429)],
    [500, answer(500)],
    [599, answer(599)],
    ['no answer', timeout],
    ['unreachable', unreachable],
  ])(`${retried}: the delivery is tried for about 12 hours, then fails (%s)`, async (_, message) => {
    expect(await answered(message)).toMatchObject({ state: 'failed', times: 11, address: 'active' });
    expect(await answered(message, answer(200))).toMatchObject({ state: 'delivered', times: 2 });
  });

  it.each([
    ['3xx', 301, 'redirected'],
    ['401, 403', 401, 'receiver_wants_key'],
    ['401, 403', 403, 'receiver_wants_key'],
    ['404', 404, 'not_found'],
    ['any other 4xx', 400, 'refused'],
    ['any other 4xx', 422, 'refused'],
  ] as const)('%s: ends the delivery at once (%i)', async (_, status, reason) => {
    expect(await answered(answer(status))).toMatchObject({ state: 'failed', reason, times: 1, address: 'active' });
  });

  it('3xx: a test shows where the address pointed', async () => {
    const { webhooks, organizationId, actionId } = createWebhookService({
      answers: () => answer(308, { location: 'https://moved.example/in' }),
    });
    const { attempts } = await webhooks.replies.sendTest(organizationId, actionId);
    expect(attempts).toMatchObject([{ status: 308, location: 'https://moved.example/in' }]);
  });

  it('410: ends the delivery and pauses the address', async () => {
    expect(await answered(answer(410))).toMatchObject({ state: 'failed', times: 1, address: 'paused' });
  });

  it('400 with a queue-is-full message from a workflow-automation tool: ends the delivery at once', async () => {
    const outcome = answer(400, { text: 'Queue is full.' });
    expect(await answered(outcome)).toMatchObject({ state: 'failed', reason: 'receiver_queue_full', times: 1 });
  });

  it('invalid certificate: ends the delivery at once', async () => {
    const outcome = { kind: 'error', error: 'certificate', code: 'CERT_HAS_EXPIRED' } as const;
    expect(await answered(outcome)).toMatchObject({ state: 'failed', reason: 'invalid_certificate', times: 1 });
  });
});

/** A receiver that never says a word, and what the delivery looks like after so many milliseconds. */
async function waitFor(milliseconds: number) {
  const arrived = Promise.withResolvers<void>();
  const { receive, deliveries, wait } = await connect(() => arrived.resolve());
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
  });
  try {
    receive();
    await arrived.promise;
    jest.advanceTimersByTime(milliseconds);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    const [delivery] = deliveries();
    jest.advanceTimersByTime(60_000);
    await wait(0);
    return delivery?.attempts;
  } finally {
    jest.useRealTimers();
  }
}

describe('Limits', () => {
  it('reply_text: is cut at 10,000 characters, and says so', async () => {
    const { receive, wait, newest } = createWebhookService();
    const sizes: unknown[] = [];
    for (const length of [9_999, 10_000, 10_001]) {
      receive({ reply_text: 'é'.repeat(length) });
      await wait(0);
      sizes.push([newest().reply_text.length, newest().reply_text_truncated]);
    }
    expect(sizes).toEqual([
      [9_999, false],
      [10_000, false],
      [10_000, true],
    ]);
  });

  it('webhook timestamp tolerance: a request is taken within 5 minutes of its time', async () => {
    const { receive, wait, sent, secret } = createWebhookService();
    receive();
    await wait(0);
    const at = (seconds: number) => check(sent[0]?.request, secret(), Math.floor(wall / 1_000) + seconds);
    expect([-301, -300, 300, 301].map(at)).toEqual(['timestamp_too_new', 'verified', 'verified', 'timestamp_too_old']);
  });

  it('webhook answer time-out: a receiver has 15 seconds', async () => {
    expect(await waitFor(14_900)).toEqual([]);
    expect(await waitFor(15_000)).toMatchObject([{ error: 'timeout', outcome: 'retry' }]);
  });

  it('answer text kept / read: 2,000 characters of at most 64 KB', async () => {
    let written = 0;
    const { receive, wait, deliveries } = await connect((_, response) => {
      const chunk = 'ü'.repeat(8_192);
      const more = () => {
        if (response.destroyed) return;
        written += Buffer.byteLength(chunk);
        response.write(chunk, () => setImmediate(more));
      };
      response.once('error', () => undefined);
      more();
    });
    receive();
    await wait(0);
    expect(deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ text: 'ü'.repeat(2_000) }] }]);
    // It was ended from our side; without that it would never have been.
    expect(written).toBeGreaterThanOrEqual(65_536);
  });

  it('webhook retry: attempts follow after 1, 2, 4 … minutes, at most 4 hours apart, for about 12 hours', async () => {
    const { attempts } = await answered(answer(500));
    const starts = attempts.map(({ started_at }) => Date.parse(started_at) / 60_000);
    const waits = starts.slice(1).map((start, place) => start - (starts[place] ?? 0));
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
  });

  it('paused address: replies are kept for 30 days', async () => {
    const { receive, wait, deliveries } = createWebhookService({ answers: () => answer(410) });
    receive();
    await wait(0);
    receive();
    const states: unknown[] = [];
    for (const seconds of [30 * day - 1, 1]) {
      await wait(seconds);
      states.push(deliveries()[1]?.state);
    }
    expect(states).toEqual(['kept', 'expired']);
  });

  it.each([
    [3, 3 * day, 'paused'],
    [3, 3 * day - 1, 'active'],
    [2, 9 * day, 'active'],
  ])('paused address: after %i deliveries that failed over %i seconds it is %s', async (times, seconds, state) => {
    const { receive, wait, address } = createWebhookService({ answers: () => answer(404) });
    for (let place = 1; place < times; place += 1) receive();
    await wait(seconds);
    receive();
    await wait(0);
    expect(address().state).toBe(state);
  });

  it('dual signatures after rotation: the old secret signs for 24 hours', async () => {
    const { webhooks, organizationId, addressId, receive, wait, sent, secret } = createWebhookService();
    const old = secret();
    webhooks.addresses.rotateSecret(organizationId, addressId, { role: 'owner' });
    const verdicts = async () => {
      receive();
      await wait(0);
      return [check(sent.at(-1)?.request, secret()), check(sent.at(-1)?.request, old)];
    };
    await wait(24 * hour - 1);
    expect(await verdicts()).toEqual(['verified', 'verified']);
    await wait(1);
    expect(await verdicts()).toEqual(['verified', 'no_match']);
  });

  it('failure emails: once a day per action and reason', async () => {
    const { receive, wait, notices } = createWebhookService({
      answers: (_, { body }) => answer(Buffer.from(body).includes('key') ? 401 : 404),
    });
    const counts: number[] = [];
    for (const [reply_text, seconds] of [
      ['', 0],
      ['', 24 * hour - 1],
      ['key', 0],
      ['', 1],
      ['', 0],
    ] as const) {
      await wait(seconds);
      receive({ reply_text });
      await wait(0);
      counts.push(notices().length);
    }
    expect(counts).toEqual([1, 1, 2, 3, 3]);
    expect(new Set(notices().map(({ to }) => to))).toEqual(new Set(['Anna']));
  });
});
