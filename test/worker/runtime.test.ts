import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serveSandbox, type ServedSandbox } from '../../sandbox/serve-sandbox.ts';
import { createDemoProject } from '../../src/cli/demo-project.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { toRunPlan } from '../../src/config/run-plan.ts';
import { createRuntime } from '../../src/worker/runtime.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { itOfAll } from '../helpers/sample.ts';

const progression = {
  profiles: { after_seconds: 0.2 },
  orders: { after_seconds: 0.4 },
  outputs: { after_seconds: 0.1 },
};

let folder: string;
let sandbox: ServedSandbox;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-runtime-'));
  sandbox = await serveSandbox({ seed: 1, progression });
});
afterAll(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('createRuntime', () => {
  itOfAll('places, ingests and reconciles an order without a terminal', async () => {
    const project = await createDemoProject(folder, sandbox, 1);
    const text = await readFile(project.config, 'utf8');
    const parsed = parseConfig(text, { env: project.env, file: project.config });
    if (!parsed.ok) throw new Error('the example configuration is invalid');
    const { config } = parsed;
    const settings = config.runs['demo-enrichment'];
    if (settings === undefined) throw new Error('the example configuration has no such run');
    const lines: string[] = [];
    const runtime = await createRuntime(config, {
      env: process.env,
      log: (message) => lines.push(message),
      dataDir: path.join(folder, 'data'),
    });
    const worker = runtime.runWorker(async () => void lines.push('before the worker'));
    const plan = toRunPlan(config, 'demo-enrichment', settings);
    const { handle } = await startRun(runtime.client, plan, { label: 'first', queue: runtime.queue });
    const { order } = await handle.result();
    const stored = await runtime.ledger.orders.get(order.orderId);
    await runtime.close();
    await worker;
    expect(order).toMatchObject({ kind: 'enrichment', reconciled: order.slots, findings: [] });
    expect(stored).toMatchObject({ kind: 'enrichment' });
    expect(lines).toEqual(
      expect.arrayContaining(['Worker: none is running, starting an embedded worker', 'before the worker']),
    );
  });

  it('rejects an invalid environment variable before it opens anything', async () => {
    const project = await createDemoProject(folder, sandbox, 1);
    const parsed = parseConfig(await readFile(project.config, 'utf8'), { env: project.env, file: project.config });
    if (!parsed.ok) throw new Error('the example configuration is invalid');
    const options = { env: { TEMPORAL_DEPLOYMENT_NAME: 'incomplete' }, log: () => {}, dataDir: folder };
    await expect(createRuntime(parsed.config, options)).rejects.toMatchObject({ exitCode: 2 });
  });
});
