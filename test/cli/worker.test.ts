import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { slotSchema, type Slot } from '../../src/service/contract/index.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { runCommand } from '../helpers/run-command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { receiveSpans } from '../helpers/span-receiver.ts';
import { useWorkerProject } from '../helpers/worker-project.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';
import { itOfAll } from '../helpers/sample.ts';

const project = useWorkerProject();

const linesOf = (said: string) =>
  said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const healthOf = (said: string) => /Health: (http:\/\/\S+)\/readyz/.exec(said)?.[1] ?? 'nowhere';

async function readSlots(orderId: string): Promise<Slot[]> {
  const ledger = await openLedger({ dataDir: path.join(project.folder, '.prospect-sync') });
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
    const traced = { ...project.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'watched' };
    const worker = await startWorkerProcess(project.folder, traced, ['--health-port', '0']);
    const health = healthOf(worker.said());
    const ready = await fetch(`${health}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 200,
      body: { status: 'ready', worker: 'RUNNING', ledger: 'ok', temporal: 'ok' },
    });

    const args = ['run', 'weekly', '--json'];
    const run = await runCommand(args, { cwd: project.folder, env: traced });
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
    expect(collector.bytes().includes(new URL(project.env['SERVICE_URL'] ?? '').host)).toBe(false);
    collector.close();
  });

  // Guarantee: A worker that dies loses nothing and repeats little
  itOfAll('cancels its activities after the grace period, and another worker continues without loss', async () => {
    let held = Promise.withResolvers<void>();
    let holding = true;
    const pages: (string | null)[] = [];
    project.through = (pass) => async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith('/results')) return pass(request);
      if (holding && searchParams.get('offset') !== '0') {
        held.resolve();
        return Promise.withResolvers<Response>().promise; // never answered
      }
      pages.push(searchParams.get('offset'));
      return pass(request);
    };
    await appendFile(path.join(project.folder, 'prospect-sync.yaml'), 'temporal: {heartbeat_timeout: 5s}\n');
    const plan = await addRun(project, 'handed-on', { briefing_quantity: 250 });
    const first = await startWorkerProcess(project.folder, project.env, ['--shutdown-grace', '200ms']);
    const { handle } = await startRun(project.temporal.client, plan, { label: '2026-11-23' });
    await held.promise;
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(linesOf(first.said())).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('SIGTERM') as string }),
    );

    held = Promise.withResolvers<void>();
    const second = await startWorkerProcess(project.folder, project.env, ['--health-port', '0']);
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
    const third = await startWorkerProcess(project.folder, project.env);
    const { order } = await handle.result();
    await third.stop();
    expect(order).toMatchObject({ slots: 250, reconciled: 250, findings: [], crm: { companies: { created: 250 } } });
    // Each page once, although two workers stopped at the second; then once more by the proof.
    expect(pages).toEqual(['0', '100', '200', '0', '100', '200']);
  });
});

describe('worker with an unusable ledger', () => {
  it('of a newer version reports the problem and exits', async () => {
    const place = path.join(project.folder, 'data');
    await makeNewerLedger(place);
    const flags = ['--config', path.join(project.folder, 'prospect-sync.yaml'), '--data-dir', place];
    const { code, stderr } = await runCommand(['worker', '--health-port', '0', ...flags], {
      cwd: project.folder,
      env: project.env,
    });
    expect(code).toBe(1);
    expect(linesOf(stderr).at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('the ledger was created by a newer version of prospect-sync') as string,
    });
  });
});

async function makeNewerLedger(place: string): Promise<void> {
  await (await openLedger({ dataDir: place })).close();
  const db = new DatabaseSync(path.join(place, 'ledger.db'));
  db.exec("insert into ledger_migrations values ('999-of-tomorrow', '2027-01-01')");
  db.close();
}
