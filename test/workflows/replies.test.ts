import { startStoredReplies } from '../../src/replies/start-replies.ts';
import { startIngest, startReply, startRun, wakeOrder } from '../../src/worker/start-workflows.ts';
import type { DueReply } from '../../src/ledger/reply-store.ts';
import type { handleReply } from '../../workflows/handle-reply.ts';
import { configureRun, discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { reply as replyBody } from '../replies/reply-body.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
let isHubSpotDenied = false;
let isInProgress = false;

beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, {
    throughService: (fetch) => async (request) => {
      const answer = await fetch(request);
      if (!isInProgress || !/\/orders\/[^/]+$/.test(request.url)) return answer;
      const order = (await answer.json()) as object;
      return Response.json({ ...order, status: 'IN_PROGRESS', results_published: false });
    },
    throughHubSpot: (fetch) => async (request) =>
      isHubSpotDenied ? Response.json({ category: 'MISSING_SCOPES', message: 'no' }, { status: 403 }) : fetch(request),
  });
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

/** A delivery whose process died before its workflow was started. */
async function store(webhookId: string, body = '{}') {
  const reply = { webhookId, classification: 'interested', replyAt: '2026-11-20T12:00:00.000Z' };
  const facts = { receivedAt: new Date().toISOString(), reason: null, campaignId: null, body };
  await pipeline.ledger.replies.receive({ ...reply, ...facts, state: 'received' }, []);
  return reply;
}

const resultOf = (webhookId: string) =>
  pipeline.client.workflow.getHandle<typeof handleReply>(`reply/${webhookId}`).result();

describe('handleReply', () => {
  it('is started for replies that are stored', async () => {
    await store('msg_stored');
    const stopping = new AbortController();
    const { client, ledger } = pipeline;
    const dependencies = {
      startWorkflow: (reply: DueReply) => startReply(client, reply),
      inbox: ledger.replies,
      log: () => {},
    };
    const starting = startStoredReplies(dependencies, stopping.signal);
    const stateOf = async () => (await ledger.replies.get('msg_stored'))?.state;
    await until(async () => (await stateOf()) !== 'received');
    stopping.abort();
    await starting;
    expect(await stateOf()).toBe('quarantined');
  });

  it('runs once for a reply that is delivered many times at once', async () => {
    const reply = await store('msg_repeated');
    await Promise.all(Array.from({ length: 20 }, () => startReply(pipeline.client, reply)));
    await resultOf('msg_repeated');
    const runs = pipeline.client.workflow.list({ query: 'WorkflowId = "reply/msg_repeated"' });
    expect((await Array.fromAsync(runs)).length).toBeLessThanOrEqual(2);
  });

  it('records its failure, so that a user sees the reply and can process it again', async () => {
    const reply = await store('msg_denied', replyBody({ id: 'msg_denied' }));
    isHubSpotDenied = true;
    await startReply(pipeline.client, reply);
    await expect(resultOf('msg_denied')).rejects.toThrow('Workflow execution failed');
    isHubSpotDenied = false;
    const failed = await pipeline.ledger.replies.get('msg_denied');
    expect(failed).toMatchObject({ state: 'failed', reason: expect.stringMatching(/SCOPES|HubSpot/) });
    expect(await pipeline.ledger.replies.reopen('msg_denied', { ...reply, campaignId: null }, '9999')).toBe(true);
    await startReply(pipeline.client, reply);
    expect(await resultOf('msg_denied')).toMatchObject({ state: 'quarantined', reason: 'unknown_person' });
  });
});

describe('ingestOrder', () => {
  it('polls at once when the service has notified a change of the order', async () => {
    const plan = discoveryPlan(pipeline.folder, { runName: 'woken', briefingQuantity: 3 });
    const small = configureRun(pipeline.folder, {
      ...plan,
      delivery: { ...plan.delivery, crm: null, spreadsheets: null },
    });
    const { handle } = await startRun(pipeline.client, small, { label: 'today' });
    const { orderId } = (await handle.result()).order;
    // The order is not published yet, and the next poll is due in an hour.
    pipeline.configurePolling({ orderFirstMilliseconds: 3_600_000, orderMaxMilliseconds: 3_600_000 });
    isInProgress = true;
    const ingest = await startIngest(pipeline.client, { orderId, runName: small.runName, delivery: small.delivery });
    const isPolling = async () => {
      const { raw } = await ingest.handle.describe();
      return raw.pendingActivities?.some(({ attempt }) => (attempt ?? 0) > 1) === true;
    };
    await until(isPolling);
    isInProgress = false;
    await wakeOrder(pipeline.client, orderId);
    expect(await ingest.handle.result()).toMatchObject({ orderId, slots: 3 });
    // No workflow waits for the order now.
    await wakeOrder(pipeline.client, orderId);
  });
});
