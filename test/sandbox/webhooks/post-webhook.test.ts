import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { postWebhook, type WebhookPost } from '../../../sandbox/webhooks/post-webhook.ts';
import { parseAllowance, type AddressAllowance } from '../../../src/base/http/public-address.ts';

const fixtures = path.join(import.meta.dirname, '../../fixtures');
/** Self-signed for hooks.receiver.test, until 2126; the key opens nothing but this test. */
const certificate = readFileSync(path.join(fixtures, 'receiver-certificate.pem'), 'utf8');
const key = readFileSync(path.join(fixtures, 'receiver-key.pem'), 'utf8');

const loopback = parseAllowance(['127.0.0.1/32']);
const body = Buffer.from('{"id":"1","text":"Grüße"}');
const open: { server: Server; sockets: Set<Socket> }[] = [];

/** Its port on 127.0.0.1, and every connection made to it. */
async function listen(server: Server, host = '127.0.0.1', port = 0) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  open.push({ server, sockets });
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  return { port: (server.address() as AddressInfo).port, sockets };
}

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

function post(url: string, more: Partial<WebhookPost> = {}) {
  return postWebhook({ url, headers: { 'content-type': 'application/json' }, body, allowed: loopback, ...more });
}

/** One post to a receiver that answers like this. */
async function postTo(answer: RequestListener, more: Partial<WebhookPost> = {}) {
  const { port } = await listen(createHttpServer(answer));
  return post(`http://127.0.0.1:${port}/in`, more);
}

/** One post to a receiver that speaks bytes as soon as it is spoken to. */
async function postToBytes(speak: (socket: Socket) => void, more: Partial<WebhookPost> = {}) {
  const { port, sockets } = await listen(createTcpServer((socket) => void socket.once('data', () => speak(socket))));
  const answer = await post(`http://127.0.0.1:${port}/in`, more);
  return { answer, sockets };
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5);
  socket.once('close', () => clearInterval(timer));
}

async function closed(sockets: ReadonlySet<Socket>): Promise<boolean> {
  for (const socket of sockets) {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  }
  return sockets.size > 0;
}

describe('postWebhook', () => {
  it('posts bytes and headers once, and returns the answer', async () => {
    const seen: { request: IncomingMessage; bytes: Buffer }[] = [];
    const answer = await postTo(
      async (request, response) => {
        seen.push({ request, bytes: Buffer.concat(await request.toArray()) });
        response.writeHead(503, { 'retry-after': '120' }).end('später');
      },
      { headers: { 'content-type': 'application/json', 'webhook-id': 'abc', 'x-key': 'secret' } },
    );
    expect(answer).toEqual({ kind: 'answer', status: 503, text: 'später', location: null, retryAfter: '120' });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.bytes.equals(body)).toBe(true);
    expect(seen[0]?.request).toMatchObject({ method: 'POST', url: '/in', httpVersion: '1.1' });
    expect(seen[0]?.request.headers).toEqual({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'webhook-id': 'abc',
      'x-key': 'secret',
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
      connection: 'close',
    });
  });

  it('does not follow a redirect, and returns its location', async () => {
    let requests = 0;
    const answer = await postTo((_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(answer).toEqual({ kind: 'answer', status: 307, text: '', location: '/elsewhere', retryAfter: null });
    expect(requests).toBe(1);
  });

  it('ignores 1xx answers', async () => {
    const answer = await postTo((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(204).end();
    });
    expect(answer).toMatchObject({ kind: 'answer', status: 204, text: '' });
  });

  it('resolves names with the system resolver by default', async () => {
    const { port } = await listen(createHttpServer((_, response) => void response.end('ok')));
    const url = `http://localhost:${port}/in`;
    expect(await post(url, { allowed: parseAllowance([`localhost:${port}`]) })).toMatchObject({ text: 'ok' });
    // The name is allowed at the first look only, what it resolves to is not.
    const allowed = { networks: parseAllowance([]).networks, hosts: onlyForTheUrl('localhost') };
    expect(await post(url, { allowed })).toMatchObject({ kind: 'error', error: 'private_address' });
  });

  it('leaves no connection open', async () => {
    const { port, sockets } = await listen(createHttpServer((_, response) => void response.end('ok')));
    for (const _ of [1, 2, 3]) await post(`http://127.0.0.1:${port}/in`);
    expect(await closed(sockets)).toBe(true);
    expect(sockets.size).toBe(3);
  });
});

describe('the connection', () => {
  it('is closed although the receiver keeps its side open', async () => {
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok'),
      );
      // Bytes that arrive together with the answer would belong to it, so the receiver writes on only after the sender's end.
      socket.once('end', () => {
        const timer = setInterval(() => socket.write('x'), 5);
        socket.once('close', () => clearInterval(timer));
      });
    });
    const { port, sockets } = await listen(server);
    expect(await post(`http://127.0.0.1:${port}/in`)).toMatchObject({ status: 200, text: 'ok' });
    expect(await closed(sockets)).toBe(true);
  });

  it('is closed after the answer, although the receiver did not read the body', async () => {
    const { port, sockets } = await listen(
      createTcpServer((socket) => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
      }),
    );
    const answer = await post(`http://127.0.0.1:${port}/in`, { body: Buffer.alloc(20_000_000) });
    expect(answer).toMatchObject({ kind: 'answer', status: 413 });
    for (const socket of sockets) socket.resume();
    expect(await closed(sockets)).toBe(true);
    for (const { bytesRead } of sockets) expect(bytesRead).toBeLessThan(20_000_000);
  });
});

describe('the kept text', () => {
  it('contains the first 2,000 whole characters', async () => {
    const answer = await postTo((_, response) => void response.end('😀ä'.repeat(3_000)));
    expect(answer).toMatchObject({ text: '😀ä'.repeat(1_000) });
  });

  it('decodes a character that arrives in two pieces', async () => {
    const bytes = Buffer.from('Grüße 😀');
    const answer = await postTo((_, response) => {
      response.write(bytes.subarray(0, 3));
      setTimeout(() => response.end(bytes.subarray(3)), 10);
    });
    expect(answer).toMatchObject({ text: 'Grüße 😀' });
  });

  it('tolerates invalid bytes and a truncated last character', async () => {
    const answer = await postTo((_, response) => void response.end(Buffer.from([0x61, 0xff, 0x62, 0xf0, 0x9f])));
    expect(answer).toMatchObject({ text: 'a\uFFFDb\uFFFD' });
  });

  it('is returned when the limit of 64 KB cuts a character', async () => {
    const bytes = Buffer.concat([Buffer.alloc(65_534, 0x61), Buffer.from('😀 and more')]);
    const answer = await postTo((_, response) => void response.end(bytes));
    expect(answer).toMatchObject({ kind: 'answer', status: 200, text: 'a'.repeat(2_000) });
  });
});

describe('the time limit', () => {
  const soon = { timeoutMs: 40 };
  const late = { kind: 'error', error: 'timeout', code: null };

  it.each([
    ['sends nothing', '', ''],
    ['drips its headers', 'HTTP/1.1 200 OK\r\n', 'x-drip: 1\r\n'],
    ['drips 1xx answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['drips its body', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
  ])('applies to a receiver that %s', async (_, begin, text) => {
    const { answer, sockets } = await postToBytes((socket) => {
      socket.write(begin);
      drip(socket, text);
    }, soon);
    expect(answer).toEqual(late);
    expect(await closed(sockets)).toBe(true);
  });

  it('applies to a receiver that does not answer the TLS handshake', async () => {
    const { port } = await listen(createTcpServer());
    expect(await post(`https://127.0.0.1:${port}/in`, soon)).toEqual(late);
  });

  it('applies to a name server that does not answer', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await post('https://hooks.receiver.test/in', { ...soon, resolve })).toEqual(late);
  });
});

describe('the signal', () => {
  it('aborts a running request with its reason', async () => {
    const stop = new AbortController();
    const { port, sockets } = await listen(createTcpServer(() => stop.abort(new Error('stopped'))));
    await expect(post(`http://127.0.0.1:${port}/in`, { signal: stop.signal })).rejects.toThrow('stopped');
    expect(await closed(sockets)).toBe(true);
  });

  it('aborts a request whose answer is being read', async () => {
    const stop = new AbortController();
    const reading = postToBytes(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\nhalf');
        setTimeout(() => stop.abort(new Error('stopped')), 10);
      },
      { signal: stop.signal },
    );
    await expect(reading).rejects.toThrow('stopped');
  });

  it('prevents a request', async () => {
    const { port, sockets } = await listen(createTcpServer());
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(post(`http://127.0.0.1:${port}/in`, { signal })).rejects.toThrow('stopped');
    expect(sockets.size).toBe(0);
  });
});

describe('a connection that fails', () => {
  it('is classified: connection refused', async () => {
    const server = createTcpServer();
    const { port } = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const answer = await post(`http://127.0.0.1:${port}/in`);
    expect(answer).toEqual({ kind: 'error', error: 'connect', code: 'ECONNREFUSED' });
  });

  it.each([
    ['at once', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['within a body of a length', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
    ['within a body of chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('is classified: connection closed %s', async (_, bytes) => {
    const reset = await postToBytes((socket) => {
      socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 5));
    });
    expect(reset.answer).toEqual({ kind: 'error', error: 'reset', code: 'ECONNRESET' });
    const ended = await postToBytes((socket) => void socket.end(bytes));
    expect(ended.answer).toEqual({ kind: 'error', error: 'reset', code: 'ECONNRESET' });
  });

  it('is not an error when the answer has no length', async () => {
    const { answer } = await postToBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhalf', () => setTimeout(() => socket.resetAndDestroy(), 5));
    });
    expect(answer).toMatchObject({ kind: 'answer', status: 200, text: 'half' });
  });

  it('is classified: another protocol', async () => {
    const { answer } = await postToBytes((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    expect(answer).toMatchObject({ kind: 'error', error: 'protocol', code: expect.stringMatching(/^HPE_/) as string });
    const endless = await postToBytes((socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`));
    expect(endless.answer).toEqual({ kind: 'error', error: 'protocol', code: 'HPE_HEADER_OVERFLOW' });
  });

  it('is classified: TLS with a receiver that speaks plain HTTP', async () => {
    const { port } = await listen(createHttpServer());
    const answer = await post(`https://127.0.0.1:${port}/in`);
    expect(answer).toMatchObject({ kind: 'error', error: 'protocol' });
  });

  it('is classified: an unexpected 101', async () => {
    const { answer } = await postToBytes(
      (socket) => void socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    expect(answer).toEqual({ kind: 'error', error: 'protocol', code: null });
  });

  it('is classified: an unknown host name', async () => {
    const failing = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const answer = await post('https://hooks.receiver.test/in', { resolve: failing });
    expect(answer).toEqual({ kind: 'error', error: 'dns', code: 'ENOTFOUND' });
    const empty = await post('https://hooks.receiver.test/in', { resolve: () => Promise.resolve([]) });
    expect(empty).toEqual({ kind: 'error', error: 'dns', code: null });
  });

  it('throws for an invalid header without showing it', async () => {
    const attempt = post('http://127.0.0.1:9/in', { headers: { 'x-key': 'secret\nvalue' } });
    await expect(attempt).rejects.toThrow('Invalid character in header content ["x-key"]');
    await expect(attempt).rejects.not.toThrow('secret');
  });
});

describe('a certificate', () => {
  const named = (port: number, name = 'hooks.receiver.test', more: Partial<WebhookPost> = {}) =>
    post(`https://${name}:${port}/in`, { resolve: () => Promise.resolve(['127.0.0.1']), ...more });
  let requests = 0;
  const listenTls = () =>
    listen(
      createHttpsServer({ cert: certificate, key }, (request, response) => {
        requests += 1;
        response.end(String(request.headers.host));
      }),
    );
  const trusted = getCACertificates('default');
  beforeEach(() => {
    requests = 0;
  });
  afterEach(() => setDefaultCACertificates(trusted));

  it('that is not trusted is distinguished from a failed connection', async () => {
    const { port } = await listenTls();
    const answer = await named(port);
    expect(answer).toEqual({ kind: 'error', error: 'certificate', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(requests).toBe(0);
  });

  it('that is trusted is accepted at the pinned address', async () => {
    setDefaultCACertificates([...trusted, certificate]);
    const { port } = await listenTls();
    expect(await named(port)).toMatchObject({ status: 200, text: `hooks.receiver.test:${port}` });
  });

  it('for another name is refused', async () => {
    setDefaultCACertificates([...trusted, certificate]);
    const { port } = await listenTls();
    const refused = { kind: 'error', error: 'certificate', code: 'ERR_TLS_CERT_ALTNAME_INVALID' };
    expect(await named(port, 'other.receiver.test')).toEqual(refused);
    expect(await post(`https://127.0.0.1:${port}/in`)).toEqual(refused);
    expect(requests).toBe(0);
  });
});

describe('an address that is not permitted', () => {
  const nothing = parseAllowance([]);
  const notPublic = { kind: 'error', error: 'private_address', code: null };

  /** A receiver by name on 127.0.0.1, and what it has been asked. */
  async function listenNamed() {
    let requests = 0;
    const { port } = await listen(
      createHttpServer((_, response) => {
        requests += 1;
        response.end();
      }),
    );
    return { url: `http://hooks.receiver.test:${port}/in`, port, requests: () => requests };
  }

  it.each(['https://127.0.0.1:1/', 'https://0x7f.1:1/', 'https://[::ffff:127.0.0.1]:1/', 'https://localhost:1/'])(
    'is refused before a connection: %s',
    async (url) => {
      const resolve = () => Promise.reject(new Error('asked'));
      expect(await post(url, { allowed: nothing, resolve })).toEqual(notPublic);
    },
  );

  it('is refused when it is not an https address', async () => {
    const answer = await post('http://hooks.receiver.test/in', { allowed: nothing });
    expect(answer).toEqual({ kind: 'error', error: 'invalid_address', code: null });
  });

  it.each([[['10.0.0.1']], [['8.8.8.8', '10.0.0.1']], [['127.0.0.1', '::1']], [['8.8.8.8', '::ffff:10.0.0.1']]])(
    'is refused when any address of the name is private: %j',
    async (addresses) => {
      const resolve = () => Promise.resolve(addresses);
      expect(await post('https://hooks.receiver.test/in', { resolve })).toEqual(notPublic);
    },
  );

  it('is not reached when a name changes its address after the check', async () => {
    const first = await listenNamed();
    const second = await listen(createHttpServer(), '127.0.0.2', first.port);
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const requested: string[] = [];
    const resolve = async (hostname: string) => {
      requested.push(hostname);
      return answers.shift() ?? [];
    };
    const named = () => ({ networks: loopback.networks, hosts: onlyForTheUrl('hooks.receiver.test') });
    expect(await post(first.url, { allowed: named(), resolve })).toMatchObject({ kind: 'answer', status: 200 });
    expect(requested).toEqual(['hooks.receiver.test']);
    expect(await post(first.url, { allowed: named(), resolve })).toEqual(notPublic);
    expect(requested).toHaveLength(2);
    expect(first.requests()).toBe(1);
    expect(second.sockets.size).toBe(0);
  });

  it('is detected at the connected address, before anything is sent', async () => {
    const received: Buffer[] = [];
    const { port } = await listen(createTcpServer((socket) => void socket.on('data', (bytes) => received.push(bytes))));
    let looks = 0;
    const allowed: AddressAllowance = {
      hosts: [],
      get networks() {
        looks += 1;
        return looks === 1 ? loopback.networks : nothing.networks;
      },
    };
    const resolve = () => Promise.resolve(['127.0.0.1']);
    expect(await post(`https://hooks.receiver.test:${port}/in`, { allowed, resolve })).toEqual(notPublic);
    expect(looks).toBe(2);
    expect(received).toEqual([]);
  });
});

/** Hosts that permit the first look (at the URL) and nothing afterwards, so that plain http serves to watch the addresses. */
function onlyForTheUrl(hostname: string): AddressAllowance['hosts'] {
  const hosts = [{ hostname, port: null }];
  return { some: (is: (host: { hostname: string; port: null }) => boolean) => hosts.splice(0).some(is) } as never;
}
