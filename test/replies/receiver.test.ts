import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { createSecret } from '../../src/config/environment.ts';
import type { SecretReference } from '../../src/config/reply-settings.ts';
import { replyClassifications } from '../../src/service/contract/index.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import type { ReceivedReply } from '../../src/ledger/reply-receipt.ts';
import { until } from '../helpers/until.ts';
import { reply } from './reply-body.ts';
import { createReceiver, type ReceiverDependencies } from '../../src/replies/receiver.ts';
import { runsOf } from '../helpers/sample.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const now = new Date('2026-11-20T12:00:00Z');
const orderId = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';

/** Signed by the reference library of Standard Webhooks. */
function signed(body: string, { id = 'msg_1', at = now, by = secret, path = '/replies' } = {}): Request {
  const signature = new Webhook(by).sign(id, at, body);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  };
  return new Request(`http://receiver.test${path}`, { method: 'POST', headers, body });
}

function createTestReceiver(changes: Partial<ReceiverDependencies> = {}, secrets?: SecretReference[]) {
  const stored = new Map<string, ReceivedReply>();
  const refused: string[] = [];
  const woken: string[] = [];
  const lines: string[] = [];
  const receiver = createReceiver({
    replies: { secrets: secrets ?? [{ value: createSecret(secret) }], key: null },
    orderStatus: { secrets: [{ value: createSecret(secret) }], key: null },
    policy: defaultReplyPolicy,
    inbox: {
      async receive(received, refusedBy) {
        refused.push(...refusedBy.map(({ value }) => value));
        const known = stored.get(received.webhookId) ?? received;
        stored.set(received.webhookId, known);
        return { ...known, isOther: known.body !== received.body };
      },
    },
    secretUses: { add: async () => {} },
    wakeOrder: async (id) => void woken.push(id),
    log: (message, level, fields) => void lines.push(JSON.stringify([message, level, fields])),
    now: () => now,
    ...changes,
  });
  const send = async (request: Request) => {
    const response = await receiver.fetch(request);
    const { status } = (await response.json()) as { status: string };
    return [response.status, status, response.headers.get('retry-after')] as const;
  };
  return { receiver, send, stored, refused, woken, lines };
}

describe('the receiver of replies', () => {
  it('stores a verified delivery and answers 202', async () => {
    const { send, stored } = createTestReceiver();
    expect(await send(signed(reply()))).toEqual([202, 'received', null]);
    expect(stored.get('msg_1')).toMatchObject({
      state: 'received',
      classification: 'interested',
      replyAt: '2026-11-20T11:59:00.000Z',
      campaignId: 'autumn',
      body: reply(),
    });
  });

  it.each(replyClassifications)('accepts the classification %s', async (classification) => {
    const { send } = createTestReceiver();
    const body = reply({ type: `reply.${classification}` }, { classification });
    expect(await send(signed(body))).toEqual([202, 'received', null]);
  });

  it.each([
    ['not JSON', 'hello', 'unreadable'],
    ['JSON of another shape', '[1]', 'unreadable'],
    ['deep JSON', '['.repeat(50_000), 'unreadable'],
    ['a body with another id', reply({ id: 'msg_2' }), 'id_differs'],
    ['a new classification', reply({ type: 'reply.maybe' }, { classification: 'maybe' }), 'unknown_classification'],
    ['a type that contradicts the classification', reply({ type: 'reply.referral' }), 'type_differs'],
    [
      'a refusal that names no address',
      reply(
        { type: 'reply.do_not_contact' },
        { classification: 'do_not_contact', prospect_email: '', reply_from_email: '' },
      ),
      'no_address',
    ],
    ['more than 1 MiB', JSON.stringify('x'.repeat(2 * 1024 ** 2)), 'too_large'],
  ])('accepts and quarantines %s', async (_, body, reason) => {
    const { send, stored, lines } = createTestReceiver();
    expect(await send(signed(body))).toEqual([202, 'quarantined', null]);
    expect(stored.get('msg_1')).toMatchObject({ state: 'quarantined', reason });
    expect(lines).toEqual([expect.stringContaining('Reply quarantined')]);
  });

  it.each([
    ['no zone', '2026-11-20T11:00:00', '2026-11-20T11:58:00.000Z'],
    ['a day that does not exist', '2026-02-30T11:00:00Z', '2026-11-20T11:58:00.000Z'],
    ['another notation', '11/20/2026 11:00', '2026-11-20T11:58:00.000Z'],
  ])('takes the time of the delivery for a reply whose time has %s', async (_, time, expected) => {
    const { send, stored } = createTestReceiver();
    const body = reply({ timestamp: '2026-11-20T11:58:00Z' }, { reply_received_at: time });
    expect(await send(signed(body))).toEqual([202, 'received', null]);
    expect(stored.get('msg_1')?.replyAt).toBe(expected);
  });

  it('takes the time of receipt if no time can be read', async () => {
    const { send, stored } = createTestReceiver();
    expect(await send(signed(reply({ timestamp: 'x' }, { reply_received_at: 'soon' })))).toEqual([
      202,
      'received',
      null,
    ]);
    expect(stored.get('msg_1')?.replyAt).toBe(now.toISOString());
  });

  it('reads data that are null as unknown', async () => {
    const { send, stored } = createTestReceiver();
    const body = JSON.stringify({
      ...JSON.parse(reply()),
      data: { ...JSON.parse(reply()).data, company_country: null, reply_text_truncated: null },
    });
    expect(await send(signed(body))).toEqual([202, 'received', null]);
    expect(stored.get('msg_1')?.state).toBe('received');
  });

  // Guarantee: A person who opted out is never ordered or written again
  it.each([
    ['type and classification', { type: 'reply.do_not_contact' }, { classification: 'do_not_contact' }, 'received'],
    ['type alone', { type: 'reply.do_not_contact' }, { classification: 'interested' }, 'quarantined'],
    ['classification alone', { type: 'reply.interested' }, { classification: 'do_not_contact' }, 'quarantined'],
    ['an unknown classification', { type: 'reply.do_not_contact' }, { classification: 'stop' }, 'quarantined'],
    ['another id', { id: 'msg_2', type: 'reply.do_not_contact' }, { classification: 'do_not_contact' }, 'quarantined'],
  ])('suppresses the person at receipt whose refusal is named by %s', async (_, envelope, data, state) => {
    const { send, refused } = createTestReceiver();
    expect(await send(signed(reply(envelope, data)))).toEqual([202, state, null]);
    expect(refused).toEqual([JSON.parse(reply()).data.prospect_email]);
  });

  const refusal = JSON.parse(reply({ type: 'reply.do_not_contact' }, { classification: 'do_not_contact' }));
  const refusalText = JSON.stringify(refusal);

  it.each([
    ...Object.keys(refusal).map((name) => [
      name,
      JSON.stringify({ ...refusal, [name]: name === 'data' ? [refusal.data] : 42 }),
    ]),
    ...Object.keys(refusal.data)
      .filter((name) => name !== 'prospect_email')
      .map((name) => [`data.${name}`, JSON.stringify({ ...refusal, data: { ...refusal.data, [name]: { a: 1 } } })]),
  ])('suppresses the person at receipt although %s cannot be read', async (_, body) => {
    const { send, refused } = createTestReceiver();
    expect(await send(signed(body))).toEqual([202, 'quarantined', null]);
    expect(refused).toEqual([refusal.data.prospect_email]);
  });

  it.each([
    ['is cut', refusalText.slice(0, -1)],
    ['has a mark before its first character', `\uFEFF${refusalText}`],
    ['is nested too deeply', `${refusalText.slice(0, -1)},"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
    ['is larger than what is stored', JSON.stringify({ ...refusal, note: 'x'.repeat(1_100_000) })],
    [
      'escapes characters',
      `${JSON.stringify(refusal)
        .replace('jane@', String.raw`j\u0061ne@`)
        .slice(0, -1)},}`,
    ],
    [
      'has a display name with quotes',
      `${JSON.stringify({ ...refusal, data: { ...refusal.data, prospect_email: `"Doe, Dr. Jane" <${refusal.data.prospect_email}>` } }).slice(0, -1)},}`,
    ],
  ])('suppresses the person at receipt although the body %s', async (_, body) => {
    const { send, refused } = createTestReceiver();
    expect(await send(signed(body))).toEqual([202, 'quarantined', null]);
    expect(refused).toEqual([refusal.data.prospect_email]);
  });

  it.each([
    [
      'an interested person quotes a refusal',
      JSON.stringify({ ...JSON.parse(reply({}, { reply_text: refusalText })), id: 42 }),
    ],
    ['it is a test sample', JSON.stringify({ ...refusal, id: 42, test: true })],
  ])('suppresses nobody for a body that cannot be read, where %s', async (_, body) => {
    const { send, refused } = createTestReceiver();
    expect(await send(signed(body))).toEqual([202, 'quarantined', null]);
    expect(refused).toEqual([]);
  });

  it('suppresses nobody for a test sample', async () => {
    const { send, refused } = createTestReceiver();
    const body = reply({ type: 'reply.do_not_contact', test: true }, { classification: 'do_not_contact' });
    expect(await send(signed(body))).toEqual([202, 'test', null]);
    expect(refused).toEqual([]);
  });

  it('keeps fields that it does not know', async () => {
    const { send, stored } = createTestReceiver();
    expect(await send(signed(reply({ new_field: 1 }, { newer_field: 'x' })))).toEqual([202, 'received', null]);
    expect(stored.get('msg_1')?.body).toContain('newer_field');
  });

  it.each([
    ['a signature by another secret', () => signed(reply(), { by: newSecret() }), 'no_match'],
    [
      'no signature',
      () => new Request('http://receiver.test/replies', { method: 'POST', body: reply() }),
      'missing_header',
    ],
    [
      'a time that is no number',
      () => {
        const request = signed(reply());
        request.headers.set('webhook-timestamp', 'soon');
        return request;
      },
      'malformed_timestamp',
    ],
  ])('refuses %s with 401', async (_, request, reason) => {
    const { send, stored } = createTestReceiver();
    expect(await send(request())).toEqual([401, reason, null]);
    expect(stored.size).toBe(0);
  });

  it('says in the log what to do when the secret is not the one that the service signs with', async () => {
    const { send, lines } = createTestReceiver();
    await send(signed(reply(), { by: newSecret() }));
    expect(lines).toEqual([expect.stringContaining('Copy the secret of the receiver address from the service')]);
    expect(lines[0]).toContain('replies.secrets');
    expect(lines[0]).toContain('"reason":"no_match"');
  });

  it.each([
    ['another path than /replies', () => signed(reply(), { path: '/hook' }), 'must end with /replies', undefined],
    [
      'a time of yesterday',
      () => signed(reply(), { at: new Date(now.getTime() - 86_400_000) }),
      'the clock of the sender is wrong, or somebody has sent an old delivery again',
      undefined,
    ],
    ['no configured secret', () => signed(reply()), 'replies.secrets is not configured', []],
  ])(
    'warns at most once a minute of deliveries with %s',
    async (_, request, message, secrets: SecretReference[] | undefined) => {
      let at = now;
      const { send, lines } = createTestReceiver({ now: () => at }, secrets);
      await send(request());
      await send(request());
      expect(lines).toEqual([expect.stringContaining(message)]);
      expect(lines[0]).not.toMatch(/acme|@/);
      at = new Date(now.getTime() + 60_000);
      await send(request());
      expect(lines).toHaveLength(2);
    },
  );

  it.each([
    ['old', -301, 'timestamp_too_old'],
    ['from the future', 301, 'timestamp_too_new'],
  ])(
    'asks for a retry of a good signature that is %s, since its own clock may be wrong',
    async (_, seconds, reason) => {
      const { send, stored } = createTestReceiver();
      const at = new Date(now.getTime() + seconds * 1_000);
      expect(await send(signed(reply(), { at }))).toEqual([503, reason, '60']);
      expect(stored.size).toBe(0);
    },
  );

  it.each([
    [
      'the ledger',
      {
        inbox: { receive: () => Promise.reject(new LedgerError('unreachable', 'no answer')) },
      },
      'ledger_unavailable',
    ],
    ['something unexpected', { inbox: { receive: () => Promise.reject(new Error('Jane Doe')) } }, 'unexpected'],
  ])('asks for a retry while %s is down, and says so once, without personal data', async (_, changes, reason) => {
    const { send, lines } = createTestReceiver(changes);
    expect(await send(signed(reply()))).toEqual([503, reason, '60']);
    await send(signed(reply()));
    expect(lines).toEqual([expect.stringContaining(`"reason":"${reason}"`)]);
    expect(lines.join()).not.toMatch(/Jane|acme/);
  });

  it('names the first problem of a kind in each minute, and how many followed', async () => {
    let at = now;
    const { send, lines } = createTestReceiver({ now: () => at });
    const flood = async () => {
      for (let count = 0; count < 50; count += 1)
        await send(new Request('http://receiver.test/replies', { method: 'POST' }));
    };
    await flood();
    at = new Date(now.getTime() + 60_000);
    await flood();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"unlogged":49');
  });

  it.each(['GET', 'HEAD', 'PUT'])(
    'answers %s with 405, without a line in the log: a probe is no delivery',
    async (method) => {
      const counted: number[] = [];
      const { receiver, lines } = createTestReceiver({ onAnswer: ({ status }) => void counted.push(status) });
      const { status, headers } = await receiver.fetch(new Request('http://receiver.test/replies', { method }));
      expect([status, headers.get('allow'), lines, counted]).toEqual([405, 'POST', [], []]);
    },
  );

  it.each(['msg.1', 'msg 1', 'ä', 'x'.repeat(300), 'msg_1, msg_2'])(
    'stores a delivery with the id %j, which the reference library verifies',
    async (id) => {
      const { send, stored } = createTestReceiver();
      expect(await send(signed(reply({ id }), { id }))).toEqual([202, 'received', null]);
      const [webhookId = ''] = [...stored.keys()];
      expect(webhookId).toMatch(/^[!-~]{1,255}$/);
      expect(await send(signed(reply({ id }), { id }))).toEqual([202, 'received', null]);
      expect(stored.size).toBe(1);
    },
  );

  it('says that a delivery has the id of another one, and other content', async () => {
    const { send, stored, lines } = createTestReceiver();
    await send(signed(reply()));
    await send(signed(reply()));
    expect(lines).toEqual([]);
    await send(signed(reply({}, { reply_text: 'No.' })));
    expect(lines).toEqual([expect.stringContaining('its webhook-id is that of another one')]);
    expect(stored.get('msg_1')?.body).toBe(reply());
  });

  it('reads a body without fields that a later version may not send, as if they were empty', async () => {
    const { send, stored } = createTestReceiver();
    const body = reply({}, { reply_from_email: undefined, flow_name: undefined });
    expect(await send(signed(body))).toEqual([202, 'received', null]);
    expect(stored.get('msg_1')).toMatchObject({ state: 'received' });
    expect((await send(signed(reply({}, { classification: undefined }), { id: 'msg_2' })))[1]).toBe('quarantined');
  });

  it('quarantines a body in another encoding, and keeps it readable', async () => {
    const { receiver, stored, refused } = createTestReceiver();
    const body = Buffer.from(reply({ type: 'reply.do_not_contact' }, { reply_text: 'Grüße' }), 'latin1');
    const seconds = String(now.getTime() / 1_000);
    const code = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`msg_1.${seconds}.`)
      .update(body);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${code.digest('base64')}`,
    };
    await receiver.fetch(new Request('http://receiver.test/replies', { method: 'POST', headers, body }));
    const { state, reason, body: kept } = stored.get('msg_1') ?? {};
    expect([state, reason]).toEqual(['quarantined', 'unreadable']);
    expect(kept).toContain('Grüße');
    expect(refused).toEqual(['jane@acme.example']);
  });

  it('reads no body without the headers of a signature, and holds large bodies within a limit', async () => {
    const { receiver } = createTestReceiver();
    let read = 0;
    /** Stalls after its bytes. */
    const stalling = (bytes: number) =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (read >= bytes) return new Promise(() => {});
            read += 65_536;
            controller.enqueue(new Uint8Array(65_536));
            return undefined;
          },
        },
        { highWaterMark: 0 },
      );
    const large = (headers: Record<string, string>) => {
      read = 0;
      const init = { method: 'POST', headers, body: stalling(3 * 1024 ** 2), duplex: 'half' } as const;
      return receiver.fetch(new Request('http://receiver.test/replies', init));
    };
    expect((await large({})).status).toBe(401);
    expect(read).toBe(0);
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
    const held: Promise<Response>[] = [];
    for (let count = 0; count < 5; count += 1) {
      held.push(large(headers));
      await until(async () => read >= 3 * 1024 ** 2);
    }
    const answer = await large(headers);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'busy' }]);
    expect((await receiver.fetch(signed(reply()))).status).toBe(202);
  });

  it('asks for a retry once it is stopping', async () => {
    const { receiver, send } = createTestReceiver();
    receiver.stop();
    expect(await send(signed(reply()))).toEqual([503, 'stopping', '60']);
  });

  it('asks for a retry while it has no secret', async () => {
    const { send } = createTestReceiver({}, []);
    expect(await send(signed(reply()))).toEqual([503, 'no_secret', '60']);
  });

  it('verifies with every configured secret during a rotation', async () => {
    const old = newSecret();
    const { send } = createTestReceiver({}, [{ value: createSecret(secret) }, { value: createSecret(old) }]);
    expect((await send(signed(reply(), { by: old })))[0]).toBe(202);
    const both = signed(reply(), { by: newSecret() });
    const signatures = [newSecret(), old].map((by) => new Webhook(by).sign('msg_1', now, reply()));
    const headers = new Headers(both.headers);
    headers.set('webhook-signature', signatures.join(' '));
    expect((await send(new Request(both, { headers })))[0]).toBe(202);
  });

  it('reads a secret file again when it changes, and asks for retries while it is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secret-'));
    const file = join(folder, 'secret');
    const { send } = createTestReceiver({}, [{ file }]);
    expect((await send(signed(reply())))[0]).toBe(503);
    writeFileSync(file, `${secret}\n`);
    expect((await send(signed(reply())))[0]).toBe(202);
    rmSync(folder, { recursive: true });
  });

  it('requires the key header where one is configured, and asks for a retry when it differs', async () => {
    const key = { header: 'X-Key', value: createSecret('open sesame') };
    const { send } = createTestReceiver({ replies: { secrets: [{ value: createSecret(secret) }], key } });
    expect(await send(signed(reply()))).toEqual([503, 'key_differs', '60']);
    const request = signed(reply());
    request.headers.set('x-key', 'open sesame');
    expect((await send(request))[0]).toBe(202);
  });

  it.each(['/replies/', '//replies'])('accepts its path as %s', async (path) => {
    const { send } = createTestReceiver();
    expect((await send(signed(reply(), { path })))[0]).toBe(202);
  });

  it('never answers 2xx without a valid signature, and never 5xx because of what it reads', async () => {
    const { send, stored } = createTestReceiver();
    const header = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 80 }),
      fc.constantFrom('msg_1', 'v1,', '1795176000'),
    );
    const headers = fc.record(
      { 'webhook-id': header, 'webhook-timestamp': header, 'webhook-signature': header },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(headers, body, async (names, bytes) => {
        const init = { method: 'POST', headers: toValidHeaders(names), body: Buffer.from(bytes) };
        const [status] = await send(new Request('http://receiver.test/replies', init));
        expect(status).toBe(401);
      }),
      { numRuns: runsOf(300) },
    );
    expect(stored.size).toBe(0);
  });

  it('never answers 5xx to a signed body, whatever it contains', async () => {
    const { send } = createTestReceiver();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string(), fc.constant(reply())), async (body) => {
        expect((await send(signed(body)))[0]).toBe(202);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it('refuses a delivery in which one bit was changed, or which was parsed and serialised again', async () => {
    const { send } = createTestReceiver();
    const original = signed(`${reply()} `);
    const bytes = Buffer.from(await original.clone().arrayBuffer());
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (index, bit) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(index) ^ (1 << bit), index);
        const request = new Request(original.url, { method: 'POST', headers: original.headers, body: changed });
        expect((await send(request))[0]).toBe(401);
      }),
      { numRuns: runsOf(100) },
    );
    const again = JSON.stringify(JSON.parse(bytes.toString('utf8')));
    const request = new Request(original.url, { method: 'POST', headers: original.headers, body: again });
    expect((await send(request))[0]).toBe(401);
  });
});

describe('the receiver of order status', () => {
  it('asks for a retry while Temporal is down, and says so without personal data', async () => {
    const { send, lines } = createTestReceiver({ wakeOrder: () => Promise.reject(new Error('Jane Doe')) });
    const body = JSON.stringify({ data: { order_id: orderId } });
    expect(await send(signed(body, { path: '/order-status' }))).toEqual([503, 'temporal_unavailable', '60']);
    expect(lines).toEqual([expect.stringContaining('Temporal does not answer')]);
    expect(lines.join()).not.toContain('Jane');
  });

  it('wakes the order that a notification names', async () => {
    const { send, woken } = createTestReceiver();
    const body = JSON.stringify({ data: { order_id: orderId, status: 'COMPLETED' } });
    expect(await send(signed(body, { path: '/order-status' }))).toEqual([202, 'accepted', null]);
    expect(woken).toEqual([orderId]);
  });

  it('accepts a notification that names no order, and wakes nothing', async () => {
    const { send, woken } = createTestReceiver();
    expect(await send(signed('{"data": {"order_id": 5}}', { path: '/order-status' }))).toEqual([202, 'no_order', null]);
    expect(woken).toEqual([]);
  });
});

/** Values that an HTTP header can have. */
function toValidHeaders(names: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(names).map(([name, value]) => [
    name,
    (value ?? '').replaceAll(/[^\x20-\x7e]/g, '').trim(),
  ]);
  return Object.fromEntries(entries);
}

describe('the uses of the signing secrets', () => {
  it('are counted with the deliveries that were accepted, and saved together, also after a failure of the ledger', async () => {
    const saved: object[][] = [];
    let isAway = true;
    const { send, receiver } = createTestReceiver({
      secretUses: {
        async add(uses) {
          if (isAway) throw new LedgerError('unreachable', 'no answer');
          saved.push([...uses]);
        },
      },
    });
    const order = JSON.stringify({ data: { order_id: orderId } });
    for (let count = 0; count < 3; count += 1) await send(signed(reply()));
    await send(signed(order, { path: '/order-status' }));
    await send(signed(reply(), { by: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }));
    await receiver.saveUses();
    isAway = false;
    await receiver.saveUses();
    await receiver.saveUses();
    expect(saved).toEqual([
      [
        expect.objectContaining({ endpoint: 'replies', deliveries: 3, lastAt: now.toISOString() }),
        expect.objectContaining({ endpoint: 'order_status', deliveries: 1 }),
      ],
    ]);
  });
});
