import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@temporalio/client';
import { createDataConverter } from '../../src/temporal/codec/encryption-codec.ts';
import { createSecret } from '../../src/config/environment.ts';
import { startReconcile } from '../../src/worker/start-workflows.ts';
import { runCommand } from '../helpers/run-command.ts';
import { receiveSpans } from '../helpers/span-receiver.ts';
import { untilPasses } from '../helpers/until.ts';
import { useWorkerProject, workerConfiguration } from '../helpers/worker-project.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';

const project = useWorkerProject();

describe('a worker', () => {
  it('exports neither a result nor the text of a failure when an encrypted schedule starts twice', async () => {
    let refused = false;
    project.through = (pass) => async (request) => {
      if (refused || request.method !== 'POST' || !request.url.endsWith('/orders')) return pass(request);
      refused = true;
      return Response.json({}, { status: 503, headers: { 'retry-after': '0' } });
    };
    const secret = randomBytes(32).toString('base64');
    const scheduled = `${workerConfiguration}    schedule: {every: 24h}\n    spreadsheets: {directory: ${project.folder}/out}\ntemporal: {encryption: {key: {id: a, env: KEY}}}\n`;
    await writeFile(path.join(project.folder, 'prospect-sync.yaml'), scheduled);
    const collector = await receiveSpans();
    const traced = { ...project.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, KEY: secret };
    const worker = await startWorkerProcess(project.folder, traced);
    const applied = await runCommand(['apply'], { cwd: project.folder, env: traced });
    expect(applied.code).toBe(0);
    expect(applied.stderr).not.toContain('No worker is running');
    const encryption = { key: { id: 'a', secret: createSecret(secret) }, olderKeys: [], acceptPlain: false };
    const { connection, namespace } = project.temporal;
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
    expect(exported.includes(project.folder)).toBe(false);
    expect(exported.includes('exception.type')).toBe(true);
    expect(exported.includes('exception.message')).toBe(false);
    expect(exported.includes('status 503')).toBe(false);
    const failed = collector.spans().find(({ attributes }) => 'error.type' in attributes);
    expect(failed).toMatchObject({ name: 'RunActivity:placeOrder', attributes: { 'error.type': 'ServiceFault' } });
    const keys = new Set(collector.spans().flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...keys].toSorted()).toEqual(exportedKeys);
    collector.close();
  });

  it('takes work of its version once that is current, on its own task queue, with a limited heap and no telemetry loaded', async () => {
    const probe = path.join(project.folder, 'loaded.mjs');
    await writeFile(probe, showLoaded);
    const versioned = {
      ...project.env,
      TEMPORAL_DEPLOYMENT_NAME: 'prospect-sync',
      TEMPORAL_WORKER_BUILD_ID: 'build-1',
      TEMPORAL_TASK_QUEUE: 'versioned',
      NODE_OPTIONS: `--import=${probe}`,
      PROSPECT_SYNC_HEAP_MB: '300',
    };
    const worker = await startWorkerProcess(project.folder, versioned);
    const { namespace, connection } = project.temporal;
    const deployment = { namespace, deploymentName: 'prospect-sync' };
    // The server knows a version some moments after its first poll.
    await untilPasses(async () => {
      await connection.workflowService.setWorkerDeploymentCurrentVersion({ ...deployment, buildId: 'build-1' });
    });
    const input = { orderId: '3f0d1f8e-0000-4000-8000-000000000001' };
    const { handle } = await startReconcile(project.temporal.client, input, 'versioned');
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

/** Prints the largest heap of the process and of each of its threads, and at the end the loaded modules of telemetry. */
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
