import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import Papa from 'papaparse';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { demoExclusions } from '../../sandbox/generated-data/demo-data.ts';
import { taskQueue } from '../../src/temporal/workflow-ids.ts';
import {
  failureAttribute,
  findingsAttribute,
  orderAttribute,
  outcomeAttribute,
  runAttribute,
  toRunAttributes,
} from '../../src/temporal/search-attributes.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { progressQuery } from '../../workflows/progress-query.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { configureRun, discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until, untilPasses } from '../helpers/until.ts';

const document = readFileSync(path.join(__dirname, '../../docs/temporal.md'), 'utf8');
const section = document.split('\n### Filters\n')[1]?.split('\n## ')[0] ?? '';
/** Question to filter, as the page gives them. */
const filters = new Map(
  section.split('\n').flatMap((line) => {
    const [, question, filter] = /^\| (.+?) \| `(.+)` \|$/.exec(line) ?? [];
    return question === undefined || filter === undefined ? [] : [[question, filter] as const];
  }),
);

const withoutScope = 'without a scope';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
let orderId = '';
beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, {
    throughService: (fetch) => async (request) => ((await isRefused(request)) ? refusal() : fetch(request)),
  });
  await startEverything();
});
let stopping: Promise<void> | undefined;
const stopWorker = () => (stopping ??= pipeline.stop());
afterAll(async () => {
  await stopWorker();
  await temporal?.stop();
});

/** Workflow type, run, and how it ended, of what each filter has to find. */
const expected: Record<string, string[]> = {
  'Which orders of which runs failed, and why? (columns Run, Order, Failure)': [
    'runProspecting no-scope failed',
    'runProspecting rejected failed',
    'runProspecting scheduled failed',
  ],
  'Which runs failed for one reason?': ['runProspecting rejected failed'],
  'Which workflows failed because of a key, a token or a scope?': [
    'orderCompanies no-scope failed',
    'runProspecting no-scope failed',
  ],
  'All workflows of a run name': [
    'ingestOrder dach-weekly reconciled',
    'ingestOrder dach-weekly reconciled',
    'orderCompanies dach-weekly COMPLETED',
    'orderCompanies dach-weekly COMPLETED',
    'reconcileOrder dach-weekly reconciled',
    'reconcileOrder dach-weekly reconciled',
    'runProspecting dach-weekly findings',
    'runProspecting dach-weekly reconciled',
    'syncExclusions dach-weekly findings',
    'syncExclusions dach-weekly reconciled',
  ],
  'All workflows of an order': [
    'ingestOrder dach-weekly reconciled',
    'orderCompanies dach-weekly COMPLETED',
    'reconcileOrder dach-weekly reconciled',
    'runProspecting dach-weekly reconciled',
  ],
  'Which runs ended with findings?': ['runProspecting dach-weekly findings'],
  'Which runs delivered nothing?': [],
  'Which runs are in progress?': ['runProspecting waiting RUNNING'],
  'Which orders are in progress?': ['ingestOrder waiting RUNNING'],
  'Which scheduled runs failed or have findings?': ['runProspecting scheduled failed'],
  'Where do removals of exclusions wait for approval?': ['syncExclusions dach-weekly findings'],
  'Which workflows were cancelled?': ['ingestOrder cancelled cancelled', 'runProspecting cancelled cancelled'],
  'Which workflows were terminated, and which order had they placed? (column Order)': [
    'ingestOrder terminated TERMINATED',
    'runProspecting terminated TERMINATED',
  ],
};

describe('the filters of docs/temporal.md', () => {
  it('are the tested ones', () => {
    expect([...filters.keys()]).toEqual(Object.keys(expected));
  });

  it.each(Object.entries(expected))('%s', async (question, labels) => {
    const filter = filters.get(question)?.replace('"ORDER"', `"${orderId}"`) ?? '';
    // Temporal lists what happened within a second.
    await untilPasses(async () => expect(await list(filter)).toEqual(labels));
  });

  it('return order, run and cause of a failure as columns', async () => {
    const query = filters.get(Object.keys(expected)[0] ?? '') ?? '';
    const rows: (string | number | undefined)[][] = [];
    for await (const { typedSearchAttributes: attributes } of pipeline.client.workflow.list({ query })) {
      rows.push([
        attributes.get(runAttribute),
        attributes.get(failureAttribute),
        attributes.get(orderAttribute)?.length,
      ]);
    }
    expect(rows.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['no-scope', 'AUTHORIZATION_ERROR', undefined],
      ['rejected', 'OrderRejected', 36],
      ['scheduled', 'OrderFailed', 36],
    ]);
  });
});

describe('progressQuery', () => {
  it('answers for closed runs and for what a pending order waits; result and search attributes replace it when no worker is running', async () => {
    const done = await pipeline.client.workflow.getHandle('run/dach-weekly/now').query(progressQuery);
    expect(done).toMatchObject({ stage: 'reconciled', counts: { slots: 5, reconciled: 5 }, failure: null });
    expect(done.tables).toMatchObject({ status: { ENRICHED: 5 }, reason: { POLICY_ELIGIBLE: 5 } });
    const failed = await pipeline.client.workflow.getHandle('run/rejected/now').query(progressQuery);
    expect(failed).toMatchObject({ stage: 'failed', failure: { type: 'OrderRejected' } });
    expect(failed.failure?.message).toMatch(/^order [0-9a-f-]{36} ended as REJECTED\. Correct the profile/);

    const waiting = pipeline.client.workflow.getHandle(`order/${await orderOf('waiting')}`);
    const { stage, since, waitingFor, waitingUntil } = await waiting.query(progressQuery);
    const what = `${waiting.workflowId.replace('/', ' ')} to be published`;
    expect({ stage, waitingFor }).toEqual({ stage: 'publication', waitingFor: what });
    expect(Date.parse(waitingUntil ?? '') - Date.parse(since)).toBe(30 * 86_400_000);
    const { raw } = await waiting.describe();
    expect(raw.pendingActivities?.[0]?.lastFailure?.message).toMatch(
      /^order [0-9a-f-]{36} is IN_PROGRESS; next poll in 1 s, at \d\d:\d\d UTC$/,
    );

    const { workflow } = pipeline.client;
    await stopWorker();
    const result = await workflow.getHandle('run/dach-weekly/now').result();
    expect(result).toMatchObject({ order: { orderId, slots: 5, reconciled: 5, findings: [] } });
    const { typedSearchAttributes } = await workflow.getHandle('run/dach-weekly/now/2').describe();
    expect(typedSearchAttributes.get(outcomeAttribute)).toBe('findings');
    expect(typedSearchAttributes.get(findingsAttribute)).toBe(1);
  });
});

/** Runs that end in every way, and one that goes on. */
async function startEverything() {
  const csv = path.join(pipeline.folder, 'exclusions.csv');
  const removals = { maxPercent: 100, maxEntries: 2 };
  const exclusions = [exclusionPlan({ source: exclusionSource({ csv }), removals })];
  const plan = (runName: string, title: string): RunPlan => {
    const { delivery, ...plain } = discoveryPlan(pipeline.folder, { runName, title, briefingQuantity: 5 });
    return { ...plain, delivery: { ...delivery, crm: null, spreadsheets: null } };
  };
  const start = async (runName: string, title: string, changes: Partial<RunPlan> = {}) =>
    (
      await startRun(pipeline.client, configureRun(pipeline.folder, { ...plan(runName, title), ...changes }), {
        label: 'now',
      })
    ).handle;

  await start('waiting', 'stay:IN_PROGRESS');
  const ended = [start('rejected', 'outcome:REJECTED'), start('no-scope', withoutScope)];
  const scheduled = configureRun(pipeline.folder, plan('scheduled', 'outcome:FAILED'));
  await pipeline.client.schedule.create({
    scheduleId: 'run/scheduled',
    spec: {},
    action: {
      type: 'startWorkflow',
      workflowType: 'runProspecting',
      workflowId: 'run/scheduled',
      taskQueue,
      args: [{ runName: scheduled.runName, digest: scheduled.digest }],
      typedSearchAttributes: toRunAttributes(scheduled),
    },
    state: { triggerImmediately: true },
  });
  const cancelled = await start('cancelled', 'stay:IN_PROGRESS');
  const terminated = await start('terminated', 'stay:IN_PROGRESS');

  await writeFile(csv, Papa.unparse(demoExclusions(1).slice(0, 5)));
  const first = await (await start('dach-weekly', 'Weekly', { exclusions })).result();
  orderId = first.order.orderId;
  await writeFile(csv, Papa.unparse(demoExclusions(1).slice(0, 1)));
  await (await start('dach-weekly', 'Weekly', { exclusions })).result();

  await orderOf('cancelled');
  await cancelled.cancel();
  await orderOf('terminated');
  await terminated.terminate();
  await Promise.allSettled([cancelled.result(), ...ended.map(async (handle) => (await handle).result())]);
  await orderOf('waiting');
}

/** Of a run's order that is waited for. */
async function orderOf(runName: string): Promise<string> {
  return until(async () => {
    const { raw, typedSearchAttributes } = await pipeline.client.workflow.getHandle(`run/${runName}/now`).describe();
    const found = typedSearchAttributes.get(orderAttribute);
    return raw.pendingChildren?.some(({ workflowId }) => workflowId === `order/${found}`) === true && found;
  });
}

async function list(query: string): Promise<string[]> {
  const labels: string[] = [];
  for await (const { type, status, typedSearchAttributes: attributes } of pipeline.client.workflow.list({ query })) {
    labels.push(`${type} ${attributes.get(runAttribute)} ${attributes.get(outcomeAttribute) ?? status.name}`);
  }
  return labels.toSorted();
}

async function isRefused(request: Request): Promise<boolean> {
  if (request.method !== 'POST' || !request.url.endsWith('/orders')) return false;
  return (await request.clone().text()).includes(withoutScope);
}

function refusal(): Response {
  const scopes = { required_scopes: ['orders:write'], user_scopes: ['orders:read'] };
  return Response.json({ code: 'AUTHORIZATION_ERROR', message: 'no', ...scopes }, { status: 403 });
}
