import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { OrderReport } from '../../src/proof/report/order-report.ts';
import { orderAttribute } from '../../src/temporal/search-attributes.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { findBrowser, openBrowser } from '../helpers/browser.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { openTemporalUi, runEnrichment } from '../helpers/temporal-ui.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { needsBrowser, describeIf } from '../helpers/describe-if.ts';

const executable = findBrowser();

describeIf(executable !== null, needsBrowser)('the Temporal UI', () => {
  let temporal: TemporalTestServer;
  let pipeline: Pipeline;
  let browser: Browser;
  let ui: Awaited<ReturnType<typeof openTemporalUi>>;
  let order: OrderReport;
  beforeAll(async () => {
    const opening = openBrowser(executable ?? '');
    temporal = await startTemporal('ui');
    pipeline = await startPipeline(temporal);
    const rejected = startRejected();
    await startWaiting();
    order = await runEnrichment(pipeline);
    await rejected;
    browser = await opening;
    ui = await openTemporalUi(browser, temporal.uiUrl ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await pipeline?.stop();
    await temporal?.stop();
  });

  async function startRejected() {
    const plan = discoveryPlan(pipeline.folder, {
      runName: 'dach-weekly',
      title: 'outcome:REJECTED',
      briefingQuantity: 5,
    });
    const { handle } = await startRun(pipeline.client, plan, { label: '2026-11-23' });
    await handle.result().catch(() => {});
  }

  async function open(workflowId: string, ...[tab]: [Parameters<typeof ui.openWorkflow>[2]]) {
    const { runId } = await pipeline.client.workflow.getHandle(workflowId).describe();
    await ui.openWorkflow(workflowId, runId, tab);
  }

  it('lists which order of which run failed and why', async () => {
    const { typedSearchAttributes } = await pipeline.client.workflow.getHandle('run/dach-weekly/2026-11-23').describe();
    const orderId = typedSearchAttributes.get(orderAttribute) ?? 'none';
    await ui.openList('WorkflowType = "runProspecting" AND ProspectSyncOutcome = "failed"');
    const row = `run/dach-weekly/2026-11-23 dach-weekly ${orderId} failed OrderRejected`;
    const text = await ui.readUntil([row]);
    expect(text).toContain('ProspectSyncRun ProspectSyncOrder ProspectSyncOutcome ProspectSyncFailure');
    expect(text).toContain(row);
    expect(text).not.toContain('dach-leads');
  });

  it('shows for an order its settings, its stage and the paths of its files', async () => {
    await open(`order/${order.orderId}`, 'user-metadata');
    const wanted = [
      'dach-leads: enrichment of rows of leads.csv, from publication to reconciliation',
      `Order ${order.orderId}`,
      'kind: enrichment',
      `${order.findings.length === 0 ? 'reconciled' : 'findings'} since `,
      `figures: slots 150, collected 150, projected 150, ordered 150, delivered ${order.delivered}, reconciled 150`,
      `status: ${Object.entries(order.byStatus)
        .map(([status, count]) => `${status} ${count}`)
        .join(', ')}`,
      'NO_EMAIL_FOUND ',
      `${order.orderId}.csv (150 rows)`,
    ];
    const text = await ui.readUntil(wanted);
    expect(wanted.filter((each) => !text.includes(each))).toEqual([]);
  });

  it('shows for a failed run the reason and the remedy', async () => {
    await open('run/dach-weekly/2026-11-23', 'user-metadata');
    const text = await ui.readUntil(['dach-weekly: discovery of 5 companies', 'failed since ', 'Correct the profile']);
    expect(text).toMatch(/OrderRejected: order [0-9a-f-]{36} ended as REJECTED\. Correct the profile/);
    expect(text).toContain('title: outcome:REJECTED');
    expect(text).toContain('features: COMPANY_DATA, CONTACTS, ANALYSIS');
  });

  it('shows for each activity the slots that it moved', async () => {
    await open(`order/${order.orderId}`, 'history');
    const wanted = ['slots 1 to 150 of 150', 'csv of 150 slots', `order ${order.orderId}, until it is published`];
    const text = await ui.readUntil(wanted);
    expect(wanted.filter((each) => !text.includes(each))).toEqual([]);
  });

  it('shows for a pending order its last status, and the time of the next poll', async () => {
    await open(`order/${await waitingOrder()}`, 'pending-activities');
    const wanted = ['awaitPublication', 'is IN_PROGRESS; next poll in 8 min, at '];
    const text = await ui.readUntil(wanted);
    expect(wanted.filter((each) => !text.includes(each))).toEqual([]);
  });

  async function startWaiting() {
    pipeline.configurePolling({ orderFirstMilliseconds: 480_000, orderMaxMilliseconds: 480_000 });
    const plan = discoveryPlan(pipeline.folder, { runName: 'waiting', title: 'stay:IN_PROGRESS', briefingQuantity: 5 });
    await startRun(pipeline.client, plan, { label: '2026-11-23' });
  }

  /** Once the first look at it has been taken. */
  async function waitingOrder(): Promise<string> {
    for (;;) {
      const run = await pipeline.client.workflow.getHandle('run/waiting/2026-11-23').describe();
      expect(run.status.name).toBe('RUNNING');
      const orderId = run.typedSearchAttributes.get(orderAttribute);
      const isGoing = run.raw.pendingChildren?.some(({ workflowId }) => workflowId === `order/${orderId}`) === true;
      if (orderId !== undefined && isGoing) {
        const { raw } = await pipeline.client.workflow.getHandle(`order/${orderId}`).describe();
        if (raw.pendingActivities?.[0]?.lastFailure) return orderId;
      }
      await sleep(20);
    }
  }
});
