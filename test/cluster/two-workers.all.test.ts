// Every seam is real: processes of the program, PostgreSQL, a Temporal server, stand-ins on ports.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { demoProfile } from '../../sandbox/generated-data/demo-data.ts';
import { countries, industries } from '../../sandbox/generated-data/word-lists.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { readCrm, readOrderKeys, repeated } from './evidence.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { until } from '../helpers/until.ts';

const upserts = { method: 'POST', path: '*/batch/upsert' };
/** A worker carries out 10 activities at once: when 11 are held, both have some. */
const heldAtDeath = 11;
/** Each market has companies of its own; the last four orders find those of the first ones. */
const plans = Array.from({ length: 20 }, (_, place) => ({
  runName: `shared-${place + 1}`,
  briefing_quantity: 30 + (place % 4) * 10,
  profile: {
    ...demoProfile,
    target_countries: countries.slice(place % 4, (place % 4) + 1).map(({ name }) => name),
    target_industries: industries.slice(Math.floor(place / 4) % 4).slice(0, 1),
  },
}));

let folder: string;
let sandbox: RunningSandbox;
let temporal: TemporalTestServer;
let postgres: PostgresServer;
let ledger: Ledger;
const workers: WorkerProcess[] = [];

describeIf(hasPostgres(), needsPostgres)('two workers on one ledger', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-cluster-'));
    [sandbox, temporal, postgres] = await Promise.all([startSandbox(folder), startTemporal(), startPostgres()]);
    await appendFile(
      path.join(folder, 'prospect-sync.yaml'),
      'ledger: {database_url: {env: DATABASE_URL}}\ntemporal: {heartbeat_timeout: 2s}\n',
    );
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill();
    await ledger?.close();
    await Promise.all([sandbox?.stop(), temporal?.stop(), postgres?.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  // Guarantee: One company is one record
  it('share 20 orders without loss or repetition, although one is killed and the other replaced', async () => {
    const databaseUrl = await postgres.createSchema();
    const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address, DATABASE_URL: databaseUrl };
    const runs: RunPlan[] = [];
    for (const { runName, ...settings } of plans) runs.push(await addRun({ folder, env }, runName, settings));
    const start = async () => {
      const worker = await startWorkerProcess(folder, env);
      workers.push(worker);
      return worker;
    };
    const hold = await holdUpserts();
    const [first, second] = await Promise.all([start(), start()]);
    const started = await Promise.all(
      runs.map((run) => startRun(temporal.client, run, { label: 'today', isConfirmed: true })),
    );
    const results = Promise.all(started.map(({ handle }) => handle.result()));
    const disturbed = (async () => {
      await hold.reached(heldAtDeath);
      first.kill();
      await hold.reached(2 * heldAtDeath);
      second.signal('SIGTERM');
      return start();
    })();
    const orders = (await results).map(({ order }) => order);
    const third = await disturbed;

    expect(await second.ended()).toBe(0);
    expect(orders.map(({ reconciled, findings }) => ({ reconciled, findings }))).toEqual(
      plans.map(({ briefing_quantity }) => ({ reconciled: briefing_quantity, findings: [] })),
    );
    const orderIds = orders.map(({ orderId }) => orderId);
    expect(new Set(orderIds).size).toBe(plans.length);
    expect(await readOrderKeys(sandbox)).toHaveLength(plans.length);

    ledger = await openLedger({ databaseUrl });
    const records = new Map<string, string>();
    for (const [place, orderId] of orderIds.entries()) {
      const quantity = plans[place]?.briefing_quantity ?? 0;
      const positions = Array.from({ length: quantity }, (_, position) => position);
      const all = { from: 0, to: quantity + 1 };
      expect((await ledger.slots.read(orderId, all)).map(({ position }) => position)).toEqual(positions);
      const outcomes = await ledger.outcomes.read(orderId, all);
      const companies = outcomes.filter(({ item }) => item === 'company');
      expect(companies.map(({ position }) => position)).toEqual(positions);
      expect(outcomes.filter(({ outcome }) => outcome === null)).toEqual([]);
      for (const { matchKey, recordId } of outcomes) {
        if (matchKey === null || recordId === null) continue;
        expect(records.get(matchKey) ?? recordId).toBe(recordId);
        records.set(matchKey, recordId);
      }
    }

    const { companies, contacts } = await readCrm(sandbox);
    expect(repeated(companies.map(({ domain }) => domain))).toEqual([]);
    for (const kept of [companies, contacts]) expect(repeated(kept.map(({ key }) => key))).toEqual([]);
    // The ledger holds the keys of contacts under its secret.
    const ids = [...companies, ...contacts].flatMap(({ id, key }) => (key === null ? [] : [id]));
    expect(new Set(records.values())).toEqual(new Set(ids));
    expect(records.size).toBe(ids.length);
    const misplaced = companies.filter(({ id, key }) => key !== null && records.get(key) !== id);
    expect(misplaced).toEqual([]);

    const { took, lost } = await readAttempts(orderIds);
    expect(took).toEqual(new Set([first.pid, second.pid, third.pid]));
    expect(lost).toBeGreaterThan(0);
  });
});

/** Holds back the answers to what writes companies, so that a worker is sure to die in the middle of it. */
async function holdUpserts() {
  const { control, hubspot } = sandbox.ready;
  const client = createControlClient({ baseUrl: control.url });
  const portal_id = hubspot.portalId;
  await client.POST('/faults', { body: { ...upserts, portal_id, times: 1_000, delay_ms: 1_500 } });
  return {
    /** Once there have been so many. */
    async reached(count: number) {
      const calls = async () => {
        const { data } = await client.GET('/faults', { params: { query: { portal_id } } });
        return data?.faults[0]?.calls ?? 0;
      };
      await until(async () => (await calls()) >= count);
    },
  };
}

/** The processes that carried out activities of these orders, and how many activities were lost with one of them. */
async function readAttempts(orderIds: readonly string[]) {
  const took = new Set<number>();
  let lost = 0;
  for (const orderId of orderIds) {
    const { events } = await temporal.client.workflow.getHandle(`order/${orderId}`).fetchHistory();
    for (const { activityTaskStartedEventAttributes: attempt } of events ?? []) {
      if (attempt === null || attempt === undefined) continue;
      took.add(Number(attempt.identity?.split('@')[0]));
      if (attempt.lastFailure?.timeoutFailureInfo) lost += 1;
    }
  }
  return { took, lost };
}
