import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Workflow } from '@temporalio/common';
import type { ExclusionPlan } from '../../src/config/run-plan.ts';
import { demoCustomers } from '../../sandbox/generated-data/demo-data.ts';
import { startExclusions, startRun } from '../../src/worker/start-workflows.ts';
import { taskQueue } from '../../src/temporal/workflow-ids.ts';
import type { syncExclusions } from '../../workflows/sync-exclusions.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { configureExclusion, configureRun, discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';
import { itOfAll } from '../helpers/sample.ts';

interface Call {
  readonly method: string;
  readonly path: string;
}
type Fetch = (request: Request) => Promise<Response>;
interface Gate {
  readonly holds: (call: Call) => boolean;
  readonly opened: Promise<void>;
  arrived: number;
}

const customers = 20;
const gates = new Set<Gate>();
let temporal: TemporalTestServer;
let pipeline: Pipeline;

/** Requests that match wait until it is opened. */
function close(holds: Gate['holds']) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gate: Gate = { holds, opened: promise, arrived: 0 };
  gates.add(gate);
  return {
    arrived: () => gate.arrived,
    open() {
      gates.delete(gate);
      resolve();
    },
  };
}

function throughGates(fetch: Fetch): Fetch {
  return async (request) => {
    const call = { method: request.method, path: new URL(request.url).pathname };
    for (const gate of gates) {
      if (!gate.holds(call)) continue;
      gate.arrived += 1;
      await gate.opened;
    }
    return fetch(request);
  };
}

const isCreation = ({ method, path: route }: Call) => method === 'POST' && route.endsWith('/blacklists');
const isAdding = ({ method, path: route }: Call) => method === 'POST' && route.endsWith('/entries');
/** Of contacts: the stages of an exclusion are compared with the properties of companies. */
const isPreparing = ({ path: route }: Call) => route.includes('/properties/contacts');

beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, { throughService: throughGates, throughHubSpot: throughGates });
  const companies = demoCustomers(1).slice(0, customers);
  await pipeline.clients.hubspot.objects.create(
    'companies',
    companies.map((customer) => ({ properties: { ...customer } })),
  );
});
afterEach(() => gates.clear());
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

const customersOf = (name: string, changes: Partial<ExclusionPlan> = {}) =>
  exclusionPlan({ name, blacklist: name, source: exclusionSource({ lifecycleStages: ['customer'] }), ...changes });

/** `crm: true`: the run prepares the CRM before it comes to its exclusions. */
function start(runName: string, exclusion: ExclusionPlan, { crm = false } = {}) {
  const plan = discoveryPlan(pipeline.folder, { runName, title: runName, briefingQuantity: 3 });
  const delivery = { ...plan.delivery, spreadsheets: null, ...(crm ? {} : { crm: null }) };
  const run = configureRun(pipeline.folder, { ...plan, delivery, exclusions: [exclusion] });
  return startRun(pipeline.client, run, { label: 'today' });
}

const handleOf = <T extends Workflow>(workflowId: string) => pipeline.client.workflow.getHandle<T>(workflowId);
const orderingOf = (runName: string) => `ordering/${taskQueue}/${runName}`;
const syncOf = (name: string) => handleOf<typeof syncExclusions>(`exclusions/${taskQueue}/${name}`);

async function isWaiting(runName: string): Promise<boolean> {
  const description = await handleOf(orderingOf(runName))
    .describe()
    .catch(() => null);
  const pending = description?.raw.pendingActivities ?? [];
  return pending.some(({ activityType }) => activityType?.name === 'awaitSync');
}

async function syncsOf(name: string): Promise<number> {
  const query = `WorkflowId = "exclusions/${taskQueue}/${name}"`;
  return (await Array.fromAsync(pipeline.client.workflow.list({ query }))).length;
}

const createdBlacklists = async (name: string) =>
  (await pipeline.clients.prospecting.blacklists.list()).filter((blacklist) => blacklist.name === name);

/** Two runs that both began before the sync, which the first one has started and which is held; the second waits for it. */
async function shareSync(name: string) {
  const preparing = close(isPreparing);
  const other = await start(`${name}-b`, customersOf(name), { crm: true });
  await until(() => preparing.arrived() > 0);
  const adding = close(isAdding);
  const one = await start(`${name}-a`, customersOf(name));
  await until(() => adding.arrived() > 0);
  preparing.open();
  await until(() => isWaiting(`${name}-b`));
  return { one: one.handle, other: other.handle, open: () => adding.open() };
}

describe('runs that share an exclusion', () => {
  it('create one blacklist when they start together', async () => {
    const creation = close(isCreation);
    const [one, other] = await Promise.all([
      start('together-a', customersOf('together')),
      start('together-b', customersOf('together')),
    ]);
    const isOneWaiting = async () => (await isWaiting('together-a')) || (await isWaiting('together-b'));
    await until(async () => creation.arrived() > 1 || (creation.arrived() === 1 && (await isOneWaiting())));
    creation.open();
    const reports = await Promise.all([one.handle.result(), other.handle.result()]);
    const created = await createdBlacklists('together');
    expect(created).toMatchObject([{ entry_count: customers }]);
    const used = reports.map(({ exclusions }) => exclusions[0]?.blacklistId);
    expect(used).toEqual([created[0]?.id, created[0]?.id]);
  });

  itOfAll('report the sources of their exclusion that have no company', async () => {
    const source = exclusionSource({ lifecycleStages: ['customer', 'opportunity'] });
    const { handle } = await start('empty-stage', customersOf('empty-stage', { source }));
    const { exclusions } = await handle.result();
    expect(exclusions).toMatchObject([{ wanted: customers, emptySources: ['lifecycle_stages:opportunity'] }]);
  });

  itOfAll('share a sync that started after both, and each order has its own snapshot of the blacklist', async () => {
    const { one, other, open } = await shareSync('shared');
    expect(await handleOf(orderingOf('shared-b')).query('progress')).toMatchObject({
      stage: 'exclusions',
      waitingFor: `exclusions/${taskQueue}/shared, which is in progress`,
    });
    open();
    const reports = await Promise.all([one.result(), other.result()]);
    const [first, second] = reports.map(({ exclusions }) => exclusions);
    expect(first).toMatchObject([{ wanted: customers, added: customers }]);
    expect(second).toEqual(first);
    expect(await syncsOf('shared')).toBe(1);
    const snapshots = await Promise.all(
      reports.map(({ order }) => pipeline.ledger.exclusionSnapshots.ofOrder(order.orderId)),
    );
    const blacklistId = first?.[0]?.blacklistId;
    expect(snapshots).toMatchObject([[{ blacklistId }], [{ blacklistId }]]);
    const digests = snapshots.flat().map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(1);
    const frozen = await Array.fromAsync(pipeline.ledger.exclusionSnapshots.entries(digests[0] ?? ''));
    expect(frozen.flat()).toHaveLength(customers);
  });

  itOfAll('sync again when the shared sync used other settings', async () => {
    const reasons = { ...customersOf('differs').reasons, lifecycle_stages: 'Another reason' };
    const { one, other, open } = await shareSync('differs');
    configureExclusion(pipeline.folder, customersOf('differs', { reasons }));
    open();
    await one.result();
    expect((await other.result()).exclusions).toMatchObject([{ added: customers, removed: customers }]);
    expect(await syncsOf('differs')).toBe(2);
  });

  itOfAll('sync again when the shared sync is cancelled', async () => {
    const { one, other, open } = await shareSync('cancelled');
    await syncOf('cancelled').cancel();
    open();
    await expect(one.result()).rejects.toThrow('Workflow execution');
    expect((await other.result()).exclusions).toMatchObject([{ wanted: customers }]);
    expect(await createdBlacklists('cancelled')).toMatchObject([{ entry_count: customers }]);
  });

  itOfAll('do not cancel the shared sync when one of them is cancelled', async () => {
    const { one, other, open } = await shareSync('left');
    const third = await start('left-c', customersOf('left'));
    await until(() => isWaiting('left-c'));
    await Promise.all([one.cancel(), third.handle.cancel()]);
    await expect(one.result()).rejects.toThrow('Workflow execution cancelled');
    await expect(third.handle.result()).rejects.toThrow('Workflow execution cancelled');
    expect((await syncOf('left').describe()).status.name).toBe('RUNNING');
    open();
    expect((await other.result()).exclusions).toMatchObject([{ added: customers }]);
    expect(await syncsOf('left')).toBe(1);
  });

  itOfAll(
    'sync again after a sync that started before the run, because its scan may have missed the newest customer',
    async () => {
      const addCustomer = (name: string) => {
        const properties = { name, domain: `${name}.example`, lifecyclestage: 'evangelist' };
        return pipeline.clients.hubspot.objects.create('companies', [{ properties }]);
      };
      const late = customersOf('late', { source: exclusionSource({ lifecycleStages: ['evangelist'] }) });
      await addCustomer('earlier');
      const adding = close(isAdding);
      const one = await start('late-a', late);
      await until(() => adding.arrived() > 0);
      await addCustomer('newest');
      const other = await start('late-b', late);
      await until(() => isWaiting('late-b'));
      adding.open();
      expect((await one.handle.result()).exclusions).toMatchObject([{ wanted: 1, added: 1 }]);
      expect((await other.handle.result()).exclusions).toMatchObject([{ wanted: 2, added: 1 }]);
      expect(await createdBlacklists('late')).toMatchObject([{ entry_count: 2 }]);
    },
  );
});

describe('an exclusion sync whose activities are retried', () => {
  itOfAll('counts the additions and removals of all attempts once', async () => {
    const csv = path.join(pipeline.folder, 'counted.csv');
    const write = (count: number) =>
      writeFile(csv, ['company_name', ...Array.from({ length: count }, (_, index) => `Company ${index}`)].join('\n'));
    const exclusion = exclusionPlan({ name: 'counted', blacklist: 'counted', source: exclusionSource({ csv }) });
    configureExclusion(pipeline.folder, exclusion);
    const sync = async () => (await startExclusions(pipeline.client, exclusion)).handle.result();
    const { faults } = pipeline.service;
    const entries = /\/entries$/;

    await write(1_300);
    faults.add({ method: 'POST', path: entries, commit: true, reset: true, times: 1 });
    expect(await sync()).toMatchObject({ added: 1_300, removed: 0 });
    await write(200);
    // The first attempt removes 1,000 and ends at the next batch; the second one loses the answer to it.
    faults.add({ method: 'DELETE', path: entries, call: 2, status: 503, times: 1 });
    faults.add({ method: 'DELETE', path: entries, call: 2, commit: true, reset: true, times: 1 });
    expect(await sync()).toMatchObject({ added: 0, removed: 1_100 });
    expect(faults.rules()).toEqual([]);
    expect(await createdBlacklists('counted')).toMatchObject([{ entry_count: 200 }]);
  });
});
