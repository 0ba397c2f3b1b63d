import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ServiceOutput } from '../../src/config/service-output-settings.ts';
import type { OrderReport } from '../../src/proof/report/order-report.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { startRetry, startRun } from '../../src/worker/start-workflows.ts';
import { configureRun, discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { itOfAll } from '../helpers/sample.ts';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
beforeAll(async () => {
  temporal = await startTemporal();
  const pace = { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 }, outputs: { after_seconds: 0.3 } };
  pipeline = await startPipeline(temporal, { service: { progression: pace } });
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

function planOf(runName: string, wanted: readonly ServiceOutput[], title = runName): RunPlan {
  const plan = discoveryPlan(pipeline.folder, { runName, title, briefingQuantity: 12 });
  const directory = path.join(pipeline.folder, 'out');
  const serviceOutputs = { wanted, directory, firstPollMs: 30, longestPollMs: 60, giveUpMs: 2_000 };
  const delivery = { ...plan.delivery, crm: null, spreadsheets: null, serviceOutputs };
  return configureRun(pipeline.folder, { ...plan, delivery });
}

async function run(plan: RunPlan): Promise<{ order: OrderReport; events: number; activities: string[] }> {
  const { handle } = await startRun(pipeline.client, plan, { label: 'today' });
  const { order } = await handle.result();
  const { events } = await pipeline.client.workflow.getHandle(order.workflowId).fetchHistory();
  const activities = (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );
  return { order, events: events?.length ?? 0, activities };
}

const outputRequests = () => pipeline.requests().filter(({ path }) => path.includes('/outputs')).length;

describe('ingestOrder with outputs of the service', () => {
  // Guarantee: An output of the service is requested once and downloaded completely
  it('delivers the outputs that the service produces, and ends with findings for the others', async () => {
    const csv: ServiceOutput = { type: 'csv', language: 'en', spreadsheetId: null };
    const { order, events, activities } = await run(
      planOf('outputs', [
        csv,
        { type: 'xlsx', language: 'outcome:FAILED', spreadsheetId: null },
        { type: 'csv', language: 'stay:RUNNING', spreadsheetId: null },
        { type: 'google_sheets', language: 'en', spreadsheetId: '1AbC' },
      ]),
    );
    expect(order).toMatchObject({ slots: 12, reconciled: 12 });
    expect(order.serviceOutputs).toMatchObject([
      { destination: 'csv en', state: 'delivered', rows: 12, path: expect.stringContaining('.service-en.csv') },
      { destination: 'xlsx outcome:failed', state: 'failed' },
      { destination: 'csv stay:running', state: 'unfinished' },
      { destination: 'google_sheets en 1AbC', state: 'delivered', location: expect.stringContaining('1AbC') },
    ]);
    expect(order.findings.map(({ code }) => code).sort()).toEqual([
      'service_output_failed',
      'service_output_unfinished',
    ]);
    expect(await readFile(order.serviceOutputs?.[0]?.path ?? '', 'utf8')).toContain('Company Name');
    const ofOutputs = activities.filter((name) => name.endsWith('Output'));
    expect(ofOutputs.filter((name) => name === 'requestOutput')).toHaveLength(4);
    expect(ofOutputs.filter((name) => name === 'awaitOutput')).toHaveLength(4);
    expect(ofOutputs.filter((name) => name === 'fetchOutput')).toHaveLength(1);
    // An activity looks more than once, and the looks leave nothing in the history.
    expect(outputRequests()).toBeGreaterThan(ofOutputs.length);
    expect(events).toBeLessThan(120);
  });

  itOfAll('requests no outputs for an order without results', async () => {
    const before = outputRequests();
    const { order } = await run(
      planOf('empty', [{ type: 'csv', language: 'en', spreadsheetId: null }], 'outcome:EMPTY'),
    );
    expect(order).toMatchObject({ slots: 0, findings: [{ code: 'nothing_delivered' }], serviceOutputs: [] });
    expect(outputRequests()).toBe(before);
  });
});

describe('retryRows of an order without HubSpot', () => {
  itOfAll('writes the files again, and no record', async () => {
    const plan = planOf('files-only', []);
    const spreadsheets = { directory: path.join(pipeline.folder, 'files'), kinds: ['csv'], rows: 'slot' } as const;
    const delivery = { ...plan.delivery, serviceOutputs: null, spreadsheets };
    const { order } = await run(configureRun(pipeline.folder, { ...plan, delivery }));
    const [file] = order.files;
    await rm(file?.path ?? '');
    const before = pipeline.crmRequests().length;
    const { mappingVersion } = pipeline.clients.configuration.crm;
    const { handle } = await startRetry(pipeline.client, { orderId: order.orderId, mappingVersion });
    expect(await handle.result()).toMatchObject({ files: [{ kind: 'csv', rows: 12 }], findings: [] });
    expect(await readFile(file?.path ?? '', 'utf8')).toContain('Company Name');
    expect(pipeline.crmRequests()).toHaveLength(before);
  });
});
