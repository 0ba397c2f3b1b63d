import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAllowance } from '../../../src/base/http/public-address.ts';
import { createPublicFetch } from '../../../src/base/http/public-fetch.ts';
import { createProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import type { DownloadOptions } from '../../../src/service/client/download-file.ts';
import {
  brokenBody,
  brokenConnection,
  createStubService,
  endlessBody,
  rejection,
  someId,
  type StubCall,
} from './stub-service.ts';

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString();
}

describe('outputs.create', () => {
  it.each([
    ['key-1', 2],
    [null, 1],
  ])('sends the key %j, %i times with the same bytes, and accepts unknown values and fields', async (key, times) => {
    const bare = { output_id: 'o', export_job_id: 'j', status: 'QUEUED', mood: 'calm' };
    // Only a request with a key is repeated when the connection breaks.
    const { client, calls } = createStubService((_, index) =>
      index + 1 < times ? brokenConnection() : Response.json(bare, { status: 202 }),
    );
    const input = { output_type: 'google_sheets', output_language: 'de', spreadsheet_id: 's' } as const;
    expect(await client.outputs.create(someId, input, key)).toEqual(bare);
    expect(calls).toHaveLength(times);
    for (const { method, path: place, body, headers } of calls) {
      expect([method, place, JSON.parse(body)]).toEqual(['POST', `/api/v1/orders/${someId}/outputs`, input]);
      expect([body, headers.get('idempotency-key')]).toEqual([calls[0]?.body, key]);
    }
    expect(await client.outputs.get(someId, 'o')).toEqual(bare);
  });

  // Guarantee: Limits of the service are checked before a request is sent
  it('rejects a spreadsheet without its id before it sends anything', async () => {
    const { client, calls } = createStubService(() => Response.json({}));
    const { facts, message } = await rejection(client.outputs.create(someId, { output_type: 'google_sheets' }, 'k'));
    expect(facts.kind).toBe('request');
    expect(message).toContain('spreadsheet_id: is required when output_type is google_sheets');
    expect(calls).toEqual([]);
  });
});

describe('outputs.list', () => {
  it('reads all three pages', async () => {
    const ids = Array.from({ length: 120 }, (_, number) => `o${number}`);
    const { client, calls } = createStubService(({ query }) => {
      const offset = Number(query['offset']);
      const outputs = ids.slice(offset, offset + 50).map((output_id) => ({ output_id, status: 'COMPLETED' }));
      return Response.json({ outputs, total: 120, has_more: offset + 50 < 120 });
    });
    expect((await client.outputs.list(someId)).map(({ output_id }) => output_id)).toEqual(ids);
    expect(calls).toHaveLength(3);
  });

  it('rejects a list that has more outputs and shows none', async () => {
    const { client } = createStubService(() => Response.json({ outputs: [], total: 9, has_more: true }));
    expect((await rejection(client.outputs.list(someId))).message).toContain('has_more: must be false after 0 outputs');
  });
});

/** A service that redirects to files at any address. */
function createFiles(respond: (call: StubCall & { url: URL }) => Response | Promise<Response>, timeoutMs = 1_000) {
  const requested: { url: string; key: string | null; encoding: string | null }[] = [];
  const fetch = async (request: Request) => {
    const { url, method, headers, signal } = request;
    expect(request.redirect).toBe('manual');
    requested.push({ url, key: headers.get('authorization'), encoding: headers.get('accept-encoding') });
    const at = new URL(url);
    return respond({ url: at, method, headers, signal, path: at.pathname, query: {}, body: '' });
  };
  const client = createProspectingClient({
    baseUrl: 'https://service.example/',
    apiKey: () => 'sk_secret_key',
    timeoutMs,
    fetch,
    fetchFile: fetch,
  });
  const download = (options: DownloadOptions = {}) => text(client.outputs.download('job-1', options));
  return { download, client, requested };
}

const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } });
const path = '/api/v1/exports/jobs/job-1/download';

describe('outputs.download', () => {
  it('follows redirects to another host without the key, and sends the key only to its own origin', async () => {
    const { download, requested } = createFiles(({ url }) => {
      if (url.pathname === path) return redirect('https://files.storage.com/one?signature=1');
      if (url.pathname === '/one') return redirect('https://service.example/two', 307);
      if (url.pathname === '/two') return redirect('https://cdn.storage.com/three', 308);
      return new Response('a,b\r\n');
    });
    expect(await download()).toBe('a,b\r\n');
    const key = 'Bearer sk_secret_key';
    const encoding = 'identity';
    expect(requested).toEqual([
      { url: `https://service.example${path}`, key, encoding },
      { url: 'https://files.storage.com/one?signature=1', key: null, encoding },
      { url: 'https://service.example/two', key, encoding },
      { url: 'https://cdn.storage.com/three', key: null, encoding },
    ]);
  });

  it.each([
    ['is returned without a redirect', new Response('file', { headers: { 'content-length': '4' } }), 'file'],
    ['is empty', new Response(null), ''],
    // The content length is that of the compressed file.
    ['was compressed', new Response('a,b', { headers: { 'content-length': '2', 'content-encoding': 'gzip' } }), 'a,b'],
  ])('reads a file that %s', async (_, answer, expected) => {
    expect(await createFiles(() => answer).download()).toBe(expected);
  });

  const temporary = { kind: 'connection' };
  const tooLarge = { kind: 'contract', detail: 'the file has more than 10 bytes' };
  const refusal = (detail: string) => ({ kind: 'redirect', detail });
  /** Answers the service's own address with a redirect, and every other one with `file`. */
  const behind = (location: string, file: () => Response) => (call: StubCall) =>
    call.path === path ? redirect(location) : file();
  const never = () => new Promise<Response>(() => undefined);

  it.each<[string, (call: StubCall) => Response | Promise<Response>, object, number?, DownloadOptions?]>([
    [
      'a redirect to an address that fileAddress refuses',
      () => redirect('http://files.storage.com/Geheim'),
      refusal('to an address that does not begin with https://'),
    ],
    ['too many redirects', () => redirect(path), refusal('more than 5 times'), 6],
    [
      'an error of the service',
      () => Response.json({ code: 'EXPORT_NOT_READY' }, { status: 409 }),
      { kind: 'http', status: 409, code: 'EXPORT_NOT_READY', path },
    ],
    [
      'an expired address',
      behind('https://files.storage.com/Geheim', () => {
        return new Response('<Error>Geheim</Error>', { status: 403, headers: { 'retry-after': '7' } });
      }),
      { ...temporary, detail: 'the address of the file answered with status 403', retryAfterSeconds: 7 },
      2,
    ],
    ['a file that breaks off', () => new Response(brokenBody('a,b')), temporary],
    ['a file that is too short', () => new Response('a,b', { headers: { 'content-length': '4' } }), temporary],
    ['a file that is too long', () => new Response('a,b', { headers: { 'content-length': '2' } }), temporary],
    ['a broken connection', () => brokenConnection(), temporary],
    [
      'a content length above the limit',
      () => new Response(endlessBody('a'), { headers: { 'content-length': '11' } }),
      tooLarge,
      1,
      { mostBytes: 10 },
    ],
    ['more bytes than the limit', () => new Response('eleven char'), tooLarge, 1, { mostBytes: 10 }],
    ['no answer', never, { kind: 'timeout', detail: 'service.timeout is 20 ms' }],
    [
      'a file that stalls',
      () => new Response(endlessBody('a')),
      { kind: 'timeout', detail: 'service.timeout is 20 ms' },
    ],
    ['a cancellation before', never, { kind: 'cancelled' }, 0, { signal: AbortSignal.abort() }],
  ])(
    'fails with %s, shows no address, and does not repeat the request',
    async (_, respond, facts, times = 1, options = {}) => {
      const { download, requested } = createFiles(respond, 20);
      const error = await rejection(download(options));
      expect(error.facts).toMatchObject(facts);
      expect(error.message).not.toContain('Geheim');
      expect(error.isOutcomeUnknown).toBe(['connection', 'timeout'].includes(error.facts.kind));
      expect(requested).toHaveLength(times);
    },
  );

  it('times out when a file arrives too slowly to end', async () => {
    const dripping = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        controller.enqueue(new Uint8Array(1));
      },
    });
    const { download } = createFiles(() => new Response(dripping));
    expect((await rejection(download({ longestMs: 30 }))).facts).toMatchObject({ kind: 'timeout', detail: '30 ms' });
  });

  it('stops when it is cancelled during the download', async () => {
    const { download } = createFiles(() => new Response(endlessBody('a')));
    const controller = new AbortController();
    const outcome = rejection(download({ signal: controller.signal }));
    setImmediate(() => controller.abort());
    expect((await outcome).facts.kind).toBe('cancelled');
  });

  it('closes the file when the caller stops reading', async () => {
    let left = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => void (left = true),
    });
    const { client } = createFiles(() => new Response(body));
    for await (const chunk of client.outputs.download('job-1')) if (chunk.length > 0) break;
    expect(left).toBe(true);
  });
});

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('outputs.download over real connections', () => {
  it('does not connect to a public name that resolves to a private address', async () => {
    const service = await listen((_, response) => {
      response.writeHead(302, { location: 'https://127.0.0.1.nip.io/Geheim' }).end();
    });
    const settings = { baseUrl: `http://127.0.0.1:${service.port}`, apiKey: () => 'sk_1' };
    const asked: string[] = [];
    const resolve = async (hostname: string) => {
      asked.push(hostname);
      return ['127.0.0.1'];
    };
    const fetchFile = createPublicFetch({ allowed: parseAllowance([]), resolve });
    const { facts, message } = await rejection(
      text(createProspectingClient({ ...settings, fetchFile }).outputs.download('job-1')),
    );
    expect(facts).toMatchObject({
      kind: 'redirect',
      detail: 'to a name that resolves to an address of a private or reserved network',
    });
    expect(message).not.toMatch(/Geheim|nip\.io/);
    expect(asked).toEqual(['127.0.0.1.nip.io']);
    await service.close();
  });

  it('fails when the connection is cut during the download', async () => {
    const service = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('a,b', () => response.destroy());
    });
    const client = createProspectingClient({ baseUrl: `http://127.0.0.1:${service.port}`, apiKey: () => 'sk_1' });
    expect((await rejection(text(client.outputs.download('job-1')))).facts.kind).toBe('connection');
    await service.close();
  });
});
