import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ApplicationFailure } from '@temporalio/common';
import { toFailure } from '../../../src/worker/to-failure.ts';
import { createHubSpotClient } from '../../../src/hubspot/hubspot-client.ts';
import { createTransport } from '../../../src/hubspot/hubspot-transport.ts';
import { createProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import { placeOrder } from '../../helpers/place-order.ts';
import { discovery, someId } from '../../service/client/stub-service.ts';
import { createGzipBomb, startServer, type HostileServer } from './hostile-server.ts';
import { itOfAll } from '../../helpers/sample.ts';

let system: HostileServer;
let elsewhere: HostileServer;
beforeAll(async () => {
  system = await startServer();
  elsewhere = await startServer();
});
afterAll(async () => {
  await system.stop();
  await elsewhere.stop();
});

const service = () => createProspectingClient({ baseUrl: system.url, apiKey: () => 'sk_1' });
const hubspot = () => createHubSpotClient({ baseUrl: system.url, token: 'pat-1' });
const transport = () => createTransport({ baseUrl: system.url, token: 'pat-1' });

const contacts = '/crm/v3/objects/contacts/batch/create';
const calls = {
  'GET of the service': () => service().orders.get(someId),
  'POST of the service': () => service().blacklists.addEntries(someId, [{ company_name: 'Geheim GmbH' }]),
  'POST of an order': () => placeOrder(service().orders, discovery, 'key-1'),
  'DELETE of the service': () => service().blacklists.removeEntries(someId, [someId]),
  'GET of HubSpot': () => hubspot().account(),
  'POST of HubSpot': () => transport().send({ method: 'POST', path: contacts, body: '"Geheim"', idempotent: false }),
  'DELETE of HubSpot': () =>
    transport().send({ method: 'DELETE', path: '/crm/v3/objects/contacts/1', idempotent: true }),
} as const;
type CallName = keyof typeof calls;

/** The failure of a call as a workflow receives it. */
async function failureOf(name: CallName): Promise<ApplicationFailure> {
  const outcome = await calls[name]().then(() => 'it succeeded', toFailure);
  expect(outcome).toMatchObject({ name: 'ApplicationFailure' });
  return outcome as ApplicationFailure;
}

describe('an API request that is redirected', () => {
  it.each<[number, CallName, string, string]>([
    [307, 'POST of the service', 'ServiceApiRedirect', 'Set `service.base_url` to the final address'],
    [308, 'POST of an order', 'ServiceApiRedirect', 'Set `service.base_url` to the final address'],
    [303, 'POST of the service', 'ServiceApiRedirect', 'Set `service.base_url` to the final address'],
    [307, 'DELETE of the service', 'ServiceApiRedirect', 'Set `service.base_url` to the final address'],
    [302, 'DELETE of the service', 'ServiceApiRedirect', 'Set `service.base_url` to the final address'],
    [301, 'GET of the service', 'ServiceApiRedirect', 'Set `service.base_url` to the final address'],
    [307, 'POST of HubSpot', 'ANSWER_REDIRECTED', 'correct hubspot.base_url'],
    [307, 'DELETE of HubSpot', 'ANSWER_REDIRECTED', 'correct hubspot.base_url'],
    [302, 'GET of HubSpot', 'ANSWER_REDIRECTED', 'correct hubspot.base_url'],
  ])('does not follow the redirect, and fails at once: %i, %s', async (status, name, type, remedy) => {
    elsewhere.answerWith((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    system.answerWith((_, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/Geheim?key=42` }).end(),
    );
    const failure = await failureOf(name);
    expect(elsewhere.seen).toEqual([]);
    expect(system.seen).toHaveLength(1);
    expect(failure).toMatchObject({ type, nonRetryable: true });
    expect(failure.message).toMatch(/^(?:GET|POST|DELETE) \/\S+ returned a redirect/);
    expect(failure.message).toContain(remedy);
    expect(failure.message).not.toMatch(/Geheim|key=|127\.0\.0\.1/);
  });
});

describe('a fetch that hides the target of a redirect', () => {
  const opaque = async () =>
    Object.defineProperties(new Response(null), { type: { value: 'opaqueredirect' }, status: { value: 0 } });

  it('fails in the same way', async () => {
    const client = createProspectingClient({ baseUrl: 'https://service.example', apiKey: () => 'sk_1', fetch: opaque });
    const answer = client.blacklists.removeEntries(someId, [someId]);
    await expect(answer).rejects.toMatchObject({
      message: `DELETE /api/v1/blacklists/${someId}/entries returned a redirect, which is not followed: status unknown`,
      facts: { kind: 'api_redirect' },
    });
    const crm = createHubSpotClient({ baseUrl: 'https://hubspot.example', token: 'pat-1', fetch: opaque });
    await expect(crm.account()).rejects.toMatchObject({ kind: 'answer', code: 'ANSWER_REDIRECTED' });
  });
});

describe('an answer of 0.7 MB that decompresses to 640 MB', () => {
  itOfAll(
    'is rejected at 32 MB by both clients whatever its status; a file is streamed, and both use little memory',
    async () => {
      const bomb = createGzipBomb();
      system.answerWith((request, response) => {
        const status = request.url?.endsWith('/refused/download') ? 503 : 200;
        response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
      });
      const script = path.join(__dirname, 'read-gzip-bomb.ts');
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        script,
        system.url,
      ]);
      const { messages, peakMegabytes } = JSON.parse(stdout) as { messages: string[]; peakMegabytes: number };
      expect(messages).toEqual([
        `GET /api/v1/orders/${someId} returned an answer that breaks the contract: with more than 32 MB`,
        'GET /account-info/v3/details was answered with more than 32 MB (ANSWER_TOO_LARGE); check hubspot.base_url and proxies',
        'GET /api/v1/exports/jobs/refused/download returned an answer that breaks the contract: with more than 32 MB',
        'it was read',
      ]);
      // An idle process uses a third of this.
      expect(peakMegabytes).toBeLessThan(500);
      expect(system.seen).toHaveLength(4);
    },
  );
});

describe('an answer of nested brackets', () => {
  const nested = `{"order_id":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;

  it.each<[CallName, string, string]>([
    [
      'GET of the service',
      'ServiceContract',
      'returned an answer that breaks the contract: with JSON of more than 100 levels, 250,000 values or 8 MB in one text',
    ],
    [
      'POST of an order',
      'ServiceContract',
      'returned an answer that breaks the contract: with JSON of more than 100 levels, 250,000 values or 8 MB in one text',
    ],
    [
      'GET of HubSpot',
      'ANSWER_BEYOND_LIMITS',
      'was answered with JSON of more than 100 levels, 250,000 values or 8 MB in one text',
    ],
  ])('fails without retry: %s', async (name, type, message) => {
    system.answerWith((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(nested));
    const failure = await failureOf(name);
    expect(failure).toMatchObject({ type, nonRetryable: true });
    expect(failure.message).toContain(message);
    expect(system.seen).toHaveLength(1);
  });

  it('keeps the status of an error', async () => {
    system.answerWith((_, response) => response.writeHead(503).end(nested));
    expect(await failureOf('GET of the service')).toMatchObject({ type: 'ServiceFault', nonRetryable: false });
    expect(await failureOf('GET of HubSpot')).toMatchObject({ type: 'HubSpotFault', nonRetryable: false });
  });
});
