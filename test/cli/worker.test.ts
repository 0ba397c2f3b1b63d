import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '@temporalio/client';
import { createDataConverter } from '../../src/temporal/codec/encryption-codec.ts';
import { createSecret } from '../../src/config/environment.ts';
import { slotSchema, type Slot } from '../../src/service/contract/index.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { startReconcile, startRun } from '../../src/worker/start-workflows.ts';
import { runCommand } from '../helpers/run-command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';
import { receiveSpans } from '../helpers/span-receiver.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { untilPasses } from '../helpers/until.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';

const config = `
service: {base_url: {env: SERVICE_URL}, api_key: {env: API_KEY}}
hubspot: {base_url: {env: HUBSPOT_URL}, token: {env: HUBSPOT_TOKEN}}
polling: {profile: 20ms, order_first: 50ms, order_max: 50ms}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 120
    profile: {profile_name: a, ideal_customer_profile: b, target_countries: [DE]}
`;

type Fetch = (request: Request) => Promise<Response>;
let temporal: TemporalTestServer;
let folder: string;
let env: Record<string, string>;
let closeAll: () => void;
/** Stands before the service. */
let through: (fetch: Fetch) => Fetch = (fetch) => fetch;

beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.stop());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-worker-'));
  const service = createServiceSandbox({
    progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 } },
  });
  const hubspot = createHubSpotSandbox({});
  through = (fetch) => fetch;
  const servedService = await serveFetch((request) => through(service.fetch)(request));
  const servedHubSpot = await serveFetch(hubspot.fetch);
  closeAll = () => [servedService, servedHubSpot].forEach(({ close }) => close());
  env = {
    TEMPORAL_ADDRESS: temporal.address,
    SERVICE_URL: servedService.url,
    HUBSPOT_URL: servedHubSpot.url,
    API_KEY: service.createOrganization({ name: 'test' }).apiKey,
    HUBSPOT_TOKEN: hubspot.createPortal({ name: 'test' }).token,
  };
  await writeFile(path.join(folder, 'prospect-sync.yaml'), config);
});
afterEach(async () => {
  closeAll();
  await rm(folder, { recursive: true, force: true });
});

const linesOf = (said: string) =>
  said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const healthOf = (said: string) => /Health: (http:\/\/\S+)\/readyz/.exec(said)?.[1] ?? 'nowhere';

async function readSlots(orderId: string): Promise<Slot[]> {
  const ledger = await openLedger({ dataDir: folder });
  const stored = await ledger.slots.read(orderId, { from: 0, to: 1_000 });
  await ledger.close();
  return stored.map(({ json }) => slotSchema.parse(JSON.parse(json)));
}

/** Every text of a company or a person that could not stand anywhere by chance. */
function personalTexts(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => personalTexts(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) => personalTexts(item, name));
  const isTold = /name|domain|email|url|phone|website|linkedin|address|street/.test(key);
  return isTold && typeof value === 'string' && value.length > 6 ? [value] : [];
}

describe('worker', () => {
  it('reports readiness, metrics, traces and logs of a whole order, without personal data', async () => {
    const collector = await receiveSpans();
    const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'watched' };
    const worker = await startWorkerProcess(folder, traced, ['--health-port', '0']);
    const health = healthOf(worker.said());
    const ready = await fetch(`${health}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 200,
      body: { status: 'ready', worker: 'RUNNING', ledger: 'ok', temporal: 'ok' },
    });

    const args = ['run', 'weekly', '--json', '--data-dir', folder];
    const run = await runCommand(args, { cwd: folder, env: traced });
    expect(run).toMatchObject({ code: 0 });
    const [order] = (JSON.parse(run.stdout) as { orders: { order_id: string; workflow_id: string }[] }).orders;
    const orderId = order?.order_id ?? '';
    const metrics = await (await fetch(`${health}/metrics`)).text();
    worker.signal('SIGINT');
    expect(await worker.ended()).toBe(0);
    const lines = linesOf(worker.said());

    expect(metrics).toContain('\nprospect_sync_slots_collected_total 120\n');
    expect(metrics).toContain('\nprospect_sync_outcomes_total{item="company",outcome="created"} ');
    expect(metrics).toMatch(/\nprospect_sync_calls_total\{system="service",status="200"\} \d+\n/);
    expect(metrics).toMatch(/\nprospect_sync_calls_total\{system="hubspot",status="20\d"\} \d+\n/);
    expect(metrics).toContain('\nprospect_sync_open_orders 0\n');
    expect(metrics).toContain('\ntemporal_activity_schedule_to_start_latency_seconds_bucket{');
    expect(metrics).toMatch(/\ntemporal_worker_task_slots_available\{.*worker_type="ActivityWorker"/);
    expect(metrics).toMatch(/\ntemporal_activity_execution_latency_seconds_count\{activity_type="collectResults"/);

    expect(lines.every(({ time, level, message }) => Boolean(time) && Boolean(level) && Boolean(message))).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'info',
        message: 'Activity completed',
        order: orderId,
        from: 0,
        to: 120,
        activity_type: 'collectResults',
        workflow_type: 'ingestOrder',
        attempt: 1,
      }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ run: 'weekly', workflow_type: 'runProspecting' }));

    const spans = collector.spans();
    const find = (name: string) => spans.find((span) => span.name === name);
    const page = find('GET /api/v1/orders/{id}/results');
    const collecting = find('RunActivity:collectResults');
    expect(page).toMatchObject({
      parentSpanId: collecting?.spanId,
      traceId: find('StartWorkflow:runProspecting')?.traceId,
      attributes: { 'peer.service': 'service', 'http.response.status_code': '200' },
      resource: { 'service.name': 'watched' },
    });
    expect(find('RunWorkflow:ingestOrder')?.traceId).toBe(page?.traceId);
    expect(spans.some(({ attributes }) => attributes['peer.service'] === 'hubspot')).toBe(true);

    const slots = await readSlots(orderId);
    const personal = new Set(personalTexts(slots).map((text) => text.toLowerCase()));
    expect(slots).toHaveLength(120);
    expect(personal.size).toBeGreaterThan(200);
    const told = [worker.said(), run.stderr, metrics, collector.bytes().toString('utf8')].join('\n').toLowerCase();
    expect([...personal].filter((text) => told.includes(text))).toEqual([]);
    expect(metrics).not.toContain(orderId);
    expect(collector.bytes().includes(new URL(env['SERVICE_URL'] ?? '').host)).toBe(false);
    collector.close();
  });

  it('exports neither a result nor the text of a failure when an encrypted schedule starts twice', async () => {
    let refused = false;
    through = (pass) => async (request) => {
      if (refused || request.method !== 'POST' || !request.url.endsWith('/orders')) return pass(request);
      refused = true;
      return Response.json({}, { status: 503, headers: { 'retry-after': '0' } });
    };
    const secret = randomBytes(32).toString('base64');
    const scheduled = `${config}    schedule: {every: 24h}\n    spreadsheets: {directory: ${folder}/out}\ntemporal: {encryption: {key: {id: a, env: KEY}}}\n`;
    await writeFile(path.join(folder, 'prospect-sync.yaml'), scheduled);
    const collector = await receiveSpans();
    const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, KEY: secret };
    const worker = await startWorkerProcess(folder, traced);
    const applied = await runCommand(['apply'], { cwd: folder, env: traced });
    expect(applied.code).toBe(0);
    expect(applied.stderr).not.toContain('No worker is running');
    const encryption = { key: { id: 'a', secret: createSecret(secret) }, olderKeys: [], acceptPlain: false };
    const { connection, namespace } = temporal;
    const client = new Client({ connection, namespace, dataConverter: createDataConverter(encryption) });
    const first = await triggerSchedule(client, 'prospect-sync/weekly');
    const second = await triggerSchedule(client, 'prospect-sync/weekly');
    await worker.stop();
    await client.schedule.getHandle('prospect-sync/weekly').delete();

    const { lastCompletionResult } = second.started;
    expect(Buffer.from(lastCompletionResult?.payloads?.[0]?.data ?? []).length).toBeGreaterThan(100);
    const exported = collector.bytes().toString('latin1');
    for (const { workflowId } of [first, second]) expect(exported).toContain(workflowId);
    const { orderId } = first.result.order;
    expect(first.result.order.files).toHaveLength(2);
    // It is part of the ids of workflows, which encryption leaves readable too.
    expect(exported.replaceAll(`order/${orderId}`, '').includes(orderId)).toBe(false);
    expect(exported.includes(folder)).toBe(false);
    expect(exported.includes('exception.type')).toBe(true);
    expect(exported.includes('exception.message')).toBe(false);
    expect(exported.includes('status 503')).toBe(false);
    const failed = collector.spans().find(({ attributes }) => 'error.type' in attributes);
    expect(failed).toMatchObject({ name: 'RunActivity:placeOrder', attributes: { 'error.type': 'ServiceFault' } });
    const keys = new Set(collector.spans().flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...keys].toSorted()).toEqual(exportedKeys);
    collector.close();
  });

  // Guarantee: A worker that dies loses nothing and repeats little
  it('cancels its activities after the grace period, and another worker continues without loss', async () => {
    let held = Promise.withResolvers<void>();
    let holding = true;
    const pages: (string | null)[] = [];
    through = (pass) => async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith('/results')) return pass(request);
      if (holding && searchParams.get('offset') !== '0') {
        held.resolve();
        return Promise.withResolvers<Response>().promise; // never answered
      }
      pages.push(searchParams.get('offset'));
      return pass(request);
    };
    await appendFile(path.join(folder, 'prospect-sync.yaml'), 'temporal: {heartbeat_timeout: 5s}\n');
    const plan = await addRun({ folder, env }, 'handed-on', { briefing_quantity: 250 });
    const first = await startWorkerProcess(folder, env, ['--shutdown-grace', '200ms']);
    const { handle } = await startRun(temporal.client, plan, { label: '2026-11-23' });
    await held.promise;
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(linesOf(first.said())).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('SIGTERM') as string }),
    );

    held = Promise.withResolvers<void>();
    const second = await startWorkerProcess(folder, env, ['--health-port', '0']);
    await held.promise;
    const health = healthOf(second.said());
    second.signal('SIGTERM');
    const draining = async (): Promise<unknown> => {
      const answer = await fetch(`${health}/readyz`);
      return answer.status === 503 ? answer.json() : draining();
    };
    expect(await draining()).toMatchObject({ status: 'not ready', ledger: 'ok', temporal: 'ok' });
    expect((await fetch(`${health}/healthz`)).status).toBe(200);
    second.signal('SIGTERM');
    expect(await second.ended()).toBe(143);

    holding = false;
    const third = await startWorkerProcess(folder, env);
    const { order } = await handle.result();
    await third.stop();
    expect(order).toMatchObject({ slots: 250, reconciled: 250, findings: [], crm: { companies: { created: 250 } } });
    // Each page once, although two workers stopped at the second; then once more by the proof.
    expect(pages).toEqual(['0', '100', '200', '0', '100', '200']);
  });

  it('takes work of its version once that is current, on its own task queue, with a limited heap and no telemetry loaded', async () => {
    const probe = path.join(folder, 'loaded.mjs');
    await writeFile(probe, showLoaded);
    const versioned = {
      ...env,
      TEMPORAL_DEPLOYMENT_NAME: 'prospect-sync',
      TEMPORAL_WORKER_BUILD_ID: 'build-1',
      TEMPORAL_TASK_QUEUE: 'versioned',
      NODE_OPTIONS: `--import=${probe}`,
      PROSPECT_SYNC_HEAP_MB: '300',
    };
    const worker = await startWorkerProcess(folder, versioned);
    const { namespace, connection } = temporal;
    const deployment = { namespace, deploymentName: 'prospect-sync' };
    // The server knows a version some moments after its first poll.
    await untilPasses(async () => {
      await connection.workflowService.setWorkerDeploymentCurrentVersion({ ...deployment, buildId: 'build-1' });
    });
    const input = { orderId: '3f0d1f8e-0000-4000-8000-000000000001', timeouts: { heartbeatTimeoutMs: 30_000 } };
    const { handle } = await startReconcile(temporal.client, input, 'versioned');
    await handle.result().catch(() => {}); // there is no such order
    const { raw } = await handle.describe();
    expect(raw.workflowExecutionInfo?.versioningInfo).toMatchObject({
      deploymentVersion: { deploymentName: 'prospect-sync', buildId: 'build-1' },
      behavior: 1, // PINNED
    });
    await worker.stop();
    expect(worker.said()).toContain('loaded: []');
    // The old generation, and what V8 adds for the young one.
    expect(worker.said()).toMatch(/^process with a heap of 3[0-4]\d MB$/m);
    expect(worker.said()).toMatch(/^thread with a heap of 3[0-4]\d MB$/m);
  });
});

describe('worker with an unusable ledger', () => {
  it.each([
    ['of a newer version', 'the ledger was created by a newer version of prospect-sync', makeNewerLedger],
    [
      'in a file for a folder',
      'is not a folder. Choose a folder with --data-dir',
      (place: string) => writeFile(place, ''),
    ],
  ])('reports the problem and exits: %s', async (_, message, prepare) => {
    const place = path.join(folder, 'data');
    await prepare(place);
    const flags = ['--config', path.join(folder, 'prospect-sync.yaml'), '--data-dir', place];
    const { code, stderr } = await runCommand(['worker', '--health-port', '0', ...flags], { cwd: folder, env });
    expect(code).toBe(1);
    expect(linesOf(stderr).at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining(message) as string,
    });
  });
});

const exportedKeys = [
  'attempt',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'namespace',
  'peer.service',
  'runId',
  'run_id',
  'taskQueue',
  'temporalActivityId',
  'temporalWorkflowId',
  'url.template',
  'workflowId',
  'workflowType',
];

/** Starts it now; the run that came of it, once it has ended, and how Temporal recorded its start. */
async function triggerSchedule(client: Client, scheduleId: string) {
  const handle = client.schedule.getHandle(scheduleId);
  const before = (await handle.describe()).info.numActionsTaken;
  await handle.trigger('BUFFER_ONE'); // as a schedule does: its own default starts beside, and passes no result on
  const started = async (): Promise<string> => {
    const { info } = await handle.describe();
    const { action } = info.recentActions.at(-1) ?? {};
    return info.numActionsTaken > before && action !== undefined ? action.workflow.workflowId : started();
  };
  const run = client.workflow.getHandle<typeof runProspecting>(await started());
  const result = await run.result();
  const { events } = await run.fetchHistory();
  return { workflowId: run.workflowId, result, started: events?.[0]?.workflowExecutionStartedEventAttributes ?? {} };
}

async function makeNewerLedger(place: string): Promise<void> {
  await (await openLedger({ dataDir: place })).close();
  const db = new DatabaseSync(path.join(place, 'ledger.db'));
  db.exec("insert into ledger_migrations values ('999-of-tomorrow', '2027-01-01')");
  db.close();
}

/** Tells how large the heap of the process and of each of its threads may become, and at the end which modules of telemetry it has loaded. */
const showLoaded = `
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
const { cache } = createRequire(import.meta.url);
const limit = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);
writeSync(2, (isMainThread ? 'process' : 'thread') + ' with a heap of ' + limit + ' MB\\n');
process.on('exit', () => {
  const names = Object.keys(cache).filter((name) => /opentelemetry|prom-client/.test(name));
  if (isMainThread) writeSync(2, 'loaded: ' + JSON.stringify(names) + '\\n');
});
`;
