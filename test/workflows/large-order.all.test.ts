import { startRun } from '../../src/worker/start-workflows.ts';
import { decodeHistory, fetchHistories } from '../helpers/histories.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal);
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

describe('an order of 10,000 slots', () => {
  // Guarantee: A published set is collected completely, once
  it('is collected, projected and reconciled in under 400 events, with no payload above 64 KB', async () => {
    const plan = discoveryPlan(pipeline.folder, { briefingQuantity: 10_000 });
    const { handle } = await startRun(pipeline.client, plan, { label: '2026-11-23' });
    const { order } = await handle.result();
    expect(order).toMatchObject({ slots: 10_000, reconciled: 10_000, findings: [] });
    expect(order.crm.companies.created).toBe(10_000);

    const histories = await fetchHistories(pipeline.client);
    const events = histories.reduce((sum, { history }) => sum + (history.events?.length ?? 0), 0);
    expect(histories.map(({ type }) => type).toSorted()).toEqual([
      'ingestOrder',
      'orderCompanies',
      'reconcileOrder',
      'runProspecting',
    ]);
    expect(events).toBeLessThan(400);
    for (const { history } of histories) expect(decodeHistory(history).largestPayload).toBeLessThan(65_536);
  });
});
