// The production path: Temporal's server and PostgreSQL of docker-compose.yml, its namespaces, two workers and a ledger in the same PostgreSQL.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { serviceOf } from '../helpers/compose-file.ts';
import { startSandbox, spawnCommand, type RunningSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { useTemporalOnPostgres, type TemporalOnPostgres } from '../helpers/temporal-on-postgres.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { expectNoRepetition, startHeldRun } from './interrupted-run.ts';

const quantity = 300;

let temporal: TemporalOnPostgres;
let folder: string;
let sandbox: RunningSandbox;
let env: Record<string, string>;
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  temporal = await useTemporalOnPostgres();
});

/** A project with its own sandbox, namespace and schema of the ledger. */
async function prepare(namespace: 'default' | 'sandbox') {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-on-postgres-'));
  sandbox = await startSandbox(folder);
  await appendFile(path.join(folder, 'prospect-sync.yaml'), 'ledger: {database_url: {env: DATABASE_URL}}\n');
  const DATABASE_URL = await temporal.createSchema(`of_${namespace}`);
  env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: namespace, DATABASE_URL };
}
const startWorkers = async () => {
  workers = await Promise.all([startWorkerProcess(folder, env), startWorkerProcess(folder, env)]);
};
const connect = async () => {
  const connection = await Connection.connect({ address: temporal.address });
  return { connection, client: new Client({ connection, namespace: 'default' }) };
};

describe("Temporal's server of docker-compose.yml", () => {
  it('has the version of its image', async () => {
    const { connection } = await connect();
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    await connection.close();
    expect(serviceOf('temporal').image).toBe(`temporalio/server:${serverVersion}`);
  });
});

describe('two workers', () => {
  afterEach(async () => {
    for (const worker of workers) worker.kill();
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('carry both kinds of order to their end', async () => {
    await prepare('sandbox');
    await startWorkers();
    for (const [run, slots] of [
      ['demo-discovery', quantity],
      ['demo-enrichment', 150],
    ] as const) {
      const { code, stdout, stderr } = await spawnCommand(['run', run, '--json', '--yes'], { cwd: folder, env });
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, orders: [{ slots, reconciled: slots, findings: [] }] });
    }
    await expectNoRepetition(sandbox, { orders: 2 });
  });

  it('end an order without repeated work although the server is killed, and PostgreSQL after it', async () => {
    await prepare('default');
    const plan = await addRun({ folder, env }, 'interrupted', { briefing_quantity: quantity });
    await startWorkers();
    const before = await connect();
    const run = await startHeldRun(sandbox, before.client, plan);
    await run.isHeld('companies');
    await temporal.kill();
    await before.connection.close();
    await temporal.start();
    await run.isHeld('contacts');
    await temporal.postgres.kill();
    await temporal.postgres.start();

    const after = await connect();
    const { order } = await run.resultFrom(after.client);
    await after.connection.close();
    expect(order).toMatchObject({ slots: quantity, reconciled: quantity, findings: [] });
    await expectNoRepetition(sandbox, { orders: 1, companies: quantity });
    for (const worker of workers) expect(worker.said()).not.toContain('stopped unexpectedly');
  });
});
