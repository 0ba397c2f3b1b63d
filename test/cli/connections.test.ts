import { assertOwnLedger, checkConnections, createWaitOutRefusals } from '../../src/cli/connections.ts';
import { checkOrganization } from '../../src/cli/preflight/preflight.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { SystemClients } from '../../src/worker/configured-clients.ts';
import type { Fault } from '../../sandbox/fault-rules.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';

const text = `service: {base_url: https://service.example, api_key: {env: KEY}}
hubspot: {base_url: https://hubspot.example, token: {env: TOKEN}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 10
    profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}
`;
const anyCall = { path: '/', times: 1 };

/** Checks both stand-ins, which answer with these faults; pauses take no time and are recorded in seconds. */
async function check(faults: { readonly service?: Partial<Fault>; readonly hubspot?: Partial<Fault> }) {
  const service = createServiceSandbox();
  const hubspot = createHubSpotSandbox();
  const { apiKey } = service.createOrganization({ name: 'a' });
  const { portalId, token } = hubspot.createPortal({ name: 'a' });
  if (faults.service !== undefined) service.faults.add({ ...anyCall, ...faults.service });
  if (faults.hubspot !== undefined) hubspot.faults(portalId).add({ ...anyCall, ...faults.hubspot });
  const parsed = parseConfig(text, {
    env: { KEY: apiKey, TOKEN: token },
    file: '/nowhere/prospect-sync.yaml',
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const said: string[] = [];
  const pauses: number[] = [];
  const waitOut = createWaitOutRefusals({
    say: (line) => said.push(line),
    pause: async (milliseconds) => pauses.push(milliseconds / 1_000),
  });
  const systems = {
    prospecting: createProspectingClient({
      baseUrl: 'https://service.example',
      apiKey: () => apiKey,
      fetch: service.fetch,
    }),
    hubspot: createHubSpotClient({ baseUrl: 'https://hubspot.example', token, fetch: hubspot.fetch }),
  };
  const problem = await checkConnections(parsed.config, systems, { waitOut }).then(
    () => null,
    (error: Error) => error.message,
  );
  service.close();
  return { problem, said, pauses };
}

describe('checkConnections', () => {
  it('waits as long as the service asks, waits briefly for HubSpot, and prints the reason', async () => {
    const headers = { 'retry-after': '7' };
    const { problem, said, pauses } = await check({ service: { status: 429, headers }, hubspot: { status: 503 } });
    expect(problem).toBeNull();
    expect(pauses).toEqual([7, 1]);
    expect(said).toEqual([
      expect.stringMatching(
        /^The prospecting service is not available at the moment: GET \S+ failed with status 429\. Trying again in 7 s\.$/,
      ),
      expect.stringMatching(/^HubSpot is not available at the moment: GET \S+ .* 503\. Trying again in 1 s\.$/),
    ]);
  });

  it.each([423, 477])('waits while HubSpot answers %i', async (status) => {
    const { problem, pauses } = await check({ hubspot: { status } });
    expect([problem, pauses]).toEqual([null, [status === 423 ? 2 : 1]]);
  });

  it('fails after a minute of pauses', async () => {
    const { problem, pauses } = await check({ service: { status: 503, times: 100 } });
    expect(problem).toMatch(
      /service at https:\/\/service\.example: GET \S+ failed with status 503\b[^]*Nothing was started\.$/,
    );
    expect(pauses).toEqual([1, 2, 4, 8, 10, 10, 10, 10]);
  });

  it('fails at once when the requested pause is longer than a minute', async () => {
    const { problem, pauses } = await check({ service: { status: 429, headers: { 'retry-after': '61' } } });
    expect(problem).toMatch(/failed with status 429\. Try again in 61 s$/m);
    expect(pauses).toEqual([]);
  });

  it.each([401, 403])('fails at once when the key is rejected with %i', async (status) => {
    const { problem, pauses } = await check({ service: { status }, hubspot: { status } });
    expect(problem?.match(new RegExp(`failed with status ${status}`, 'g'))).toHaveLength(2);
    expect(pauses).toEqual([]);
  });

  it('names the address or the key that is exchanged with that of HubSpot', async () => {
    const hubspotAnswer = { category: 'INVALID_AUTHENTICATION', correlationId: 'a', message: 'x' };
    const serviceAnswer = { error: 'UNAUTHORIZED', message: 'x', request_id: 'a' };
    const exchanged = await check({
      service: { status: 401, body: hubspotAnswer },
      hubspot: { status: 401, body: serviceAnswer },
    });
    expect(exchanged.problem).toMatch(/service at .*HubSpot has answered: correct service\.base_url; it and hubspot/);
    expect(exchanged.problem).toMatch(/^HubSpot at .* does not come from HubSpot: check hubspot\.base_url; it and/m);
    const keys = await check({ service: { status: 401 }, hubspot: { status: 401, body: hubspotAnswer } });
    expect(keys.problem).toMatch(/HubSpot rejects the token: check hubspot\.token$/m);
    const { problem } = await check({ service: { status: 404, body: {} }, hubspot: { status: 404 } });
    expect(problem).toMatch(/HubSpot is not at this address: check hubspot\.base_url$/m);
  });

  it('asks to correct the address when a system redirects, without showing the target', async () => {
    const redirect = { status: 307, headers: { location: 'https://elsewhere.example/Geheim' } };
    const { problem } = await check({ service: redirect, hubspot: redirect });
    expect(problem?.split('\n').map((line) => line.replace(/\/api\S+/, '…'))).toEqual([
      'the prospecting service at https://service.example: GET … returned a redirect, which is not followed: status 307 to another host. Correct service.base_url',
      'HubSpot at https://hubspot.example: GET /account-info/v3/details returned a redirect, which is not followed (ANSWER_REDIRECTED); correct hubspot.base_url',
      'Nothing was started.',
    ]);
  });
});

describe('checkOrganization and assertOwnLedger', () => {
  const answering = (statuses: Record<string, number>) => {
    const prospecting = createProspectingClient({
      baseUrl: 'https://service.example',
      apiKey: () => 'key',
      fetch: async ({ url }) => {
        const status = statuses[url.split('/').at(-1) ?? ''] ?? 404;
        const answer = status === 200 ? { status: 'COMPLETED', results_published: true } : { code: 'ORDER_NOT_FOUND' };
        return Response.json(answer, { status });
      },
    });
    const orders = { newestIds: async () => Object.keys(statuses) };
    const ledger = { orders } as unknown as Ledger;
    const systems = { prospecting } as unknown as SystemClients;
    const check = () => checkOrganization({ ...systems, ledger }, new AbortController().signal, 'start');
    const refusal = () =>
      assertOwnLedger(systems, { needed: ['service'], ledger, waitOut: (_, call) => call() }).then(
        () => null,
        (error: Error) => error.message,
      );
    return { check, refusal };
  };

  it('report orders of the ledger that the service does not have, and say that nothing was started', async () => {
    const { check, refusal } = answering({ first: 404, second: 404 });
    const message = expect.stringMatching(
      /^the API key belongs to another organization than the ledger: the service at https:\/\/service\.example does not have the newest orders of the ledger \(first, second\)\. Correct `service\.api_key` .* `--data-dir` or `ledger`\./,
    );
    expect(await check()).toEqual([{ check: 'organization', state: 'problem', message }]);
    expect(await refusal()).toMatch(/`--data-dir` or `ledger`\. Nothing was started\.$/);
  });

  it.each([
    [
      'the service has one order',
      { first: 404, second: 200 },
      [{ check: 'organization', state: 'ok', message: 'it has order second of the ledger' }],
    ],
    ['the ledger has no order', {}, []],
    ['another check reports the refusal', { first: 401 }, []],
  ])('find no problem when %s', async (_, statuses, expected) => {
    expect(await answering(statuses as Record<string, number>).check()).toEqual(expected);
  });
});

describe('assertOwnLedger', () => {
  it('refuses the token of another portal than that of the ledger, and says that nothing was started', async () => {
    const portals = createHubSpotSandbox();
    const { portalId, token } = portals.createPortal({ name: 'a' });
    const hubspot = createHubSpotClient({ baseUrl: 'https://hubspot.example', token, fetch: portals.fetch });
    const assertWith = (id: number | null) =>
      assertOwnLedger({ hubspot } as unknown as SystemClients, {
        needed: ['crm'],
        ledger: { portal: { get: async () => id } } as unknown as Ledger,
        waitOut: (_, call) => call(),
      });
    await expect(assertWith(portalId + 1)).rejects.toThrow(/portal.*[^.]\. Nothing was started\.$/s);
    await expect(assertWith(portalId)).resolves.toBeUndefined();
    await expect(assertWith(null)).resolves.toBeUndefined();
  });
});
