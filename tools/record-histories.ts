/**
 * Records the histories for the replay test: every workflow with each of its branches. Run it when a workflow changes on purpose.
 * Histories of earlier releases are kept: workflows that those releases started must still replay.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { RunPlan } from '../src/config/run-plan.ts';
import { demoCustomers, demoEnrichmentRows } from '../sandbox/generated-data/demo-data.ts';
import {
  startIngest,
  startReconcile,
  startReply,
  startRetry,
  startRun,
  wakeOrder,
} from '../src/worker/start-workflows.ts';
import { taskQueue } from '../src/temporal/workflow-ids.ts';
import { fetchHistories, historyToJSON } from '../test/helpers/histories.ts';
import { exclusionPlan, exclusionSource } from '../test/helpers/exclusion-plan.ts';
import { configureRun, discoveryPlan, startPipeline } from '../test/helpers/pipeline.ts';
import { resetWorkflow } from '../test/helpers/reset.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';
import type { handleReply } from '../workflows/handle-reply.ts';
import type { runProspecting } from '../workflows/run-prospecting.ts';
import { crmCompanies } from '../test/helpers/companies-source.ts';

const folder = new URL(`../test/workflows/histories/${packageJson.version}/`, import.meta.url);
const temporal = await startTemporal();
/** The requests to hold back, and the promise that releases them. */
let held: { readonly isHeld: (request: Request) => boolean; readonly opened: Promise<void> } | null = null;
const pipeline = await startPipeline(temporal, {
  throughService: (fetch) => async (request) => {
    const gate = held;
    if (gate?.isHeld(request) === true) await gate.opened;
    return fetch(request);
  },
});
const { client } = pipeline;

const create = (properties: Record<string, string>[]) =>
  pipeline.clients.hubspot.objects.create(
    'companies',
    properties.map((each) => ({ properties: each })),
  );
await create(demoCustomers(1).map((customer) => ({ ...customer })));
await create(demoEnrichmentRows(1).map(({ company_name }) => ({ name: company_name, lifecyclestage: 'lead' })));

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const recorded = new Set<string>();
const written = new Set<string>();
await recordBothKinds();
await recordScheduled();
await recordOutputs();
await recordLists();
await recordWaiting();
await recordShared();
await recordReset();
await recordFailed();
await recordAttached();
await recordReadBack();
await recordWoken();
await recordReplies();
await pipeline.stop();
await temporal.stop();

async function recordBothKinds(): Promise<void> {
  const customers = exclusionPlan({ source: exclusionSource({ lifecycleStages: ['customer'] }) });
  const discovery = discoveryPlan(pipeline.folder, { exclusions: [customers] });
  const enrichment = discoveryPlan(pipeline.folder, {
    runName: 'enrichment',
    kind: 'enrichment',
    briefingQuantity: null,
    companies: crmCompanies({ lifecycleStages: ['lead'] }),
    delivery: { ...discovery.delivery, externalIdsAreRecordIds: true },
  });
  let last = '';
  for (const plan of [discovery, enrichment]) {
    last = (await (await start(plan)).result()).order.orderId;
    await record(plan.kind);
  }
  const { mappingVersion } = pipeline.clients.configuration.crm;
  const retry = await startRetry(client, { orderId: last, mappingVersion });
  await retry.handle.result();
  await record(enrichment.kind);
}

/** A scheduled run whose configuration changed after the schedule was applied. */
async function recordScheduled(): Promise<void> {
  small('scheduled');
  const handle = await client.workflow.start<typeof runProspecting>('runProspecting', {
    workflowId: 'run/scheduled/scheduled-2026-11-23T06:00:00Z',
    taskQueue,
    args: [{ runName: 'scheduled', digest: '0123456789ab', start: 'scheduled', installation: null, announced: null }],
  });
  await handle.result();
  await record('scheduled', ['runProspecting']);
}

async function recordOutputs(): Promise<void> {
  const plan = small('outputs');
  const serviceOutputs = {
    wanted: [
      { type: 'csv', language: 'en', spreadsheetId: null },
      { type: 'xlsx', language: 'de', spreadsheetId: null },
      { type: 'csv', language: 'outcome:FAILED', spreadsheetId: null },
    ],
    directory: path.join(pipeline.folder, 'out'),
    firstPollMs: 30,
    longestPollMs: 60,
    giveUpMs: 10_000,
  } as const;
  await (await start({ ...plan, delivery: { ...plan.delivery, serviceOutputs } })).result();
  await record('outputs', ['ingestOrder']);
}

/** A run that fetches website texts, whose records become members of lists, and whose companies get notes. */
async function recordLists(): Promise<void> {
  const plan = discoveryPlan(pipeline.folder, { runName: 'lists', title: 'lists', briefingQuantity: 3 });
  const lists = { companies: 'Prospects', contacts: 'People of {order.run}' };
  const { crm } = plan.delivery;
  if (crm === null) throw new RangeError('a run with lists writes to the CRM');
  // Only the plan has the text: the worker of this tool creates no notes.
  const mapping = { ...crm.mapping, companyNotes: { POLICY_ELIGIBLE: 'Delivered' } };
  await (
    await start({ ...plan, delivery: { ...plan.delivery, lists, websites: true, crm: { ...crm, mapping } } })
  ).result();
  await record('lists', ['runProspecting', 'ingestOrder']);
}

/** A run that waits for the earlier run of the same name to place its order. */
async function recordWaiting(): Promise<void> {
  const open = hold(({ method, url }) => method === 'POST' && url.endsWith('/orders'));
  const first = await start(small('waited'));
  await untilPending(`ordering/${taskQueue}/waited`, 'placeOrder');
  const second = await client.workflow.start<typeof runProspecting>('runProspecting', {
    workflowId: 'run/waited/second',
    taskQueue,
    args: [
      { runName: 'waited', digest: small('waited').digest, start: 'scheduled', installation: null, announced: null },
    ],
  });
  await untilPending(second.workflowId, 'awaitTurn');
  open();
  await first.result();
  await second.result();
  await record('waited', ['runProspecting'], [second.workflowId]);
}

/** An order that waits for an exclusion sync that another run started. */
async function recordShared(): Promise<void> {
  const source = exclusionSource({ lifecycleStages: ['customer'] });
  const exclusions = [exclusionPlan({ name: 'shared', blacklist: 'shared', source })];
  const open = hold(({ url }) => url.includes('/blacklists'));
  const runs = [await start({ ...small('shared-a'), exclusions }), await start({ ...small('shared-b'), exclusions })];
  const orderings = ['shared-a', 'shared-b'].map((runName) => `ordering/${taskQueue}/${runName}`);
  const waiting = await until(async () => {
    const isWaiting = await Promise.all(orderings.map((ordering) => isPending(ordering, 'awaitSync')));
    return orderings.find((_, index) => isWaiting[index]);
  });
  open();
  for (const run of runs) await run.result();
  await record('shared', ['orderCompanies'], [waiting]);
}

/** A reset: the new run waits for the order of the earlier one. */
async function recordReset(): Promise<void> {
  const open = hold(({ url }) => url.includes('/results'));
  const { workflowId } = await start(small('reset'));
  const order = await until(async () => {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return raw.pendingChildren?.map((child) => child.workflowId).find((id) => id?.startsWith('order/'));
  });
  await untilPending(order, 'collectResults');
  await resetWorkflow(client, workflowId);
  await untilPending(workflowId, 'awaitResult');
  open();
  await client.workflow.getHandle(workflowId).result();
  await record('reset', ['runProspecting'], [workflowId]);
}

async function recordFailed(): Promise<void> {
  const rejected = await start({ ...small('rejected'), title: 'outcome:REJECTED' });
  await rejected.result().catch(() => {}); // that is what is recorded
  await record('failed', ['runProspecting', 'ingestOrder']);
}

/** Blacklists that are assigned to the prospect search. */
async function recordAttached(): Promise<void> {
  const source = exclusionSource({ lifecycleStages: ['customer'] });
  const exclusions = [exclusionPlan({ name: 'attached', blacklist: 'attached', source, attach: 'search' })];
  await (await start({ ...small('attached'), exclusions })).result();
  await record('attached', ['orderCompanies']);
}

/** Reconciliations that read back a sample, and that repair a deleted record. */
async function recordReadBack(): Promise<void> {
  const plan = discoveryPlan(pipeline.folder, { runName: 'read-back', title: 'read-back', briefingQuantity: 3 });
  const { orderId } = (await (await start(plan)).result()).order;
  await record('read-back', []);
  await (await startReconcile(client, { orderId, sample: 2 })).handle.result();
  await record('sampled', ['reconcileOrder']);
  const outcomes = await pipeline.clients.ledger.outcomes.read(orderId, { from: 0, to: 3 });
  const deleted = outcomes.find(({ item, recordId }) => item === 'company' && recordId !== null)?.recordId ?? '';
  await pipeline.clients.hubspot.objects.archive('companies', [deleted]);
  const { mappingVersion } = pipeline.clients.configuration.crm;
  await (await startReconcile(client, { orderId, repair: { mappingVersion } })).handle.result();
  await record('repaired', ['reconcileOrder']);
}

/** An order whose status was notified while it was waited for. */
async function recordWoken(): Promise<void> {
  const plan = small('woken');
  const { orderId } = (await (await start(plan)).result()).order;
  await record('woken-run', []);
  const open = hold(({ method, url }) => method === 'GET' && /\/orders\/[^/]+$/.test(url));
  const { runName, delivery } = plan;
  const { handle } = await startIngest(client, { orderId, runName, delivery });
  await untilPending(handle.workflowId, 'awaitPublication');
  await wakeOrder(client, orderId);
  await until(async () =>
    (await historyTypes(handle.workflowId)).includes('EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED'),
  );
  open();
  await handle.result();
  await record('woken', ['ingestOrder']);
}

async function historyTypes(workflowId: string): Promise<string[]> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const { events }: { events: { eventType: string }[] } = JSON.parse(historyToJSON(history));
  return events.map(({ eventType }) => eventType);
}

/** Replies that are processed, and one whose workflow fails because it was not received. */
async function recordReplies(): Promise<void> {
  const { ledger } = pipeline.clients;
  const received = {
    receivedAt: new Date().toISOString(),
    reason: null,
    campaignId: null,
    body: '{}',
  };
  const replies = [
    { webhookId: 'msg_processed', classification: 'do_not_contact', replyAt: '2026-11-20T12:00:00.000Z' },
    { webhookId: 'msg_failed', classification: 'interested', replyAt: null },
  ];
  for (const reply of replies) {
    if (reply.webhookId !== 'msg_failed')
      await ledger.replies.receive({ ...received, ...reply, state: 'received' }, []);
    await startReply(client, reply);
    const handle = client.workflow.getHandle<typeof handleReply>(`reply/${reply.webhookId}`);
    await handle.result().catch(() => {}); // a failure is recorded too
    await record(reply.webhookId.slice('msg_'.length), ['handleReply']);
  }
}

async function start(plan: RunPlan): Promise<WorkflowHandle<typeof runProspecting>> {
  return (await startRun(client, configureRun(pipeline.folder, plan), { label: '2026-11-23' })).handle;
}

function small(runName: string): RunPlan {
  const plan = discoveryPlan(pipeline.folder, { runName, title: runName, briefingQuantity: 3 });
  return configureRun(pipeline.folder, { ...plan, delivery: { ...plan.delivery, crm: null, spreadsheets: null } });
}

/** Holds back matching requests. @returns a function that releases them */
function hold(isHeld: (request: Request) => boolean): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = { isHeld, opened: promise };
  return () => {
    held = null;
    resolve();
  };
}

async function untilPending(workflowId: string, activity: string): Promise<void> {
  await until(() => isPending(workflowId, activity));
}

async function isPending(workflowId: string, activity: string): Promise<boolean> {
  const found = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => null);
  return found?.raw.pendingActivities?.some(({ activityType }) => activityType?.name === activity) ?? false;
}

async function until<T>(find: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found) return found;
    await sleep(20);
  }
}

/** Writes the histories of the workflows that ran since the last call, filtered by type and id if given. */
async function record(name: string, types: readonly string[] | null = null, ids: readonly string[] | null = null) {
  for (const { workflowId, runId, type, history } of await fetchHistories(client)) {
    if (recorded.has(runId)) continue;
    recorded.add(runId);
    if (types?.includes(type) === false || ids?.includes(workflowId) === false) continue;
    const file = `${type}.${name}.json`;
    // The newest run of an id is listed first.
    if (written.has(file)) continue;
    written.add(file);
    const content = { workflowId, history: anonymous(JSON.parse(historyToJSON(history))) };
    await writeFile(new URL(file, folder), `${JSON.stringify(content, null, 1)}\n`);
    console.log(file);
  }
}

/** Removes the worker's process (`pid@host`) and the file paths in stack traces, which do not belong in a repository. */
function anonymous(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^\d+@[\w.-]+/, 'recorder');
  if (Array.isArray(value)) return value.map(anonymous);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, key === 'stackTrace' ? '' : anonymous(field)]),
  );
}
