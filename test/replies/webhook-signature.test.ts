import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { parseSecret, sign, verify, WebhookSecretError } from '../../src/replies/webhook-signature.ts';
import official from '../fixtures/standard-webhooks-official.json' with { type: 'json' };
import { anyCharacter } from '../helpers/random-text.ts';
import { runsOf } from '../helpers/sample.ts';

const secretText = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const oldText = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const now = 1_614_265_330;
const body = Buffer.from('{"test": 2432232314}');
const secret = parseSecret(secretText);
const old = parseSecret(oldText);
const right = sign({ id, timestampSeconds: now, body, secrets: [secret] });
const mac = right.slice('v1,'.length);

type Sent = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

function check(sent: Partial<Sent> = {}, more: Partial<Omit<Parameters<typeof verify>[0], 'headers'>> = {}) {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': right, ...sent };
  const get = (name: string) => headers[name as keyof Sent] ?? null;
  return verify({ headers: { get }, body, secrets: [secret], nowSeconds: now, ...more });
}

function refused(reason: string) {
  return { ok: false, reason };
}

/** Decodes Base64 leniently, for official cases whose secrets parseSecret rejects. */
function lenientKey(text: string): KeyObject {
  return createSecretKey(Buffer.from(text.replace('whsec_', ''), 'base64'));
}

function messageOf(text: string): string {
  try {
    parseSecret(text);
    return 'taken';
  } catch (error) {
    return error instanceof WebhookSecretError ? error.message : 'another error';
  }
}

function macOf(signedId: string, timestamp: string, signedBody: Uint8Array, key = secret): string {
  return `v1,${createHmac('sha256', key).update(`${signedId}.${timestamp}.`).update(signedBody).digest('base64')}`;
}

describe('parseSecret', () => {
  const withBytes = (count: number) => `whsec_${randomBytes(count).toString('base64')}`;

  it.each([24, 25, 32, 63, 64])('accepts %i bytes', (count) => {
    const text = withBytes(count);
    expect(`whsec_${parseSecret(text).export().toString('base64')}`).toBe(text);
  });

  it.each([
    ['empty', '', 'is empty'],
    ['a prefix only', 'whsec_', 'has 0 bytes'],
    ['a cut prefix', 'whsec', 'does not begin with whsec_'],
    ['no prefix', secretText.slice(6), 'does not begin with whsec_'],
    ['a prefix in capitals', `WHSEC_${secretText.slice(6)}`, 'does not begin with whsec_'],
    ['a private key of the asymmetric scheme', 'whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'does not begin with whsec_'],
    ['a version before it', `v1,${secretText}`, 'begins with "v1,"'],
    ['the asymmetric version before it', `v1a,${secretText}`, 'begins with "v1,"'],
    ['a line break after it', `${secretText}\n`, 'ends with a space or a line break'],
    ['a space before it', ` ${secretText}`, 'begins or ends'],
    ['a line break inside', `${secretText.slice(0, 20)}\n${secretText.slice(20)}`, 'not padded standard base64'],
    ['the URL-safe alphabet', `whsec_${'-_'.repeat(16)}`, 'not padded standard base64'],
    ['no padding', withBytes(32).replace(/=+$/, ''), 'not padded standard base64'],
    ['other signs', `${secretText}!`, 'not padded standard base64'],
    ['one byte', withBytes(1), 'has 1 bytes'],
    ['23 bytes', withBytes(23), 'has 23 bytes; 24 to 64'],
    ['65 bytes', withBytes(65), 'has 65 bytes; 24 to 64'],
  ])('rejects %s with its reason', (_, text, words) => {
    expect(() => parseSecret(text)).toThrow(WebhookSecretError);
    expect(() => parseSecret(text)).toThrow(words);
  });

  it('never shows the secret, neither in an error nor when the key is printed', () => {
    const property = fc.property(fc.base64String({ minLength: 12 }), (text) => {
      const refusal = [text, `v1,whsec_${text}`, `whsec_${text}\n`, `whsec_${text}!`].map(messageOf).join(' ');
      expect(refusal).toMatch(/^The webhook signing secret/);
      expect(refusal).not.toContain(text);
    });
    fc.assert(property);
    expect(inspect(secret) + JSON.stringify(secret)).not.toContain(secretText.slice(6));
  });

  it.each(official.secrets)('rejects the official case $note', ({ secret: text }) => {
    expect(() => parseSecret(text)).toThrow(WebhookSecretError);
  });
});

describe('sign', () => {
  it.each(official.sign)('creates the official signature $name', (vector) => {
    const message = { id: vector.id, timestampSeconds: vector.timestamp, body: Buffer.from(vector.payload) };
    expect(sign({ ...message, secrets: [parseSecret(vector.secret)] })).toBe(vector.signature);
  });

  it('creates one signature per secret, in the given order', () => {
    const message = { id, timestampSeconds: now, body };
    const both = sign({ ...message, secrets: [secret, old] });
    expect(both).toBe(`${right} ${sign({ ...message, secrets: [old] })}`);
  });

  it.each(['', 'a.b', 'a b', 'a\n', 'ä', 'a\u0000', 'x'.repeat(256)])('rejects the id %j', (wrong) => {
    expect(() => sign({ id: wrong, timestampSeconds: now, body, secrets: [secret] })).toThrow(RangeError);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, 1e15, 1e21])('rejects the timestamp %s', (wrong) => {
    expect(() => sign({ id, timestampSeconds: wrong, body, secrets: [secret] })).toThrow(RangeError);
  });

  it.each(official.sign_refused)('rejects the official case $name', ({ timestamp }) => {
    const message = { id, body, secrets: [secret], timestampSeconds: timestamp as unknown as number };
    expect(() => sign(message)).toThrow(RangeError);
    // The compiler rejects an id that is not a string.
    // @ts-expect-error: number
    const untyped: Parameters<typeof sign>[0]['id'] = 123;
    expect(untyped).toBe(123);
  });

  it('throws without a secret', () => {
    expect(() => sign({ id, timestampSeconds: now, body, secrets: [] })).toThrow(WebhookSecretError);
  });
});

describe('verify', () => {
  const reasons: Record<string, string> = { bad_timestamp: 'malformed_timestamp' };
  /** Valid for the libraries, but rejected by parseSecret. */
  const refusedSecrets = [
    'valid-secret-without-whsec-prefix',
    'secret-without-base64-padding-1',
    'secret-without-base64-padding-2',
  ];

  it.each(official.verify)('returns the official result of $name', (vector) => {
    const headers = new Headers(Object.entries(vector.headers));
    expect(messageOf(vector.secret) === 'taken').toBe(!refusedSecrets.includes(vector.name));
    const secrets = [lenientKey(vector.secret)];
    const answer = verify({ headers, body: Buffer.from(vector.payload), secrets, nowSeconds: vector.now });
    const reason = vector.reason ?? '';
    expect(answer).toEqual(
      vector.expected === 'valid' ? { ok: true, secretIndex: 0 } : refused(reasons[reason] ?? reason),
    );
  });

  it('accepts a clock difference of up to five minutes in both directions', () => {
    expect(check({}, { nowSeconds: now + 300 })).toMatchObject({ ok: true });
    expect(check({}, { nowSeconds: now + 300.9 })).toMatchObject({ ok: true });
    expect(check({}, { nowSeconds: now - 300 })).toMatchObject({ ok: true });
    expect(check({}, { nowSeconds: now + 301 })).toEqual(refused('timestamp_too_old'));
    expect(check({}, { nowSeconds: now - 301 })).toEqual(refused('timestamp_too_new'));
    expect(check({}, { nowSeconds: now + 11, toleranceSeconds: 10 })).toEqual(refused('timestamp_too_old'));
    expect(check({}, { nowSeconds: Number.NaN })).toMatchObject({ ok: false });
  });

  it('returns which secret matched during a rotation', () => {
    const sent = { 'webhook-signature': sign({ id, timestampSeconds: now, body, secrets: [secret, old] }) };
    expect(check(sent, { secrets: [secret] })).toEqual({ ok: true, secretIndex: 0 });
    expect(check(sent, { secrets: [old] })).toEqual({ ok: true, secretIndex: 0 });
    expect(check({}, { secrets: [old, secret] })).toEqual({ ok: true, secretIndex: 1 });
    expect(check(sent, { secrets: [old, secret] })).toEqual({ ok: true, secretIndex: 0 });
    expect(check({}, { secrets: [old] })).toEqual(refused('no_match'));
  });

  it.each([
    ['serialised again', Buffer.from(JSON.stringify(JSON.parse(body.toString())))],
    ['with a line break after it', Buffer.concat([body, Buffer.from('\n')])],
    ['with a byte order mark', Buffer.concat([Buffer.from('\uFEFF'), body])],
    ['cut', body.subarray(0, -1)],
  ])('rejects a body %s', (_, changed) => {
    expect(check({}, { body: changed })).toEqual(refused('no_match'));
  });

  it('verifies bytes that are not text, and distinguishes them from the replacement character', () => {
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    const sent = { 'webhook-signature': macOf(id, String(now), bytes) };
    expect(check(sent, { body: bytes })).toMatchObject({ ok: true });
    expect(check(sent, { body: Buffer.from('{\uFFFD}') })).toEqual(refused('no_match'));
  });

  it.each(['abc', '.9', '', ' '])('rejects the timestamp %j although it was signed', (text) => {
    const sent = { 'webhook-timestamp': text, 'webhook-signature': macOf(id, text, body) };
    expect(check(sent).ok).toBe(false);
  });

  it('rejects milliseconds as a time in the future', () => {
    const text = String(now * 1_000);
    const sent = { 'webhook-timestamp': text, 'webhook-signature': macOf(id, text, body) };
    expect(check(sent)).toEqual(refused('timestamp_too_new'));
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)('rejects an empty %s', (name) => {
    expect(check({ [name]: '' })).toEqual(refused('missing_header'));
  });

  it.each([
    ['no signature', ''],
    ['hexadecimal digits', `v1,${Buffer.from(mac, 'base64').toString('hex')}`],
    ['a capital version', `V1,${mac}`],
    ['the asymmetric version', `v1a,${mac}`],
    ['bytes after the code', `v1,${Buffer.concat([Buffer.from(mac, 'base64'), Buffer.alloc(1)]).toString('base64')}`],
    ['a tab between', `v2,x\tv1,${mac}`],
  ])('rejects a valid signature with %s', (_, text) => {
    expect(check({ 'webhook-signature': text }).ok).toBe(false);
  });

  it('throws without a secret', () => {
    expect(() => check({}, { secrets: [] })).toThrow(WebhookSecretError);
  });

  const message = fc.record({
    id: fc.stringMatching(/^[!-\-/-~]{1,40}$/),
    timestamp: fc.integer({ min: 1, max: 999_999_999_999 }),
    body: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    key: fc.uint8Array({ minLength: 24, maxLength: 64 }),
  });

  it('accepts a signed message, and rejects it with any bit changed', () => {
    const property = fc.property(message, fc.nat(), fc.constantFrom('id', 'time', 'body', 'mac'), (sent, at, part) => {
      const key = parseSecret(`whsec_${Buffer.from(sent.key).toString('base64')}`);
      const signature = sign({ id: sent.id, timestampSeconds: sent.timestamp, body: sent.body, secrets: [key] });
      const bytes = {
        id: Buffer.from(sent.id, 'latin1'),
        time: Buffer.from(String(sent.timestamp), 'latin1'),
        body: Buffer.from(sent.body),
        mac: Buffer.from(signature.slice(3), 'base64'),
      };
      const answer = () =>
        check(
          {
            'webhook-id': bytes.id.toString('latin1'),
            'webhook-timestamp': bytes.time.toString('latin1'),
            'webhook-signature': `v1,${bytes.mac.toString('base64')}`,
          },
          { body: bytes.body, secrets: [key], nowSeconds: sent.timestamp, toleranceSeconds: Infinity },
        ).ok;
      expect(answer()).toBe(true);
      const bit = at % (bytes[part].length * 8);
      bytes[part][bit >> 3] = bytes[part].readUInt8(bit >> 3) ^ (1 << (bit & 7));
      expect(answer()).toBe(false);
    });
    fc.assert(property, { numRuns: runsOf(400) });
  });
});

describe('sign and verify with the reference library', () => {
  afterEach(() => jest.restoreAllMocks());
  const headersOf = (signature: string) => ({
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': signature,
  });
  const anyBody = fc.string({ unit: anyCharacter, maxLength: 300 });
  const key = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));

  it('sign messages that the library verifies, with either secret', () => {
    jest.spyOn(Date, 'now').mockReturnValue(now * 1_000);
    const property = fc.property(anyBody, key, key, (text, newer, older) => {
      const secrets = [parseSecret(`whsec_${newer}`), parseSecret(`whsec_${older}`)];
      const sent = headersOf(sign({ id, timestampSeconds: now, body: Buffer.from(text), secrets }));
      expect(() => new Webhook(`whsec_${newer}`).verify(text, sent, { jsonParse: false })).not.toThrow();
      expect(() => new Webhook(older).verify(Buffer.from(text), sent, { jsonParse: false })).not.toThrow();
    });
    fc.assert(property);
  });

  it('verify messages that the library signs', () => {
    const property = fc.property(anyBody, key, (text, encoded) => {
      const signature = new Webhook(encoded).sign(id, new Date(now * 1_000), text);
      const more = { body: Buffer.from(text), secrets: [parseSecret(`whsec_${encoded}`)] };
      expect(check({ 'webhook-signature': signature }, more)).toEqual({ ok: true, secretIndex: 0 });
    });
    fc.assert(property);
  });

  it('agree with the recorded results of the library for the official cases', () => {
    for (const vector of official.verify) {
      jest.spyOn(Date, 'now').mockReturnValue(vector.now * 1_000);
      const theirs = () => new Webhook(vector.secret).verify(vector.payload, vector.headers, { jsonParse: false });
      const answer = (() => {
        try {
          theirs();
          return 'valid';
        } catch {
          return 'invalid';
        }
      })();
      expect([vector.name, answer]).toEqual([vector.name, vector.standardwebhooks_1_1_1]);
    }
  });

  const oddId = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)), minLength: 1 }),
    fc.constantFrom('msg.1', 'msg 1', 'msg_1, msg_2', 'ä', 'x'.repeat(2_000)),
  );
  const oddTime = fc.constantFrom('', 'abc', ' ', '.9', '+', '0', '.0', '-1');
  const written = (time: string) =>
    time === '-1' ? `-${now}` : time === '0' || time === '+' || time === ' ' ? `${time}${now}` : `${now}${time}`;
  const entries = fc.array(
    fc.constantFrom('right', 'right,junk', 'v2', 'random', 'no version', 'empty', 'right, v1,x'),
    { maxLength: 40 },
  );

  // The library is the other side of the specification: whatever it accepts is a delivery, and must not be lost.
  it('agree on any id, spelling of the time and number of signatures', () => {
    jest.spyOn(Date, 'now').mockReturnValue(now * 1_000);
    const property = fc.property(oddId, oddTime, entries, anyBody, (oneId, time, kinds, text) => {
      const signature = new Webhook(secretText).sign(oneId, new Date(now * 1_000), text);
      const words: Record<string, string> = {
        right: signature,
        'right,junk': `${signature},junk`,
        v2: `v2,${mac}`,
        random: `v1,${randomBytes(32).toString('base64')}`,
        'no version': mac,
        empty: '',
        'right, v1,x': `${signature}, v1,x`,
      };
      const sent = {
        'webhook-id': oneId,
        'webhook-timestamp': written(time),
        'webhook-signature': kinds.map((kind) => words[kind]).join(' '),
      };
      const isTheirs = (() => {
        try {
          new Webhook(secretText).verify(text, sent, { jsonParse: false });
          return true;
        } catch {
          return false;
        }
      })();
      expect(check(sent, { body: Buffer.from(text) }).ok).toBe(isTheirs);
    });
    fc.assert(property, { numRuns: runsOf(400) });
  });
});
