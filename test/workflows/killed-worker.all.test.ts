import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { array, assert, asyncProperty, boolean, constant, integer, record } from 'fast-check';
import { slotSchema } from '../../src/service/contract/index.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { addRun } from '../helpers/project-runs.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';

const config = `
service: {base_url: {env: SERVICE_URL}, api_key: {env: API_KEY}}
hubspot: {base_url: {env: HUBSPOT_URL}, token: {env: HUBSPOT_TOKEN}}
polling: {profile: 10ms, order_first: 10ms, order_max: 50ms}
temporal: {heartbeat_timeout: 2s}
`;

let temporal: TemporalTestServer;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.stop());

type Fetch = (request: Request) => Promise<Response>;

interface Death {
  /** Requests that count. */
  readonly request: RegExp;
  /** Of those since the death before. */
  readonly nth: number;
  /** Whether the request is lost, or its answer. */
  readonly before: boolean;
  /** How long the worker lives after the answer. */
  readonly afterMs?: number;
}

/** Temporal remembers dead workers for a while, and a worker refuses the queue of another installation: each order has its own. */
let queues = 0;

/** Runs a whole order while each worker named by `deaths` is killed for real at the nth request of a kind. */
async function runThroughDeaths(runName: string, total: number, deaths: readonly Death[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-killed-'));
  const service = createServiceSandbox({
    progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 } },
  });
  const hubspot = createHubSpotSandbox({});
  const { apiKey } = service.createOrganization({ name: 'test' });
  const { token } = hubspot.createPortal({ name: 'test' });
  const queue = `deaths-${(queues += 1)}`;
  const pending = [...deaths];
  let [seen, requests] = [0, 0];
  let worker: WorkerProcess;
  const died = Promise.withResolvers<void>();
  let onDeath = died;
  const deadly =
    (fetch: Fetch): Fetch =>
    async (request) => {
      requests += 1;
      const [death] = pending;
      const counts = death?.request.test(`${request.method} ${new URL(request.url).pathname}`) ?? false;
      if (counts) seen += 1;
      if (death === undefined || !counts || seen !== death.nth) return fetch(request);
      pending.shift();
      seen = 0;
      const answer = death.before ? null : await fetch(request); // done, but the answer never arrives
      const die = () => {
        worker.kill();
        onDeath.resolve();
      };
      if (death.afterMs === undefined) die();
      else void sleep(death.afterMs).then(die);
      return answer ?? new Response(null, { status: 503 });
    };
  const servedService = await serveFetch(deadly(service.fetch));
  const servedHubSpot = await serveFetch(deadly(hubspot.fetch));
  await writeFile(path.join(folder, 'prospect-sync.yaml'), config);
  const env = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_TASK_QUEUE: queue,
    SERVICE_URL: servedService.url,
    HUBSPOT_URL: servedHubSpot.url,
    API_KEY: apiKey,
    HUBSPOT_TOKEN: token,
  };
  const plan = await addRun({ folder, env }, runName, { briefing_quantity: total });
  const start = () => startWorkerProcess(folder, env);

  worker = await start();
  const { handle } = await startRun(temporal.client, plan, { label: '2026-11-23', queue });
  for (const _ of deaths) {
    // The run may end before its last deaths.
    const isDead = await Promise.race([onDeath.promise.then(() => true), handle.result().then(() => false)]);
    if (!isDead) break;
    onDeath = Promise.withResolvers<void>();
    worker = await start();
  }
  const { order } = await handle.result();
  await worker.stop();

  const crm = createHubSpotClient({ baseUrl: servedHubSpot.url, token });
  const keys = async (type: 'companies' | 'contacts', key: string) => {
    const found: string[] = [];
    for await (const page of crm.objects.list(type, { properties: [key] }))
      found.push(...page.map(({ properties }) => properties[key] ?? ''));
    return found.toSorted();
  };
  const ledger = await openLedger({ dataDir: path.join(folder, '.prospect-sync') });
  const state = {
    slots: order.slots,
    reconciled: order.reconciled,
    findings: order.findings,
    crm: order.crm,
    files: order.files.map(({ kind, rows }) => ({ kind, rows })),
    // Digests hold the time of delivery; what was delivered has to be the same.
    delivered: (await ledger.slots.read(order.orderId, { from: 0, to: total + 1 })).map(({ position, json }) => ({
      position,
      company: slotSchema.parse(JSON.parse(json)).company?.domain,
    })),
    companies: await keys('companies', 'prospect_sync_company_key'),
    contacts: await keys('contacts', 'prospect_sync_contact_key'),
    certificate: toComparable(await readFile(order.certificate ?? '', 'utf8')),
  };
  await ledger.close();
  servedService.close();
  servedHubSpot.close();
  await rm(folder, { recursive: true, force: true });
  return { state, requests };
}

/** A certificate without what differs from one undisturbed run to the next: ids, times, digests and signatures. */
function toComparable(certificate: string): unknown {
  return JSON.parse(certificate, (key, value: unknown) => {
    if (['bytes', 'signature', 'public_key', 'key_id'].includes(key)) return null;
    return typeof value === 'string'
      ? value
          .replaceAll(/[0-9a-f]{64}/g, '<digest>')
          .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '<id>')
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      : value;
  });
}

describe('a worker that is killed', () => {
  // Guarantee: A worker that dies loses nothing and repeats little
  it('is replaced by the next one, which reaches the same final state', async () => {
    // Five pages of results, and five batches of records.
    const total = 450;
    const { state: undisturbed } = await runThroughDeaths('killed', total, []);
    const { state: disturbed } = await runThroughDeaths('killed', total, [
      { request: /POST .*\/orders$/, nth: 1, before: false },
      { request: /GET .*\/results$/, nth: 4, before: true },
      { request: /POST .*\/companies\/batch\/upsert$/, nth: 3, before: false },
    ]);
    expect(undisturbed).toMatchObject({
      slots: total,
      reconciled: total,
      findings: [],
      crm: { companies: { created: total } },
    });
    expect(new Set(undisturbed.companies).size).toBe(total);
    expect(disturbed).toEqual(undisturbed);
  });

  it('reaches the state and the certificate of an undisturbed run, wherever it is killed', async () => {
    const total = 60;
    const { state: undisturbed, requests } = await runThroughDeaths('anywhere', total, []);
    expect(undisturbed).toMatchObject({ reconciled: total, findings: [], certificate: { findings: [] } });
    const death = record({
      request: constant(/./),
      nth: integer({ min: 1, max: Math.ceil(requests / 2) }),
      before: boolean(),
      afterMs: integer({ min: 0, max: 60 }),
    });
    const deaths = array(death, { minLength: 2, maxLength: 3 });
    await assert(
      asyncProperty(deaths, async (given) => {
        expect((await runThroughDeaths('anywhere', total, given)).state).toEqual(undisturbed);
      }),
      // A smaller example would take as long again.
      { numRuns: 2, endOnFailure: true },
    );
  });
});
