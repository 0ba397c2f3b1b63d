// Two workers on one ledger, of which one or both stand still for longer than a heartbeat may take, and then go on.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { demoProfile } from '../../sandbox/generated-data/demo-data.ts';
import { countries } from '../../sandbox/generated-data/word-lists.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { readCrm, readOrderKeys, repeated } from './evidence.ts';
import { until } from '../helpers/until.ts';

/** By default a heartbeat is due every 30 s: PAUSE_SECONDS=40 HEARTBEAT_SECONDS=30 is the same at full length. */
const pauseMs = Number(process.env['PAUSE_SECONDS'] ?? 4) * 1_000;
const heartbeatTimeoutMs = Number(process.env['HEARTBEAT_SECONDS'] ?? 2) * 1_000;
const quantity = 60;

const places = [
  ['one worker', [0], '*/companies/batch/*'],
  ['the other worker', [1], '*/contacts/batch/*'],
  ['both workers', [0, 1], '*/companies/batch/*'],
] as const;

let folder: string;
let sandbox: RunningSandbox;
let temporal: TemporalTestServer;
const workers: WorkerProcess[] = [];
const plans: RunPlan[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-paused-'));
  [sandbox, temporal] = await Promise.all([startSandbox(folder), startTemporal()]);
  const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address };
  await appendFile(path.join(folder, 'prospect-sync.yaml'), `temporal: {heartbeat_timeout: ${heartbeatTimeoutMs}ms}\n`);
  for (const place of places.keys()) {
    const profile = { ...demoProfile, target_countries: countries.slice(place, place + 1).map((each) => each.name) };
    plans.push(await addRun({ folder, env }, `paused-${place}`, { briefing_quantity: quantity, profile }));
  }
  workers.push(await startWorkerProcess(folder, env), await startWorkerProcess(folder, env));
});
afterAll(async () => {
  for (const worker of workers) worker.kill();
  await Promise.all([sandbox?.stop(), temporal?.stop()]);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Resolves once a write of that route waits for its answer. */
async function untilHeld(route: string): Promise<void> {
  const control = createControlClient({ baseUrl: sandbox.ready.control.url });
  const portal_id = sandbox.ready.hubspot.portalId;
  const fault = { method: 'POST', path: route, portal_id, times: 4, delay_ms: 1_000 };
  await control.POST('/faults', { body: fault });
  const query = { portal_id };
  await until(async () => (await control.GET('/faults', { params: { query } })).data?.faults.at(-1)?.calls);
}

describe('workers that are paused for longer than the heartbeat timeout', () => {
  // Guarantee: One run never orders twice
  it('place one order per run and write every record once, whichever worker is paused', async () => {
    for (const [place, [name, paused, route]] of places.entries()) {
      const plan = plans[place];
      if (plan === undefined) throw new Error('there is no such run');
      const held = untilHeld(route);
      const { handle } = await startRun(temporal.client, plan, { label: 'today' });
      await held;
      for (const worker of paused) workers[worker]?.signal('SIGSTOP');
      await sleep(pauseMs);
      for (const worker of paused) workers[worker]?.signal('SIGCONT');
      const { order } = await handle.result();
      expect({ name, reconciled: order.reconciled, findings: order.findings }).toEqual({
        name,
        reconciled: quantity,
        findings: [],
      });
    }
    expect(await readOrderKeys(sandbox)).toHaveLength(places.length);
    const { companies, contacts } = await readCrm(sandbox);
    expect(companies.filter(({ key }) => key !== null)).toHaveLength(places.length * quantity);
    for (const kept of [companies, contacts]) expect(repeated(kept.map(({ key }) => key))).toEqual([]);
    expect(repeated(companies.map(({ domain }) => domain))).toEqual([]);
  });
});
