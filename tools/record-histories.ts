/** Records the histories that the replay test runs: one of each workflow, for both kinds of order. Run it when a workflow changes on purpose. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { demoCustomers, demoEnrichmentRows } from '../src/sandbox/demo-data.ts';
import { startRetry, startRun } from '../src/temporal.ts';
import { fetchHistories, historyToJSON } from '../test/helpers/histories.ts';
import { exclusionPlan, exclusionSource } from '../test/helpers/exclusion-plan.ts';
import { discoveryPlan, startPipeline } from '../test/helpers/pipeline.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';

const folder = new URL('../test/workflows/histories/', import.meta.url);
const temporal = await startTemporal();
const pipeline = await startPipeline(temporal);

const create = (properties: Record<string, string>[]) =>
  pipeline.clients.hubspot.objects.create(
    'companies',
    properties.map((each) => ({ properties: each })),
  );
await create(demoCustomers(1).map((customer) => ({ ...customer })));
await create(demoEnrichmentRows(1).map(({ company_name }) => ({ name: company_name, lifecyclestage: 'lead' })));

const customers = exclusionPlan({ source: exclusionSource({ lifecycleStages: ['customer'] }) });
const discovery = discoveryPlan(pipeline.folder, { exclusions: [customers] });
const enrichment = discoveryPlan(pipeline.folder, {
  runName: 'enrichment',
  kind: 'enrichment',
  briefingQuantity: null,
  companies: { lifecycleStages: ['lead'], csv: null },
  delivery: { ...discovery.delivery, externalIdsAreRecordIds: true },
});
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const recorded = new Set<string>();
let last = '';
for (const plan of [discovery, enrichment]) {
  const { handle } = await startRun(pipeline.client, plan, { label: '2026-11-23' });
  last = (await handle.result()).order.orderId;
  await record(plan.kind);
}
const { crm } = enrichment.delivery;
if (crm === null) throw new Error('the enrichment writes to the CRM');
const retry = await startRetry(pipeline.client, { orderId: last, plan: crm, pace: enrichment.pace });
await retry.handle.result();
await record(enrichment.kind);
await pipeline.stop();
await temporal.stop();

/** Writes down what has run since the last time. */
async function record(kind: string): Promise<void> {
  for (const { workflowId, type, history } of await fetchHistories(pipeline.client)) {
    if (recorded.has(workflowId)) continue;
    recorded.add(workflowId);
    const name = `${type}.${kind}.json`;
    const content = { workflowId, history: anonymous(JSON.parse(historyToJSON(history))) };
    await writeFile(new URL(name, folder), `${JSON.stringify(content, null, 1)}\n`);
    console.log(name);
  }
}

/** Histories name the process that worked, `pid@host`, and the files of its failures; that is nobody's business. */
function anonymous(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^\d+@[\w.-]+/, 'recorder');
  if (Array.isArray(value)) return value.map(anonymous);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, key === 'stackTrace' ? '' : anonymous(field)]),
  );
}
