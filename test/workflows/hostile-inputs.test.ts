// Anyone who reaches the Temporal namespace can start our workflows with inputs of their choice.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { rootCause } from '../../src/base/failures/application-failure.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { taskQueue } from '../../src/temporal/workflow-ids.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { configureExclusion, configureRun, discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { fileCompanies } from '../helpers/companies-source.ts';
import { itOfAll } from '../helpers/sample.ts';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
let stolen: string;
beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal);
  stolen = path.join(pipeline.folder, 'stolen');
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

/** A run of the worker's configuration: five companies, a CSV file, no CRM. */
function configuredRun(runName: string) {
  const plan = discoveryPlan(pipeline.folder, { runName, title: `Configured ${runName}`, briefingQuantity: 5 });
  const directory = path.join(pipeline.folder, 'out');
  const spreadsheets = { directory, kinds: ['csv'], rows: 'slot' } as const;
  return configureRun(pipeline.folder, { ...plan, delivery: { ...plan.delivery, crm: null, spreadsheets } });
}

function startForged(workflowType: string, workflowId: string, input: object): Promise<WorkflowHandle> {
  return pipeline.client.workflow.start(workflowType, { workflowId, taskQueue, args: [input] });
}

async function failureOf(handle: WorkflowHandle): Promise<ApplicationFailure> {
  const failed = await handle.result().then(
    () => undefined,
    (error: unknown) => error,
  );
  const root = failed instanceof WorkflowFailedError ? rootCause(failed.cause) : failed;
  expect(root).toBeInstanceOf(ApplicationFailure);
  return root as ApplicationFailure;
}

/** The newest first. */
const placedOrders = async () =>
  (await pipeline.clients.prospecting.orders.list())?.map(({ title, briefing_quantity }) => [title, briefing_quantity]);

const forgedDelivery = () => ({
  crm: null,
  spreadsheets: { directory: stolen, kinds: ['csv', 'xlsx'], rows: 'slot' },
  serviceOutputs: {
    wanted: [{ type: 'google_sheets', language: 'en', spreadsheetId: 'of-the-attacker' }],
    directory: stolen,
    firstPollMs: 1,
    longestPollMs: 1,
    giveUpMs: 1_000,
  },
  evidenceDirectory: stolen,
  externalIdsAreRecordIds: true,
});

describe('a workflow with forged input', () => {
  itOfAll('writes files only to the configured folder, whatever folder its input names', async () => {
    const { handle } = await startRun(pipeline.client, configuredRun('files'), { label: 'today' });
    const { orderId } = (await handle.result()).order;
    const forged = { orderId, runName: 'files', delivery: forgedDelivery() };
    const order = await (await startForged('ingestOrder', 'forged/files', forged)).result();

    expect(existsSync(stolen)).toBe(false);
    expect(order).toMatchObject({
      files: [{ kind: 'csv', path: path.join(pipeline.folder, 'out', `${orderId}.csv`) }],
    });
    expect(order).not.toHaveProperty('serviceOutputs');
    expect(pipeline.requests().filter(({ path: route }) => route.includes('/outputs'))).toEqual([]);
    // The order was placed without CRM record ids, and stays so.
    expect((await pipeline.ledger.orders.get(orderId))?.externalIdsAreRecordIds).toBe(false);
  });

  itOfAll('is rejected when its order id is a path', async () => {
    const { runName } = configuredRun('path');
    const forged = { orderId: '../x', runName, delivery: forgedDelivery() };
    const failure = await failureOf(await startForged('ingestOrder', 'forged/path', forged));
    expect(failure).toMatchObject({ type: 'InputRefused', nonRetryable: true });
    expect(failure.message).toContain('orderId');
    expect(failure.message).not.toContain('../x');
    expect(existsSync(stolen)).toBe(false);
  });

  it('orders the configured plan, whatever plan its input contains', async () => {
    const before = (await placedOrders()) ?? [];
    const plan = configuredRun('forged');
    const fifo = path.join(pipeline.folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const { digest: _, ...forged } = {
      ...plan,
      title: 'Of the attacker',
      briefingQuantity: 100,
      webhookUrl: 'https://attacker.example/hook',
      companies: fileCompanies(fifo),
      delivery: forgedDelivery(),
    };
    const { order } = await (await startForged('runProspecting', 'forged/plan', forged)).result();
    expect(order).toMatchObject({ slots: 5, kind: 'discovery' });
    expect(await placedOrders()).toEqual([['Configured forged', 5], ...before]);
    expect(existsSync(stolen)).toBe(false);
  });

  it('orders nothing for a run that is not configured', async () => {
    const before = await placedOrders();
    const forged = { ...configuredRun('forged'), runName: 'not-configured' };
    const failure = await failureOf(await startForged('runProspecting', 'forged/unknown', forged));
    expect(failure).toMatchObject({ type: 'RunNotConfigured', nonRetryable: true });
    expect(await placedOrders()).toEqual(before);
  });

  it('changes only the configured blacklist', async () => {
    const foreign = await pipeline.clients.prospecting.blacklists.create({ name: 'Of somebody else' });
    await pipeline.clients.prospecting.blacklists.addEntries(foreign.id, [{ company_name: 'Kept' }]);
    const csv = path.join(pipeline.folder, 'nothing.csv');
    const forged = exclusionPlan({
      name: 'customers',
      blacklist: 'Of somebody else',
      adopt: true,
      source: exclusionSource({ csv }),
    });
    const input = { syncId: 'forged', exclusion: forged, full: true };
    const failure = await failureOf(await startForged('syncExclusions', 'forged/unknown-exclusion', input));
    expect(failure).toMatchObject({ type: 'ExclusionNotConfigured', nonRetryable: true });

    const source = exclusionSource({ lifecycleStages: ['customer'] });
    configureExclusion(pipeline.folder, exclusionPlan({ name: 'customers', blacklist: 'Configured', source }));
    await pipeline.clients.hubspot.objects.create('companies', [
      { properties: { name: 'Customer', domain: 'customer.example', lifecyclestage: 'customer' } },
    ]);
    expect(await (await startForged('syncExclusions', 'forged/exclusion', input)).result()).toMatchObject({ added: 1 });
    const lists = await pipeline.clients.prospecting.blacklists.list();
    expect(lists.map(({ name, entry_count }) => [name, entry_count])).toEqual(
      expect.arrayContaining([
        ['Of somebody else', 1],
        ['Configured', 1],
      ]),
    );
  });
});

describe('a run that a command starts', () => {
  it('orders nothing when the worker has another configuration', async () => {
    const before = await placedOrders();
    const plan = configuredRun('changed');
    const { handle } = await startRun(pipeline.client, { ...plan, digest: 'abcdef012345' }, { label: 'today' });
    const failure = await failureOf(handle);
    expect(failure).toMatchObject({ type: 'ConfigurationDiffers', nonRetryable: true });
    expect(failure.message).toMatch(
      /worker \d+@\S+ has configuration d15c0 of run changed, and abcdef012345 was expected\. Nothing was ordered.* If that worker belongs to another installation, give each its own namespace or `TEMPORAL_TASK_QUEUE`/,
    );
    expect(await placedOrders()).toEqual(before);
  });
});
