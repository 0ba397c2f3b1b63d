import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAllowance } from '../../src/http/public-address.ts';
import { createPublicFetch } from '../../src/http/public-fetch.ts';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';
import type { DownloadOptions } from '../../src/prospecting/download-file.ts';
import {
  brokenBody,
  brokenConnection,
  createStubService,
  endlessBody,
  rejection,
  someId,
  time,
  type StubCall,
} from './stub-service.ts';

const output = {
  output_id: someId,
  export_job_id: 'job-1',
  status: 'PENDING',
  created: true,
  output_type: 'csv',
  result_count: null,
  result_sha256: null,
  location: null,
  created_at: time,
};
const csv = { output_type: 'csv', output_language: 'en' } as const;

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString();
}

describe('outputs.create', () => {
  it('sends destination and key, and returns the output', async () => {
    const { client, calls } = createStubService(() => Response.json(output, { status: 202 }));
    const input = { output_type: 'google_sheets', output_language: 'de', spreadsheet_id: 's' } as const;
    expect(await client.outputs.create(someId, input, 'key-1')).toEqual(output);
    const [call] = calls;
    expect(call).toMatchObject({ method: 'POST', path: `/api/v1/orders/${someId}/outputs` });
    expect(JSON.parse(call?.body ?? '')).toEqual(input);
    expect(call?.headers.get('idempotency-key')).toBe('key-1');
  });

  it('sends no key when it is null', async () => {
    const { client, calls } = createStubService(() => Response.json(output, { status: 202 }));
    await client.outputs.create(someId, csv, null);
    expect(calls[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('repeats the request with the same key and bytes when the connection breaks', async () => {
    const { client, calls } = createStubService((_, index) =>
      index === 0 ? brokenConnection() : Response.json(output),
    );
    await client.outputs.create(someId, csv, 'key-1');
    expect(calls.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1']);
    expect(calls[1]?.body).toBe(calls[0]?.body);
  });

  it('rejects a spreadsheet without its id before it sends anything', async () => {
    const { client, calls } = createStubService(() => Response.json(output));
    const { facts, message } = await rejection(client.outputs.create(someId, { output_type: 'google_sheets' }, 'k'));
    expect(facts.kind).toBe('request');
    expect(message).toContain('spreadsheet_id: is required when output_type is google_sheets');
    expect(calls).toEqual([]);
  });

  it('accepts an answer with required fields only, and unknown values and fields', async () => {
    const bare = { output_id: 'o', export_job_id: 'j', status: 'QUEUED', mood: 'calm' };
    const { client } = createStubService(() => Response.json(bare));
    expect(await client.outputs.create(someId, csv, 'key')).toEqual(bare);
    expect(await client.outputs.get(someId, 'o')).toEqual(bare);
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

  it('reads a file that is returned without a redirect', async () => {
    const { download } = createFiles(() => new Response('file', { headers: { 'content-length': '4' } }));
    expect(await download()).toBe('file');
    expect(await createFiles(() => new Response(null)).download()).toBe('');
  });

  it.each([
    ['plain http', 'http://files.storage.com/Geheim', 'to an address that does not begin with https://'],
    [
      'a private address',
      'https://169.254.169.254/Geheim',
      'to an address that is an IP address of a private or reserved network',
    ],
    ['another port', 'https://service.example:6379/Geheim', 'to an address that names a port'],
  ])('does not follow a redirect to %s, and does not show the address', async (_, location, reason) => {
    const { download, requested } = createFiles(() => redirect(location));
    const { facts, message, isOutcomeUnknown } = await rejection(download());
    expect(facts).toMatchObject({ kind: 'redirect', detail: reason });
    expect(message).not.toContain('Geheim');
    expect(isOutcomeUnknown).toBe(false);
    expect(requested).toHaveLength(1);
  });

  it('stops after too many redirects', async () => {
    const { download, requested } = createFiles(() => redirect(path));
    expect((await rejection(download())).facts).toMatchObject({ kind: 'redirect', detail: 'more than 5 times' });
    expect(requested).toHaveLength(6);
  });

  it('reports the error of the service when there is no file', async () => {
    const { download } = createFiles(() => Response.json({ code: 'EXPORT_NOT_READY' }, { status: 409 }));
    const { facts } = await rejection(download());
    expect(facts).toMatchObject({ kind: 'http', status: 409, code: 'EXPORT_NOT_READY', path });
  });

  it('reports an expired address as a temporary error, and does not repeat the request', async () => {
    const { download } = createFiles(({ url }) =>
      url.pathname === path
        ? redirect('https://files.storage.com/Geheim')
        : new Response('<Error>Geheim</Error>', { status: 403, headers: { 'retry-after': '7' } }),
    );
    const { facts, message, isOutcomeUnknown } = await rejection(download());
    expect(message).toBe(`GET ${path} could not reach the service: the address of the file answered with status 403`);
    expect(facts.retryAfterSeconds).toBe(7);
    expect(isOutcomeUnknown).toBe(true);
  });

  it.each([
    ['breaks off', () => new Response(brokenBody('a,b'))],
    ['is shorter than was told', () => new Response('a,b', { headers: { 'content-length': '4' } })],
    ['is longer than was told', () => new Response('a,b', { headers: { 'content-length': '2' } })],
    ['is not reached', () => brokenConnection()],
  ])('fails when the file %s', async (_, answer) => {
    const { facts, isOutcomeUnknown } = await rejection(createFiles(answer).download());
    expect(facts.kind).toBe('connection');
    expect(isOutcomeUnknown).toBe(true);
  });

  it('ignores the content length of a compressed file', async () => {
    const headers = { 'content-length': '2', 'content-encoding': 'gzip' };
    expect(await createFiles(() => new Response('a,b', { headers })).download()).toBe('a,b');
  });

  it.each([
    ['by what is told', () => new Response(endlessBody('a'), { headers: { 'content-length': '11' } })],
    ['by what arrives', () => new Response('eleven char')],
  ])('rejects a file larger than the limit, %s', async (_, answer) => {
    const { facts } = await rejection(createFiles(answer).download({ mostBytes: 10 }));
    expect(facts).toMatchObject({ kind: 'contract', detail: 'the file has more than 10 bytes' });
  });

  it.each([
    ['no answer', () => new Promise<Response>(() => undefined)],
    ['a file that stalls', () => new Response(endlessBody('a'))],
  ])('times out with %s', async (_, answer) => {
    const { download } = createFiles(answer, 20);
    expect((await rejection(download())).facts).toMatchObject({ kind: 'timeout', detail: '20 ms' });
  });

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

  it('stops when it is cancelled, before and during the download', async () => {
    const { download, requested } = createFiles(() => new Response(endlessBody('a')));
    expect((await rejection(download({ signal: AbortSignal.abort() }))).facts.kind).toBe('cancelled');
    expect(requested).toEqual([]);
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
  it('sends the key to the service, and not to the host of the file', async () => {
    const seen: [string, string | undefined][] = [];
    const files = await listen((request, response) => {
      seen.push(['file', request.headers.authorization]);
      response.end('Käse\r\n');
    });
    const service = await listen((request, response) => {
      seen.push(['service', request.headers.authorization]);
      response.writeHead(302, { location: 'https://files.storage.com/file' }).end();
    });
    const client = createProspectingClient({
      baseUrl: `http://127.0.0.1:${service.port}`,
      apiKey: () => 'sk_1',
      // The same request, sent to the file server of the test.
      fetchFile: (request) => fetch(new Request(`http://127.0.0.1:${files.port}/file`, request)),
    });
    expect(await text(client.outputs.download('job-1'))).toBe('Käse\r\n');
    expect(seen).toEqual([
      ['service', 'Bearer sk_1'],
      ['file', undefined],
    ]);
    await Promise.all([files.close(), service.close()]);
  });

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
