import { createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { apiVersions } from '../../src/hubspot/hubspot-api-versions.ts';
import { HubSpotError } from '../../src/hubspot/hubspot-error.ts';
import { createTransport } from '../../src/hubspot/hubspot-transport.ts';
import { collectGarbage } from '../helpers/collect-garbage.ts';
import { until } from '../helpers/until.ts';
import { brokenConnection, json, rejection } from './stub-portal.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

const read = { method: 'GET', path: '/crm/v3/objects/companies?limit=100', idempotent: true } as const;
const create = {
  method: 'POST',
  path: '/crm/v3/objects/contacts/batch/create',
  body: JSON.stringify({ inputs: [{ properties: { email: 'ada@lovelace.example', lastname: 'Lovelace' } }] }),
  idempotent: false,
} as const;

/** A transport over a stub of fetch, with the requests that it sent. */
function createStub(respond: Fetch, timeoutSeconds = 5) {
  const requests: Request[] = [];
  const transport = createTransport({
    baseUrl: 'https://hubspot.example/',
    token: 'pat-secret',
    timeoutSeconds,
    clock: () => Date.parse('2026-11-21T12:00:00Z'),
    fetch: (request) => {
      requests.push(request);
      return respond(request);
    },
  });
  return { transport, requests };
}

describe('createTransport', () => {
  it('sends method, path, body and the bearer token', async () => {
    const { transport, requests } = createStub(async () => json(201, { ok: true }));
    expect(await transport.send(create)).toEqual({
      status: 201,
      text: '{"ok":true}',
      path: create.path,
      isResent: false,
    });
    const [request] = requests;
    expect(request?.url).toBe('https://hubspot.example/crm/v3/objects/contacts/batch/create');
    expect(request?.headers.get('authorization')).toBe('Bearer pat-secret');
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(await request?.text()).toBe(create.body);
  });

  it.each(apiVersions)(
    'reads up to 100,000 values for a batch of objects, and 250,000 for others (%s)',
    async (version) => {
      const answers = { 100_000: 'completed', 100_001: 'ANSWER_BEYOND_LIMITS', 250_000: 'ANSWER_BEYOND_LIMITS' };
      const versions = { objects: version, associations: version };
      const tryCall = async (method: string, path: string, values: number) => {
        const fetch = async () => new Response(`[${'0,'.repeat(values - 1)}0]`);
        const transport = createTransport({ baseUrl: 'https://hubspot.example', token: 't', versions, fetch });
        const sent = transport.send({ method, path, idempotent: true });
        return sent.then(
          () => 'completed',
          (error: unknown) => (error instanceof HubSpotError ? error.code : String(error)),
        );
      };
      for (const [values, expected] of Object.entries(answers)) {
        expect(await tryCall('POST', create.path, Number(values))).toBe(expected);
        expect(await tryCall('GET', read.path, Number(values))).toBe('completed');
        expect(await tryCall('POST', '/crm/v4/associations/contacts/companies/batch/read', Number(values))).toBe(
          'completed',
        );
      }
      expect(await tryCall('POST', '/crm/v4/associations/contacts/companies/batch/read', 250_001)).toBe(
        'ANSWER_BEYOND_LIMITS',
      );
    },
  );

  it('converts a 429 into an error with its limit and its delay', async () => {
    const body = {
      status: 'error',
      message: 'You have reached your ten_secondly_rolling limit.',
      errorType: 'RATE_LIMIT',
      correlationId: 'c-1',
      policyName: 'TEN_SECONDLY_ROLLING',
      requestId: 'r-1',
    };
    const headers = { 'X-HubSpot-RateLimit-Interval-Milliseconds': '10000' };
    const { transport, requests } = createStub(async () => json(429, body, headers));
    expect(await rejection(transport.send(read))).toMatchObject({
      message: 'GET /crm/v3/objects/companies failed with status 429 (TEN_SECONDLY_ROLLING)',
      kind: 'http',
      status: 429,
      category: 'RATE_LIMIT',
      policyName: 'TEN_SECONDLY_ROLLING',
      retryAfterSeconds: 10,
      correlationId: 'c-1',
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['nothing', new Response(null, { status: 502 })],
    ['a page of HTML', new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })],
  ])('throws for a 502 with %s in its body, and does not send the request again', async (_what, response) => {
    const { transport, requests } = createStub(async () => response);
    expect(await rejection(transport.send(read))).toMatchObject({
      message: 'GET /crm/v3/objects/companies failed with status 502',
      kind: 'http',
      status: 502,
      code: undefined,
    });
    expect(requests).toHaveLength(1);
  });

  it('sends an idempotent request once more when the connection breaks', async () => {
    let calls = 0;
    const { transport } = createStub(async () => ((calls += 1) === 1 ? brokenConnection() : json(200, {})));
    expect(await transport.send(read)).toMatchObject({ status: 200 });
    expect(calls).toBe(2);
  });

  it('throws when the connection breaks twice', async () => {
    const { transport, requests } = createStub(async () => brokenConnection());
    expect(await rejection(transport.send(read))).toMatchObject({
      message: 'GET /crm/v3/objects/companies got no answer: the connection was closed by the other side (ECONNRESET)',
      kind: 'connection',
      code: 'ECONNRESET',
    });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['the connection breaks', async () => brokenConnection(), 'connection'],
    ['the server fails', async () => json(500, {}), 'http'],
  ])('never sends a create twice when %s', async (_what, respond, kind) => {
    const { transport, requests } = createStub(respond);
    expect(await rejection(transport.send(create))).toMatchObject({ kind });
    expect(requests).toHaveLength(1);
  });

  it('times out even when fetch ignores the abort signal', async () => {
    const { transport, requests } = createStub(() => new Promise(() => {}), 0.02);
    expect(await rejection(transport.send(read))).toMatchObject({
      message: 'GET /crm/v3/objects/companies timed out: hubspot.timeout is 20 ms',
      kind: 'timeout',
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it('stops when its caller cancels', async () => {
    const controller = new AbortController();
    const sending = Promise.withResolvers<void>();
    const { transport, requests } = createStub(() => {
      sending.resolve();
      return new Promise(() => {});
    });
    const sent = rejection(transport.send({ ...read, signal: controller.signal }));
    await sending.promise;
    controller.abort();
    expect(await sent).toMatchObject({ message: 'GET /crm/v3/objects/companies was cancelled', kind: 'cancelled' });
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it('sends nothing when its caller has already cancelled', async () => {
    const { transport, requests } = createStub(async () => json(200, {}));
    expect(await rejection(transport.send({ ...read, signal: AbortSignal.abort() }))).toMatchObject({
      kind: 'cancelled',
    });
    expect(requests).toHaveLength(0);
  });

  it('keeps bodies, addresses, names and the token out of its errors', async () => {
    const echo = async (request: Request): Promise<Response> =>
      json(409, {
        message: `Contact already exists: ${await request.text()}`,
        category: 'CONFLICT',
        error: 'ada@lovelace.example',
      });
    const error = await rejection(createStub(echo).transport.send(create));
    expect(error).toMatchObject({ status: 409, category: 'CONFLICT', code: undefined });
    const everything = `${error.stack}${JSON.stringify(error)}${String(error.cause)}`;
    for (const secret of ['ada', 'lovelace', 'Lovelace', 'pat-secret']) expect(everything).not.toContain(secret);
  });
});

describe('createTransport over a real connection', () => {
  async function withServer(listener: RequestListener, run: (baseUrl: string) => Promise<void>): Promise<void> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('reports a connection reset as a connection error', async () => {
    let calls = 0;
    await withServer(
      (request) => {
        calls += 1;
        request.socket.destroy();
      },
      async (baseUrl) => {
        const transport = createTransport({ baseUrl, token: 't' });
        expect(await rejection(transport.send(create))).toMatchObject({ kind: 'connection' });
        expect(calls).toBe(1);
        expect(await rejection(transport.send(read))).toMatchObject({ kind: 'connection', code: expect.any(String) });
        expect(calls).toBe(3);
      },
    );
  });

  it.each([
    ['no answer arrives', () => undefined],
    ['a body arrives too slowly', (response: ServerResponse) => response.writeHead(200).write('{"results":[')],
  ])('times out while %s, and closes the connection, even if memory was freed', async (_case, answer) => {
    const open = new Set<object>();
    await withServer(
      (_request, response) => {
        open.add(response);
        response.on('close', () => open.delete(response));
        answer(response);
        setTimeout(collectGarbage, 100);
      },
      async (baseUrl) => {
        const transport = createTransport({ baseUrl, token: 't', timeoutSeconds: 0.5 });
        expect(await rejection(transport.send(read))).toMatchObject({ kind: 'timeout' });
        await until(() => open.size === 0);
      },
    );
  });
});
