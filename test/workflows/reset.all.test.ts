import { PassThrough } from 'node:stream';
import type { Workflow } from '@temporalio/common';
import { awaitRun } from '../../src/cli/await-workflow.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { demoCustomers } from '../../sandbox/generated-data/demo-data.ts';
import { taskQueue } from '../../src/temporal/workflow-ids.ts';
import { failureAttribute, outcomeAttribute, runAttribute } from '../../src/temporal/search-attributes.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import type { ingestOrder } from '../../workflows/ingest-order.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { resetWorkflow } from '../helpers/reset.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';

interface Call {
  readonly method: string;
  readonly path: string;
}
type Holds = (call: Call) => Promise<boolean> | boolean;

const quantity = 3;
let temporal: TemporalTestServer;
let pipeline: Pipeline;
/** The request to the service that waits, and until when; others that come later pass. */
let gate: { readonly holds: Holds; readonly opened: Promise<void> } | null = null;

function close(holds: Holds): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = { holds, opened: promise };
  return resolve;
}

beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, {
    throughService: (fetch) => async (request) => {
      const { pathname: path } = new URL(request.url);
      const closed = gate;
      if (closed !== null && (await closed.holds({ method: request.method, path })) && gate === closed) {
        gate = null;
        await closed.opened;
      }
      return fetch(request);
    },
  });
  const customers = demoCustomers(1).slice(0, 20);
  await pipeline.clients.hubspot.objects.create(
    'companies',
    customers.map((customer) => ({ properties: { ...customer } })),
  );
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

function planOf(runName: string, changes: Parameters<typeof discoveryPlan>[1] = {}) {
  const { delivery } = discoveryPlan(pipeline.folder);
  return discoveryPlan(pipeline.folder, {
    runName,
    title: runName,
    briefingQuantity: quantity,
    delivery: { ...delivery, crm: null, spreadsheets: null },
    ...changes,
  });
}

const handleOf = <T extends Workflow>(workflowId: string) => pipeline.client.workflow.getHandle<T>(workflowId);
const resultOf = (workflowId: string) => handleOf<typeof runProspecting>(workflowId).result();
const exists = (workflowId: string) =>
  handleOf(workflowId)
    .describe()
    .then(
      () => true,
      () => false,
    );

const untilPending = (workflowId: string, activity: string) =>
  until(async () => {
    const description = await handleOf(workflowId)
      .describe()
      .catch(() => null);
    return description?.raw.pendingActivities?.find(
      ({ activityType, lastFailure }) => activityType?.name === activity && (activity !== 'awaitResult' || lastFailure),
    );
  });

/** Ids of the run's orders, by its workflows of every order that there has been. */
async function ordersOf(runName: string): Promise<string[]> {
  const ids = new Set<string>();
  await until(async () => {
    const query = `WorkflowType = "ingestOrder" AND ${runAttribute.name} = "${runName}"`;
    for await (const { workflowId } of pipeline.client.workflow.list({ query })) ids.add(workflowId);
    return ids.size > 0;
  });
  return [...ids];
}

/** A run whose order goes on, held back before its publication is seen. */
async function runUntilOrdered(runName: string, changes: Parameters<typeof planOf>[1] = {}) {
  // A run first reads an earlier order, which shows that the key belongs to the organization of the ledger.
  const earlier = new Set(await pipeline.ledger.orders.newestIds(100));
  const open = close(async ({ path }) => {
    const orderId = /\/orders\/([^/]+)/.exec(path)?.[1];
    return orderId !== undefined && !earlier.has(orderId) && (await exists(`order/${orderId}`));
  });
  const { handle } = await startRun(pipeline.client, planOf(runName, changes), { label: 'today' });
  const orderWorkflow = await until(async () => {
    const { raw } = await handle.describe();
    return raw.pendingChildren?.map(({ workflowId }) => workflowId).find((id) => id?.startsWith('order/'));
  });
  await untilPending(orderWorkflow, 'awaitPublication');
  return { handle, workflowId: handle.workflowId, orderWorkflow, open };
}

describe('a run that is reset', () => {
  it('waits for its order, returns its result and orders nothing again', async () => {
    const { handle, workflowId, orderWorkflow, open } = await runUntilOrdered('collecting');
    const said: string[] = [];
    const stderr = new PassThrough();
    stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const terminal = createTerminal({ env: {}, stdin: new PassThrough(), stdout: new PassThrough(), stderr });
    const followed = awaitRun(terminal, pipeline.client, 'collecting', handle);
    await until(async () => said.join('').includes('publication'));

    await resetWorkflow(pipeline.client, workflowId);
    const waiting = await untilPending(workflowId, 'awaitResult');
    expect(waiting.lastFailure?.message).toBe(`${orderWorkflow} is already running`);
    expect(await handleOf(workflowId).query('progress')).toMatchObject({
      stage: 'results',
      waitingFor: `${orderWorkflow}, which is already running`,
    });
    open();
    const { order } = await followed;
    expect(order).toMatchObject({ workflowId: orderWorkflow, slots: quantity, reconciled: quantity, findings: [] });
    expect(await resultOf(workflowId)).toMatchObject({ order });
    expect(said.join('')).toContain(`${workflowId} was reset; following its new run`);
    expect(await ordersOf('collecting')).toEqual([orderWorkflow]);
  });

  it('keeps its order when that was started before the reset point', async () => {
    const { workflowId, orderWorkflow, open } = await runUntilOrdered('later-point');
    await resetWorkflow(pipeline.client, workflowId, 'last');
    open();
    expect((await resultOf(workflowId)).order).toMatchObject({ workflowId: orderWorkflow, reconciled: quantity });
    expect(await ordersOf('later-point')).toEqual([orderWorkflow]);
  });

  it('fails when its order fails', async () => {
    const { workflowId, orderWorkflow, open } = await runUntilOrdered('rejected', { title: 'outcome:REJECTED' });
    await resetWorkflow(pipeline.client, workflowId);
    await untilPending(workflowId, 'awaitResult');
    open();
    await expect(resultOf(workflowId)).rejects.toMatchObject({
      cause: {
        cause: {
          type: 'OrderRejected',
          message: expect.stringMatching(/ended as REJECTED\. Correct the profile[^.]*\.$/),
        },
      },
    });
    const { typedSearchAttributes } = await handleOf(workflowId).describe();
    expect(typedSearchAttributes.get(failureAttribute)).toBe('OrderRejected');
    expect((await handleOf(orderWorkflow).describe()).status.name).toBe('FAILED');
  });

  it('does not cancel the order when it is cancelled', async () => {
    const { workflowId, orderWorkflow, open } = await runUntilOrdered('cancelled');
    await resetWorkflow(pipeline.client, workflowId);
    await untilPending(workflowId, 'awaitResult');
    await handleOf(workflowId).cancel();
    await expect(resultOf(workflowId)).rejects.toThrow('Workflow execution');
    const { status, typedSearchAttributes } = await handleOf(workflowId).describe();
    expect([status.name, typedSearchAttributes.get(outcomeAttribute)]).toEqual(['CANCELLED', 'cancelled']);
    expect((await handleOf(orderWorkflow).describe()).status.name).toBe('RUNNING');
    open();
    expect(await handleOf<typeof ingestOrder>(orderWorkflow).result()).toMatchObject({ reconciled: quantity });
  });

  it('fails when its order is cancelled', async () => {
    const { workflowId, orderWorkflow, open } = await runUntilOrdered('order-cancelled');
    await resetWorkflow(pipeline.client, workflowId);
    await untilPending(workflowId, 'awaitResult');
    await handleOf(orderWorkflow).cancel();
    open();
    await expect(resultOf(workflowId)).rejects.toMatchObject({
      cause: { cause: { type: 'Terminated', message: expect.stringContaining(`${orderWorkflow} was cancelled`) } },
    });
  });

  it('waits for the ordering that it has started, and finds that order', async () => {
    const open = close(({ method, path }) => method === 'POST' && path === '/api/v1/orders');
    const { handle } = await startRun(pipeline.client, planOf('ordering'), { label: 'today' });
    const ordering = `ordering/${taskQueue}/ordering`;
    await untilPending(ordering, 'placeOrder');
    await resetWorkflow(pipeline.client, handle.workflowId);
    await untilPending(handle.workflowId, 'awaitTurn');
    open();
    const { order } = await resultOf(handle.workflowId);
    expect(await ordersOf('ordering')).toEqual([`order/${order.orderId}`]);
  });
});

describe('an ordering that is reset', () => {
  it('waits for the exclusion sync that it has started', async () => {
    const open = close(({ path }) => path.includes('/blacklists'));
    const source = exclusionSource({ lifecycleStages: ['customer'] });
    const plan = planOf('exclusions', { exclusions: [exclusionPlan({ source })] });
    const { handle } = await startRun(pipeline.client, plan, { label: 'today' });
    const syncId = `exclusions/${taskQueue}/customers`;
    await untilPending(syncId, 'openBlacklist');
    const ordering = `ordering/${taskQueue}/exclusions`;
    await resetWorkflow(pipeline.client, ordering);
    await untilPending(ordering, 'awaitSync');
    open();
    const { exclusions, order } = await resultOf(handle.workflowId);
    expect(exclusions).toMatchObject([{ wanted: 20, added: 20 }]);
    expect(await ordersOf('exclusions')).toEqual([`order/${order.orderId}`]);
  });
});

describe('a run that Temporal retries', () => {
  // Guarantee: One run never orders twice
  it('finds the order of its first attempt instead of placing another one', async () => {
    const ids: (string | undefined)[] = [];
    const workflow = await pipeline.client.workflow.start<typeof runProspecting>('runProspecting', {
      workflowId: 'run/again/today',
      taskQueue,
      args: [
        {
          runName: 'again',
          digest: planOf('again', { title: 'outcome:FAILED' }).digest,
          start: 'confirmed',
          installation: null,
          announced: null,
        },
      ],
      retry: { maximumAttempts: 3, initialInterval: '10 milliseconds' },
    });
    await expect(workflow.result()).rejects.toThrow('Workflow execution failed');
    for await (const run of pipeline.client.workflow.list({ query: 'WorkflowId = "run/again/today"' }))
      ids.push(run.runId);
    expect(new Set(ids).size).toBe(3);
    expect(await ordersOf('again')).toHaveLength(1);
  });
});

describe('an order that is reset', () => {
  it('waits for the reconciliation that it has started', async () => {
    const open = close(async ({ path }) => {
      const orderId = /\/orders\/([^/]+)\/results/.exec(path)?.[1];
      return orderId !== undefined && (await exists(`order/${orderId}/reconcile`));
    });
    const { handle } = await startRun(pipeline.client, planOf('proof'), { label: 'today' });
    const [orderWorkflow = ''] = await ordersOf('proof');
    await untilPending(`${orderWorkflow}/reconcile`, 'reconcileRange');
    await resetWorkflow(pipeline.client, orderWorkflow);
    await untilPending(orderWorkflow, 'awaitResult');
    open();
    expect((await resultOf(handle.workflowId)).order).toMatchObject({ reconciled: quantity, findings: [] });
  });
});
