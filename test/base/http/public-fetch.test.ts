import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { AddressRefusedError, createPublicFetch } from '../../../src/base/http/public-fetch.ts';
import { parseAllowance } from '../../../src/base/http/public-address.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on loopback with a public name, as a hostile resolver can return it. */
async function listen(listener: RequestListener) {
  let connections = 0;
  const server = createServer(listener);
  server.on('connection', () => (connections += 1));
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://files.storage.com:${(server.address() as AddressInfo).port}/a`,
    connections: () => connections,
  };
}

const toLoopback = async () => ['127.0.0.1'];
const nothing = parseAllowance([]);
const loopback = parseAllowance(['127.0.0.0/8']);

async function refusal(answer: Promise<Response>): Promise<string> {
  const error: unknown = await answer.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AddressRefusedError);
  return (error as AddressRefusedError).reason;
}

describe('createPublicFetch', () => {
  it.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['8.8.8.8', '192.168.0.1'],
  ])('does not connect to a name that resolves to %s %s', async (...addresses) => {
    const { url, connections } = await listen((_, response) => response.end('internal'));
    const fetch = createPublicFetch({ allowed: nothing, resolve: async () => addresses });
    expect(await refusal(fetch(new Request(url)))).toBe('private_address');
    expect(connections()).toBe(0);
  });

  it('sends nothing to a private IP address in the URL, which is never resolved', async () => {
    let requests = 0;
    const { url } = await listen(() => (requests += 1));
    const fetch = createPublicFetch();
    const literal = url.replace('files.storage.com', '127.0.0.1');
    expect(await refusal(fetch(new Request(literal)))).toBe('private_address');
    expect(requests).toBe(0);
  });

  it('connects to the address that it has checked, and does not resolve the name again', async () => {
    const { url } = await listen((request, response) => response.end(request.headers.host));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const fetch = createPublicFetch({ allowed: loopback, resolve: async () => answers.shift() ?? [] });
    expect(await (await fetch(new Request(url))).text()).toBe(new URL(url).host);
    expect(await refusal(fetch(new Request(url)))).toBe('private_address');
    expect(await refusal(fetch(new Request(url)))).toBe('dns');
  });

  it('returns status, headers and body like fetch, and does not follow redirects', async () => {
    const { url } = await listen((request, response) => {
      if (request.headers['x-case'] === 'redirect') response.writeHead(302, { location: '/b' }).end();
      else if (request.headers['x-case'] === 'empty') response.writeHead(204).end();
      else response.writeHead(206, { 'content-type': 'text/csv' }).end('Käse');
    });
    const fetch = createPublicFetch({ allowed: loopback, resolve: toLoopback });
    const ask = (name: string) => fetch(new Request(url, { headers: { 'x-case': name } }));
    const redirect = await ask('redirect');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/b']);
    expect((await ask('empty')).status).toBe(204);
    const file = await ask('file');
    expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([206, 'text/csv', 'Käse']);
  });

  it.each([
    ['gzip', gzipSync('Käse')],
    ['br', brotliCompressSync('Käse')],
  ])('decodes %s', async (encoding, bytes) => {
    const { url } = await listen((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes));
    const fetch = createPublicFetch({ allowed: loopback, resolve: toLoopback });
    expect(await (await fetch(new Request(url))).text()).toBe('Käse');
  });

  it('fails when the connection is cut in the middle of a plain or compressed body, or the request is aborted', async () => {
    const { url } = await listen((request, response) => {
      const encoding = String(request.headers['x-encoding'] ?? 'identity');
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': '1000' });
      response.write(gzipSync('Käse').subarray(0, 20));
      if (request.headers['x-stays'] === undefined) setImmediate(() => response.destroy());
    });
    const fetch = createPublicFetch({ allowed: loopback, resolve: toLoopback });
    const ask = (headers: Record<string, string>, signal = new AbortController().signal) =>
      fetch(new Request(url, { headers, signal })).then((response) => response.text());
    await expect(ask({})).rejects.toThrow('aborted');
    await expect(ask({ 'x-encoding': 'gzip' })).rejects.toThrow('aborted');
    const controller = new AbortController();
    const aborted = ask({ 'x-stays': 'yes' }, controller.signal);
    setImmediate(() => controller.abort());
    await expect(aborted).rejects.toThrow('aborted');
    await expect(ask({}, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
