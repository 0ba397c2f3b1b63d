import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { runProspecting } from '../../workflows/run-prospecting.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { createTemporalOnFile, type TemporalOnFile } from '../helpers/temporal-on-file.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { readCrm, readOrderKeys, repeated } from './evidence.ts';

const quantity = 300;

let folder: string;
let sandbox: RunningSandbox;
let server: TemporalOnFile;
let plan: RunPlan;
let worker: WorkerProcess;

describe('a Temporal server that is killed', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-restart-'));
    server = await createTemporalOnFile(folder);
    [sandbox] = await Promise.all([startSandbox(folder), server.start()]);
    const env = { ...sandbox.env, TEMPORAL_ADDRESS: server.address };
    plan = await addRun({ folder, env }, 'restarted', { briefing_quantity: quantity });
    worker = await startWorkerProcess(folder, env);
  });
  afterAll(async () => {
    worker?.kill();
    await Promise.all([sandbox?.stop(), server?.kill()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('continues the run from its database file, which ends reconciled without repeated work', async () => {
    const { control, hubspot } = sandbox.ready;
    const client = createControlClient({ baseUrl: control.url });
    const portal_id = hubspot.portalId;
    // So that the activity still writes when the server dies, and its answer finds nobody at first.
    const held = { method: 'POST', path: '*/companies/batch/upsert', portal_id, times: 1, delay_ms: 500 };
    await client.POST('/faults', { body: held });
    const before = await connect();
    const { handle } = await startRun(before.client, plan, { label: 'today' });
    const rules = async () => (await client.GET('/faults', { params: { query: { portal_id } } })).data?.faults;
    while ((await rules())?.length !== 0) await sleep(20);
    await server.kill();
    await before.connection.close();
    await server.start();

    const after = await connect();
    const { order } = await after.client.workflow.getHandle<typeof runProspecting>(handle.workflowId).result();
    await after.connection.close();
    expect(order).toMatchObject({ slots: quantity, reconciled: quantity, findings: [] });
    expect(await readOrderKeys(sandbox)).toHaveLength(1);
    const { companies, contacts } = await readCrm(sandbox);
    expect(repeated(companies.map(({ domain }) => domain))).toEqual([]);
    for (const kept of [companies, contacts]) expect(repeated(kept.map(({ key }) => key))).toEqual([]);
    expect(companies.filter(({ key }) => key !== null)).toHaveLength(quantity);
    expect(worker.said()).not.toContain('stopped unexpectedly');
  });
});

async function connect() {
  const connection = await Connection.connect({ address: server.address });
  return { connection, client: new Client({ connection, namespace: 'default' }) };
}
