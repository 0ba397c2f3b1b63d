import { randomBytes } from 'node:crypto';
import type { PayloadCodec } from '@temporalio/common';
import { createCodecServer } from '../../../src/temporal/codec/codec-server.ts';
import { createEncryptionCodec } from '../../../src/temporal/codec/encryption-codec.ts';

const ui = 'http://127.0.0.1:8233';
const codec = createEncryptionCodec({ current: { id: 'a', bytes: randomBytes(32) }, older: [], acceptPlain: true });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const payload = { metadata: { encoding: base64('json/plain') }, data: base64('{"title":"Häfen"}') };

const token = 'a-secret-token-17';
function serve(by: PayloadCodec = codec, authorization: Record<string, string> = { authorization: `Bearer ${token}` }) {
  const { fetch } = createCodecServer({ codec: by, origins: [ui], token });
  return (path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') =>
    fetch(
      new Request(`http://127.0.0.1:8234${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-namespace': 'default', ...authorization, ...headers },
        ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
      }),
    );
}
const ask = serve();

async function encoded(): Promise<{ payloads: (typeof payload)[] }> {
  return (await (await ask('/encode', { payloads: [payload] })).json()) as { payloads: (typeof payload)[] };
}

describe('createCodecServer', () => {
  it('encodes and decodes requests of the UI and the CLI', async () => {
    const { payloads } = await encoded();
    expect(payloads).toEqual([
      {
        metadata: { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('a') },
        data: expect.any(String) as string,
      },
    ]);
    const response = await ask('/decode?preserveStorageRefs=true', { payloads }, { origin: ui });
    expect([response.status, await response.json()]).toEqual([200, { payloads: [payload] }]);
  });

  it('returns plain payloads and payloads without data unchanged', async () => {
    const payloads = [payload, { metadata: { encoding: base64('binary/null') } }];
    expect(await (await ask('/decode', { payloads })).json()).toEqual({
      payloads: [payload, { ...payloads[1], data: '' }],
    });
  });

  it('accepts pages of the given origin, after a preflight', async () => {
    const response = await ask('/decode', null, { origin: ui, 'access-control-request-method': 'POST' }, 'OPTIONS');
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ui,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Content-Type, X-Namespace, Authorization, Authorization-Extras',
      vary: 'Origin',
    });
  });

  it.each(['OPTIONS', 'POST'])('rejects %s from another page', async (method) => {
    const response = await ask('/decode', { payloads: [] }, { origin: 'http://127.0.0.1:9999' }, method);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['no JSON', '{'],
    ['no payloads', {}],
    ['data that is no base64', { payloads: [{ data: '%' }] }],
    ['metadata that is no map', { payloads: [{ metadata: 'x' }] }],
  ])('returns 400 for %s', async (_, body) => {
    const response = await ask('/decode', body);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringContaining('the body must be {"payloads"') as string },
    ]);
  });

  it('returns 400 with the id of an unknown key, also to a page', async () => {
    const other = createEncryptionCodec({ current: { id: 'b', bytes: randomBytes(32) }, older: [] });
    const response = await serve(other)('/decode', await encoded(), { origin: ui });
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe(ui);
    expect(await response.json()).toEqual({
      error:
        'a payload is encrypted with key "a", which is not configured (known here: b): name it under temporal.encryption.older_keys',
    });
  });

  it('requires the token in the header or in the path, except for the preflight', async () => {
    const guarded = serve(codec, {});
    const right = { authorization: `Bearer ${token}`, origin: ui };
    expect((await guarded('/decode', { payloads: [] }, right)).status).toBe(200);
    expect((await guarded(`/${token}/decode?preserveStorageRefs=true`, { payloads: [] }, { origin: ui })).status).toBe(
      200,
    );
    expect((await guarded(`/${token}/encode`, { payloads: [payload] })).status).toBe(200);
    for (const place of ['', `/${token}`])
      expect((await guarded(`${place}/decode`, null, { origin: ui }, 'OPTIONS')).status).toBe(204);
    for (const authorization of ['', token, 'Bearer a-secret-token-1', `Basic ${token}`]) {
      const response = await guarded('/decode', { payloads: [] }, { authorization, origin: ui });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, ui]);
    }
    for (const path of ['/decode', '/a-secret-token-1/decode', '//decode', `/x/${token}/decode`])
      expect((await guarded(path, { payloads: [] })).status).toBe(401);
  });

  it('rejects a page whose host name resolves to this machine, even with the token', async () => {
    expect((await ask('/decode', { payloads: [] }, { host: 'evil.example:8234' })).status).toBe(403);
    expect((await ask('/decode', { payloads: [] }, { host: 'localhost:8234' })).status).toBe(200);
  });

  it('rejects other paths and a body that is larger than any history page', async () => {
    const large = await ask('/decode', { payloads: [{ data: 'AAAA'.repeat(4.5 * 1024 * 1024) }] });
    expect(large.status).toBe(413);
    expect((await ask('/', {})).status).toBe(404);
    expect((await ask('/decode', null, {}, 'GET')).status).toBe(404);
  });
});
