import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@temporalio/client';
import Papa from 'papaparse';
import { demoCustomers, demoEnrichmentRows, demoExclusions } from '../../sandbox/generated-data/demo-data.ts';
import { slotSchema } from '../../src/service/contract/index.ts';
import { serviceScope } from '../../src/ledger/shape-store.ts';
import { findDrift } from '../../src/service/reading/find-drift.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { decodeHistory, fetchHistories } from '../helpers/histories.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal);
  await seedCrm();
  first = await runTwice();
  second = await runTwice();
  enriched = await runEnrichment();
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

type Runs = Awaited<ReturnType<typeof finish>>;
/** Two runs of one name on one day. */
let first: Runs;
let second: Runs;
/** Afterwards, of the submitted records of the CRM. */
let enriched: Runs;

const monday = { label: '2026-11-23' };
const exclusions = (folder: string) => [
  exclusionPlan({
    source: exclusionSource({ lifecycleStages: ['customer'], csv: path.join(folder, 'exclusions.csv') }),
  }),
];

async function seedCrm() {
  const customers = demoCustomers(1).map((customer) => ({ properties: { ...customer } }));
  await pipeline.clients.hubspot.objects.create('companies', customers);
  await writeFile(path.join(pipeline.folder, 'exclusions.csv'), Papa.unparse(demoExclusions(1)));
}

async function enrichmentFile(): Promise<string> {
  const rows = demoEnrichmentRows(1);
  const created = await pipeline.clients.hubspot.objects.create(
    'companies',
    rows.map(({ company_name }) => ({ properties: { name: company_name, lifecyclestage: 'lead' } })),
  );
  const file = path.join(pipeline.folder, 'companies.csv');
  const ids = created.map((result) => (result.ok ? result.id : ''));
  await writeFile(file, Papa.unparse(rows.map((row, index) => ({ ...row, external_id: ids[index] }))));
  return file;
}

const routes = [
  'GET /api/v1/blacklists',
  'GET /api/v1/blacklists/{id}/entries',
  'GET /api/v1/orders/{id}',
  'GET /api/v1/orders/{id}/results',
  'GET /api/v1/search-profile-creations/{id}',
  'POST /api/v1/blacklists',
  'POST /api/v1/blacklists/{id}/entries',
  'POST /api/v1/orders',
  'POST /api/v1/search-profile-creations',
];

/** The routes of the service that were used; the legacy deliveries listing must never be among them. */
function usedRoutes(): string[] {
  const used = pipeline.requests().map(({ method, path: route }) => `${method} ${route.replace(/\?.*$/, '')}`);
  return [...new Set(used.map((route) => route.replaceAll(/[0-9a-f-]{36}/g, '{id}')))].toSorted();
}

/** With the records of the CRM after it, and the routes that were used until then. */
async function finish(plan: RunPlan) {
  const { handle } = await startRun(pipeline.client, plan, monday);
  const report = await handle.result();
  return { workflowId: handle.workflowId, ...report, records: await countRecords(), routes: usedRoutes() };
}

const runTwice = () => finish(discoveryPlan(pipeline.folder, { exclusions: exclusions(pipeline.folder) }));

async function runEnrichment() {
  const { delivery } = discoveryPlan(pipeline.folder);
  return finish(
    discoveryPlan(pipeline.folder, {
      runName: 'enrichment',
      kind: 'enrichment',
      briefingQuantity: null,
      companies: fileCompanies(await enrichmentFile()),
      delivery: { ...delivery, spreadsheets: null, externalIdsAreRecordIds: true },
    }),
  );
}

describe('runProspecting', () => {
  it('completes a discovery order from exclusions to reconciliation', async () => {
    expect(first.workflowId).toBe('run/discovery/2026-11-23');
    const shapes = await pipeline.ledger.answerShapes.list(serviceScope(pipeline.clients.prospecting.baseUrl));
    const operations = new Set(shapes.map(({ operation }) => operation));
    expect([...operations]).toEqual(expect.arrayContaining(['addEntries', 'createOrder', 'getOrder', 'listResults']));
    expect(findDrift(shapes)).toEqual([]);
    // Of the task queue too: demos and installations do not wait for each other.
    const ordering = pipeline.client.workflow.getHandle('ordering/prospect-sync/discovery');
    expect((await ordering.describe()).parentExecution?.workflowId).toBe(second.workflowId);
    expect(first.exclusions).toMatchObject([{ wanted: 1_000, added: 1_000, removed: 0, unusable: 0 }]);
    expect(first.order).toMatchObject({
      kind: 'discovery',
      slots: 250,
      reconciled: 250,
      byStatus: { ENRICHED: 250 },
      crm: { companies: { created: 250, failed: 0, quarantined: 0 } },
      findings: [],
    });
    const excluded = new Set(demoCustomers(1).map(({ domain }) => domain));
    const slots = await pipeline.ledger.slots.read(first.order.orderId, { from: 0, to: 250 });
    const delivered = slots.map(({ json }) => slotSchema.parse(JSON.parse(json)).company?.domain ?? '');
    expect(new Set(delivered).size).toBe(250);
    expect(first.routes).toEqual(routes);
    expect(delivered.filter((domain) => excluded.has(domain))).toEqual([]);
  });

  // Guarantee: One company is one record
  it('orders again on the same day without duplicate records', () => {
    expect(second.workflowId).toBe('run/discovery/2026-11-23/2');
    expect(second.exclusions).toMatchObject([{ wanted: 1_000, added: 0, removed: 0 }]);
    expect(second.order).toMatchObject({
      reconciled: 250,
      findings: [],
      crm: { companies: { created: 0, updated: 250 } },
    });
    expect(second.records).toEqual(first.records);
  });

  it('writes an enrichment order with every reason code to the submitted records', () => {
    expect(enriched.order).toMatchObject({ kind: 'enrichment', slots: 150, reconciled: 150, findings: [] });
    expect(enriched.routes.filter((route) => !routes.includes(route))).toEqual([]);
    expect(Object.keys(enriched.order.byStatus).toSorted()).toEqual([
      'BLOCKED',
      'DUPLICATE',
      'ENRICHED',
      'PARTIAL',
      'UNRESOLVED',
    ]);
    expect(enriched.order.crm.companies).toMatchObject({ created: 0, failed: 0, skipped: 0 });
    expect(enriched.records.companies - second.records.companies).toBe(demoEnrichmentRows(1).length);
  });

  it('attaches to a run of the same name that is in progress', async () => {
    const plan = discoveryPlan(pipeline.folder, { runName: 'joined', title: 'stay:RECEIVED' });
    const first = await startRun(pipeline.client, plan, monday);
    const second = await startRun(pipeline.client, plan, monday);
    expect(second).toMatchObject({ joined: true, handle: { workflowId: first.handle.workflowId } });
    await untilListed(first.handle.workflowId);
    const nextDay = await startRun(pipeline.client, plan, { label: '2026-11-24' });
    expect(nextDay).toMatchObject({ joined: true, handle: { workflowId: first.handle.workflowId } });
    await first.handle.terminate();
  });

  it('starts a run when Temporal still lists the one before as running', async () => {
    const plan = discoveryPlan(pipeline.folder, { runName: 'listed', title: 'outcome:REJECTED' });
    const { handle } = await startRun(pipeline.client, plan, monday);
    await expect(handle.result()).rejects.toThrow('Workflow execution failed');
    const ended = `WorkflowId = "${handle.workflowId}" AND ExecutionStatus = "Failed"`;
    await until(async () => (await pipeline.client.workflow.count(ended)).count > 0);
    const { connection } = temporal;
    // As a list on PostgreSQL, which is up to a second old.
    const listWorkflowExecutions = (request: { query?: string | null }) =>
      connection.workflowService.listWorkflowExecutions({
        ...request,
        query: request.query?.replace('ExecutionStatus = "Running"', 'ExecutionStatus = "Failed"') ?? null,
      });
    const workflowService = Object.create(connection.workflowService, {
      listWorkflowExecutions: { value: listWorkflowExecutions },
    }) as unknown;
    const late = new Client({
      connection: Object.create(connection, { workflowService: { value: workflowService } }) as typeof connection,
      namespace: temporal.namespace,
    });
    const next = await startRun(late, plan, monday);
    expect(next).toMatchObject({ joined: false, handle: { workflowId: `${handle.workflowId}/2` } });
    await next.handle.terminate();
  });

  it.each([
    ['REJECTED', 'OrderRejected'],
    ['FAILED', 'OrderFailed'],
    ['CANCELLED', 'OrderCancelled'],
    ['UNPUBLISHED', 'OrderCompletedUnpublished'],
  ])('fails with the order id, and keeps the status in the ledger, when an order is %s', async (outcome, type) => {
    const plan = discoveryPlan(pipeline.folder, { runName: outcome.toLowerCase(), title: `outcome:${outcome}` });
    const { handle } = await startRun(pipeline.client, plan, monday);
    const error = await handle.result().catch((caught: unknown) => caught);
    const failure = deepestCause(error);
    expect(failure).toMatchObject({ type, nonRetryable: true });
    const [, orderId = '', ended] = /order ([0-9a-f-]{36}) (ended as [A-Z]+)?/.exec(failure.message) ?? [];
    const isUnpublished = outcome === 'UNPUBLISHED';
    expect(ended).toBe(isUnpublished ? undefined : `ended as ${outcome}`);
    const status = isUnpublished ? 'COMPLETED' : outcome;
    expect(await pipeline.ledger.orders.get(orderId)).toMatchObject({ orderId, status });
  });

  // Guarantee: The same profile is not created twice
  it('requests a failing profile with at most three keys', async () => {
    const created = () =>
      pipeline
        .requests()
        .filter(({ method, path: route }) => method === 'POST' && route.endsWith('search-profile-creations')).length;
    const before = created();
    const profile = { ...discoveryPlan('').profile, profile_name: 'outcome:FAILED' };
    const { handle } = await startRun(
      pipeline.client,
      discoveryPlan(pipeline.folder, { runName: 'no-profile', profile }),
      monday,
    );
    const error = await handle.result().catch((caught: unknown) => caught);
    expect(deepestCause(error)).toMatchObject({ type: 'ProfileFailed' });
    expect(created() - before).toBe(3);
  });

  it('reports an order that delivered nothing as a finding', async () => {
    const plan = discoveryPlan(pipeline.folder, { runName: 'empty', title: 'outcome:EMPTY' });
    const { handle } = await startRun(pipeline.client, plan, monday);
    expect((await handle.result()).order).toMatchObject({
      slots: 0,
      ordered: 250,
      delivered: 0,
      findings: [{ code: 'nothing_delivered' }],
    });
  });

  it('leaves no company, contact or address in any history', async () => {
    const secrets = await knownNames();
    const histories = await fetchHistories(pipeline.client);
    expect(histories.length).toBeGreaterThan(10);
    for (const { workflowId, history } of histories) {
      const { text, largestPayload } = decodeHistory(history);
      expect(largestPayload).toBeLessThan(65_536);
      expect({ workflowId, found: secrets.filter((secret) => text.includes(secret)) }).toEqual({
        workflowId,
        found: [],
      });
      expect(text).not.toMatch(/[\w.+-]+@[\w-]+\.(example|test)/);
    }
  });
});

async function untilListed(workflowId: string) {
  const query = `WorkflowId = "${workflowId}"`;
  await until(async () => (await pipeline.client.workflow.count(query)).count > 0);
}

async function countRecords() {
  const count = async (type: 'companies' | 'contacts') => {
    let records = 0;
    for await (const page of pipeline.clients.hubspot.objects.list(type, { properties: [] })) records += page.length;
    return records;
  };
  return { companies: await count('companies'), contacts: await count('contacts') };
}

/** Names and addresses of every company and person that went through the pipeline. */
async function knownNames(): Promise<string[]> {
  const names = new Set<string>();
  for await (const page of pipeline.clients.hubspot.objects.list('companies', { properties: ['name'] })) {
    for (const { properties } of page) names.add(properties['name'] ?? '');
  }
  for await (const page of pipeline.clients.hubspot.objects.list('contacts', {
    properties: ['email', 'firstname', 'lastname'],
  })) {
    for (const { properties } of page) {
      names.add(properties['email'] ?? '');
      names.add(`${properties['firstname']} ${properties['lastname']}`);
    }
  }
  names.delete('');
  expect(names.size).toBeGreaterThan(1_000);
  return [...names];
}

function deepestCause(error: unknown): Error {
  let deepest = error as Error;
  while (deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest;
}
