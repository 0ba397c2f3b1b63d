/** Somebody without the key, in the same Temporal namespace, has our worker work with input of his own. */
import { randomBytes } from 'node:crypto';
import { ActivityExecutionFailedError, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createDataConverter } from '../../../src/temporal/codec/encryption-codec.ts';
import { createSecret } from '../../../src/config/environment.ts';
import { taskQueue } from '../../../src/temporal/workflow-ids.ts';
import { failureAttribute } from '../../../src/temporal/search-attributes.ts';
import { startRun } from '../../../src/worker/start-workflows.ts';
import { configureRun, discoveryPlan, startPipeline, type Pipeline } from '../../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../../helpers/temporal-server.ts';
import { until } from '../../helpers/until.ts';

const key = { id: 'a', secret: createSecret(randomBytes(32).toString('base64')) };
const encryption = { key, olderKeys: [], acceptPlain: false };
const label = '2026-11-23';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterEach(() => pipeline?.stop());
afterAll(() => temporal?.stop());

describe('createDataConverter with accept_plain false', () => {
  it('ends a workflow and an activity with plain input before they start, and runs all others', async () => {
    pipeline = await startPipeline(temporal, { dataConverter: createDataConverter(encryption) });
    const { client: stranger } = temporal;
    const plan = discoveryPlan(pipeline.folder, { runName: 'foreign', briefingQuantity: 12 });

    const foreign = await startRun(stranger, plan, { label });
    const failed: unknown = await pipeline.client.workflow
      .getHandle(foreign.handle.workflowId)
      .result()
      .catch((error: unknown) => error);
    if (!(failed instanceof WorkflowFailedError) || !(failed.cause instanceof ApplicationFailure)) throw failed;
    expect(failed.cause).toMatchObject({ type: 'NotEncrypted', nonRetryable: true });
    const described = await stranger.workflow.getHandle(foreign.handle.workflowId).describe();
    expect(described.typedSearchAttributes.get(failureAttribute)).toBe('NotEncrypted');

    const activity = await stranger.activity.start('awaitPublication', {
      id: 'foreign',
      taskQueue,
      args: [{ orderId: 'order' }],
      startToCloseTimeout: '10s',
    });
    const ended: unknown = await pipeline.client.activity
      .getHandle(activity.activityId)
      .result()
      .catch((error: unknown) => error);
    if (!(ended instanceof ActivityExecutionFailedError)) throw ended;
    expect(ended.cause).toMatchObject({ type: 'NotEncrypted', nonRetryable: true });
    expect(pipeline.requests()).toEqual([]);

    const own = await startRun(pipeline.client, configureRun(pipeline.folder, { ...plan, runName: 'own' }), { label });
    await stranger.workflow.getHandle(own.handle.workflowId).signal('approve', { everything: true });
    const answer = stranger.workflow.getHandle(own.handle.workflowId).query('progress', { much: true });
    await expect(answer).rejects.toThrow('Unknown encoding: binary/encrypted');
    expect(await own.handle.result()).toMatchObject({ order: { slots: 12, reconciled: 12 } });
  });

  it('keeps a run from before encryption, which continues once accept_plain is true', async () => {
    pipeline = await startPipeline(temporal, { service: { progression: { orders: { after_seconds: 3_600 } } } });
    const plan = discoveryPlan(pipeline.folder, { runName: 'older', briefingQuantity: 5 });
    const { handle } = await startRun(pipeline.client, plan, { label });
    await untilDescribed(handle.workflowId, ({ raw }) => (raw.pendingChildren?.length ?? 0) > 0);
    await pipeline.stop();

    pipeline = await startPipeline(temporal, { dataConverter: createDataConverter(encryption) });
    await handle.cancel();
    await untilDescribed(handle.workflowId, ({ raw }) => (raw.pendingWorkflowTask?.attempt ?? 0) >= 2);
    // Temporal itself leaves longer and longer pauses: no loop, and the worker is free for others.
    const own = await startRun(pipeline.client, configureRun(pipeline.folder, { ...plan, runName: 'beside' }), {
      label,
    });
    expect(await own.handle.result()).toMatchObject({ order: { slots: 5 } });
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await pipeline.stop();

    pipeline = await startPipeline(temporal, {
      dataConverter: createDataConverter({ ...encryption, acceptPlain: true }),
    });
    // It ends, for it was cancelled meanwhile.
    await expect(pipeline.client.workflow.getHandle(handle.workflowId).result()).rejects.toThrow(WorkflowFailedError);
  });

  type Described = Awaited<ReturnType<ReturnType<typeof temporal.client.workflow.getHandle>['describe']>>;
  async function untilDescribed(workflowId: string, isSo: (described: Described) => boolean) {
    await until(async () => isSo(await temporal.client.workflow.getHandle(workflowId).describe()));
  }
});
