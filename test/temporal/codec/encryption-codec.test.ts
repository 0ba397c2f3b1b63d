import { randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import * as fc from 'fast-check';
import { createEncryptionCodec, isEncrypted, type CodecKey } from '../../../src/temporal/codec/encryption-codec.ts';
import { runsOf } from '../../helpers/sample.ts';

const key = (id: string): CodecKey => ({ id, bytes: randomBytes(32) });
const [first, second] = [key('2026-05'), key('2026-11')];
const codec = createEncryptionCodec({ current: first, older: [] });

const anyBytes = fc.uint8Array({ maxLength: 300 });
const anyPayload = fc.record({
  metadata: fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    anyBytes,
    { maxKeys: 4 },
  ),
  data: anyBytes,
});
/** Bytes come back as Buffers, an absent field as an empty one. */
const plain = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, [...value]])),
  data: [...(data ?? [])],
});
/** As this codec writes them. */
interface Encoded {
  readonly metadata: Record<'encoding' | 'encryption-key-id', Uint8Array>;
  readonly data: Uint8Array;
}
const encodeOne = async (payload: Payload, by = codec) => (await by.encode([payload]))[0] as Encoded;
const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();

describe('createEncryptionCodec', () => {
  it('decodes any payloads that it has encoded, and shows nothing of the encoded ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPayload, { maxLength: 4 }), async (payloads) => {
        const encoded = (await codec.encode(payloads)) as Encoded[];
        expect(encoded.map(({ metadata }) => Object.keys(metadata ?? {}))).toEqual(
          payloads.map(() => ['encoding', 'encryption-key-id']),
        );
        // Of a few bytes, some come together by chance.
        const shown = payloads.filter(
          ({ data }, index) => data.length > 7 && Buffer.from(encoded[index]?.data ?? []).includes(Buffer.from(data)),
        );
        expect(shown).toEqual([]);
        expect((await codec.decode(encoded)).map(plain)).toEqual(payloads.map(plain));
      }),
      { numRuns: runsOf(200) },
    );
  });

  it('decodes a payload that was encrypted twice once', async () => {
    const once = await encodeOne({ metadata: {}, data: Buffer.from('x') });
    const twice = await encodeOne(once);
    expect((await codec.decode([twice])).map(plain)).toEqual([plain(once)]);
  });

  it('encrypts the same payload differently each time', async () => {
    const payload = { metadata: {}, data: Buffer.from('the same') };
    const seen = await Promise.all(Array.from({ length: 50 }, () => encodeOne(payload)));
    expect(new Set(seen.map(({ data }) => Buffer.from(data.subarray(0, 12)).toString('hex'))).size).toBe(50);
  });

  it('rejects a payload in which any bit was changed', async () => {
    await fc.assert(
      fc.asyncProperty(anyPayload, fc.nat(), fc.integer({ min: 0, max: 7 }), async (payload, place, bit) => {
        const encoded = await encodeOne(payload);
        const data = Uint8Array.from(encoded.data);
        const at = place % data.length;
        data[at] = (data[at] ?? 0) ^ (1 << bit);
        await expect(codec.decode([{ ...encoded, data }])).rejects.toMatchObject({
          name: 'CodecError',
          problem: 'not-authentic',
          keyId: '2026-05',
        });
      }),
      { numRuns: runsOf(200) },
    );
  });

  it('rejects a truncated payload', async () => {
    await fc.assert(
      fc.asyncProperty(anyPayload, fc.nat(), async (payload, length) => {
        const encoded = await encodeOne(payload);
        const data = encoded.data.subarray(0, length % encoded.data.length);
        await expect(codec.decode([{ ...encoded, data }])).rejects.toMatchObject({ name: 'CodecError' });
      }),
      { numRuns: runsOf(50) },
    );
  });

  it('rejects another key with the same id', async () => {
    const other = createEncryptionCodec({ current: key('2026-05'), older: [] });
    await expect(other.decode([await encodeOne({ metadata: {}, data: Buffer.from('x') })])).rejects.toThrow(
      'a payload encrypted with key "2026-05" cannot be decrypted: it was changed, or this is another key of that id',
    );
  });

  it('encrypts with the new key after a rotation, and decrypts with the older one', async () => {
    const rotated = createEncryptionCodec({ current: second, older: [first] });
    const before = await encodeOne({ metadata: {}, data: Buffer.from('before') });
    const after = await encodeOne({ metadata: {}, data: Buffer.from('after') }, rotated);
    expect(text(after.metadata['encryption-key-id'])).toBe('2026-11');
    expect((await rotated.decode([before, after])).map(({ data }) => text(data))).toEqual(['before', 'after']);
    await expect(codec.decode([after])).rejects.toThrow(
      'a payload is encrypted with key "2026-11", which is not configured (known here: 2026-05): name it under temporal.encryption.older_keys',
    );
  });

  it('rejects plain payloads, unless it accepts them', async () => {
    const payloads: Payload[] = [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') }];
    expect(payloads.map(isEncrypted)).toEqual([false]);
    await expect(codec.decode(payloads)).rejects.toMatchObject({
      name: 'CodecError',
      problem: 'not-encrypted',
      message: expect.stringContaining('temporal.encryption.accept_plain is false') as string,
    });
    const accepting = createEncryptionCodec({ current: first, older: [], acceptPlain: true });
    expect(await accepting.decode(payloads)).toEqual(payloads);
  });

  it('accepts empty payloads, and nothing that only claims to be empty', async () => {
    const none = { metadata: { encoding: Buffer.from('binary/null') } };
    expect(await codec.decode([{}, none])).toEqual([{}, none]);
    for (const smuggled of [{ data: Buffer.from('1') }, { ...none, data: Buffer.from('1') }])
      await expect(codec.decode([smuggled])).rejects.toMatchObject({ problem: 'not-encrypted' });
  });

  it.each([0, 16, 31, 33])('rejects a key of %d bytes', (length) => {
    expect(() => createEncryptionCodec({ current: { id: 'k', bytes: randomBytes(length) }, older: [] })).toThrow(
      `encryption key k has ${length} bytes; AES-256 takes 32`,
    );
  });

  it("decodes payloads of Temporal's samples", async () => {
    // As samples-typescript/encryption does: webcrypto, nonce of 12 bytes in front, the payload as protobuf.
    const wire = Buffer.from('0a160a08656e636f64696e67120a6a736f6e2f706c61696e1203223122', 'hex');
    const nonce = randomBytes(12);
    const imported = await crypto.subtle.importKey('raw', Buffer.from(first.bytes), 'AES-GCM', true, ['encrypt']);
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, imported, wire);
    const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from('2026-05') };
    const [decoded] = await codec.decode([{ metadata, data: Buffer.concat([nonce, Buffer.from(sealed)]) }]);
    expect(text(decoded?.metadata?.['encoding'])).toBe('json/plain');
    expect(text(decoded?.data)).toBe('"1"');
  });
});
