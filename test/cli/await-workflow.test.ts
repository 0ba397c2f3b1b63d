import { PassThrough } from 'node:stream';
import { Client, Connection } from '@temporalio/client';
import { createGrpcRetries } from '../../src/temporal/grpc-retries.ts';
import { awaitResult, awaitRun, beginWorkflow } from '../../src/cli/await-workflow.ts';
import { createTerminal, type Terminal } from '../../src/cli/terminal.ts';
import { startReconcile, startRun, type Started } from '../../src/worker/start-workflows.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';
import { discoveryPlan } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';

const look =
  'The same command attaches to it while it is in progress; afterwards it would place another order, so look first';

const retries = createGrpcRetries({ answerWithinMs: null });
let temporal: TemporalTestServer;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  temporal = await startTemporal();
  connection = await Connection.connect({ address: temporal.address, interceptors: retries.interceptors });
  client = new Client({ connection });
});
afterAll(async () => {
  await retries.end();
  await connection?.close();
  await temporal?.stop();
});

function openTerminal(): { readonly terminal: Terminal; readonly interrupt: () => void } {
  const stdout = new PassThrough();
  const terminal = createTerminal({ env: {}, stdin: new PassThrough(), stdout, stderr: new PassThrough() });
  // As when the reader of a pipe goes away.
  return { terminal, interrupt: () => stdout.emit('error', Object.assign(new Error('broken'), { code: 'EPIPE' })) };
}

describe('waiting for a workflow', () => {
  const missing = () => client.workflow.getHandle<typeof runProspecting>('run/weekly/2026-11-20');

  it('names the run and the status command when Temporal rejects the request', async () => {
    const { terminal } = openTerminal();
    await expect(awaitRun(terminal, client, 'weekly', missing())).rejects.toThrow(
      /^Waiting for run\/weekly\/2026-11-20 failed: .+\. It may still be in progress\. .*: prospect-sync status weekly\. To stop it: prospect-sync cancel weekly$/,
    );
  });

  it('names the run and the status command when a signal ends the waiting for its start or its result', async () => {
    const plan = discoveryPlan('/nowhere', { runName: 'weekly' });
    const { handle } = await startRun(client, plan, { label: '2026-11-21' });
    const first = openTerminal();
    const waiting = awaitRun(first.terminal, client, 'weekly', handle);
    first.interrupt();
    await expect(waiting).rejects.toThrow(
      `SIGPIPE: stopped waiting. run/weekly/2026-11-21 continues in Temporal as soon as a worker runs. ${look}: prospect-sync status weekly. To stop it: prospect-sync cancel weekly`,
    );
    const second = openTerminal();
    const { promise: unanswered } = Promise.withResolvers<Started<typeof runProspecting>>();
    const starting = beginWorkflow(second.terminal, unanswered, 'weekly');
    second.interrupt();
    await expect(starting).rejects.toThrow(
      `SIGPIPE: Temporal has not answered whether the workflow was started. It may be in progress. ${look}: prospect-sync status weekly. To stop it: prospect-sync cancel weekly`,
    );
  });

  it('names no run for a command that can be repeated', async () => {
    const orderId = '3f0d1f8e-0000-4000-8000-000000000001';
    const { terminal, interrupt } = openTerminal();
    const { handle } = await beginWorkflow(terminal, startReconcile(client, { orderId }));
    const waiting = awaitResult(terminal, client, 'reconcile', handle);
    interrupt();
    await expect(waiting).rejects.toThrow(/a worker runs\. The same command attaches to it while it is in progress\.$/);
  });
});
