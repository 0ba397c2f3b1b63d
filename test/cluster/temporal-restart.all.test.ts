import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { createTemporalOnFile, type TemporalOnFile } from '../helpers/temporal-on-file.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { expectNoRepetition, startHeldRun } from './interrupted-run.ts';

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
    const before = await connect();
    const run = await startHeldRun(sandbox, before.client, plan);
    await run.isHeld('companies');
    await server.kill();
    await before.connection.close();
    await server.start();

    const after = await connect();
    const { order } = await run.resultFrom(after.client);
    await after.connection.close();
    expect(order).toMatchObject({ slots: quantity, reconciled: quantity, findings: [] });
    await expectNoRepetition(sandbox, { orders: 1, companies: quantity });
    expect(worker.said()).not.toContain('stopped unexpectedly');
  });
});

async function connect() {
  const connection = await Connection.connect({ address: server.address });
  return { connection, client: new Client({ connection, namespace: 'default' }) };
}
