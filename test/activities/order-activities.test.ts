import { placeOrder } from '../helpers/place-order.ts';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { exclusionPlan } from '../helpers/exclusion-plan.ts';
import { createActivityHarness, crmDelivery, failure, plan, type ActivityHarness } from './activity-harness.ts';
import { changeAnswers } from './order-steps.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

const runKey = 'run/weekly/2026-11-20#1';
const orderPosts = ({ asked }: ActivityHarness) => asked().filter((request) => request === 'POST /api/v1/orders');

function enrichment(csv: string): RunPlan {
  return plan({
    kind: 'enrichment',
    briefingQuantity: null,
    companies: fileCompanies(csv),
    delivery: { ...crmDelivery, externalIdsAreRecordIds: true },
  });
}

async function place(harness: ActivityHarness, changes: Partial<RunPlan> = {}, key = runKey) {
  const planned = plan(changes);
  await harness.storeProfile(planned);
  return harness.perform('placeOrder', { run: harness.configureRun(planned), runKey: key });
}

/** Configures a run for the delivery of an order that it did not place, and returns its name. */
function deliver(harness: ActivityHarness, externalIdsAreRecordIds: boolean): string {
  const run = plan({ runName: 'delivering' });
  return harness.configureRun({ ...run, delivery: { ...run.delivery, externalIdsAreRecordIds } }).runName;
}

describe('placeOrder', () => {
  // Guarantee: One run never orders twice
  it('places one order per run, also when the answer was lost', async () => {
    const harness = await createActivityHarness();
    const lost = { method: 'POST', path: '/api/v1/orders', commit: true, status: 504, times: 1 } as const;
    harness.service.faults.add(lost);
    expect(await failure(place(harness))).toMatchObject({ nonRetryable: false });
    const first = await place(harness);
    const second = await place(harness);
    expect(second).toEqual(first);
    expect(first.requested).toBe(5);
    expect((await place(harness, {}, 'run/weekly/2026-11-27#1')).orderId).not.toBe(first.orderId);
  });

  it('sends what the plan contains', async () => {
    const sent: unknown[] = [];
    const harness = await createActivityHarness({
      async serviceFetch(request, proceed) {
        if (request.url.endsWith('/orders')) sent.push(await request.clone().json());
        return proceed(request);
      },
    });
    const { id } = await harness.prospecting.blacklists.create({ name: 'List' });
    const exclusion = exclusionPlan();
    await harness.ledger.blacklists.save({ name: exclusion.blacklist, blacklistId: id });
    const profileId = await harness.storeProfile(plan());
    const webhookUrl = 'https://hooks.example/orders';
    const discovery = harness.configureRun(plan({ webhookUrl, exclusions: [exclusion] }));
    await harness.perform('placeOrder', { run: discovery, runKey: 'a' });
    const csv = harness.file('companies.csv', ['company_name,city', 'One,Bern']);
    const run = harness.configureRun(enrichment(csv));
    await harness.perform('draftOrder', { run, runKey: 'b' });
    await harness.perform('placeOrder', { run, runKey: 'b' });
    const common = { profile_id: profileId, title: 'Weekly', features: ['CONTACTS'] };
    expect(sent).toEqual([
      { ...common, order_type: 'DISCOVERY', briefing_quantity: 5, blacklist_ids: [id], webhook_url: webhookUrl },
      { ...common, order_type: 'ENRICHMENT', companies: [{ company_name: 'One', city: 'Bern' }] },
    ]);
  });

  it('orders nothing when the configuration has changed since the run started', async () => {
    const harness = await createActivityHarness();
    await harness.storeProfile(plan());
    const run = harness.configureRun(plan());
    harness.configureRun(plan({ briefingQuantity: 50, digest: 'fff' }));
    expect(await failure(harness.perform('placeOrder', { run, runKey }))).toMatchObject({
      type: 'ConfigurationDiffers',
      nonRetryable: true,
    });
    expect(orderPosts(harness)).toEqual([]);
  });

  it('orders nothing before the profile exists and the exclusions are synced', async () => {
    const harness = await createActivityHarness();
    const place = (changes: Partial<RunPlan>) =>
      failure(harness.perform('placeOrder', { run: harness.configureRun(plan(changes)), runKey }));
    expect(await place({})).toMatchObject({ type: 'ProfileNotPrepared', nonRetryable: true });
    await harness.storeProfile(plan());
    expect(await place({ exclusions: [exclusionPlan()] })).toMatchObject({
      type: 'ExclusionsNotSynced',
      nonRetryable: true,
    });
    expect(orderPosts(harness)).toEqual([]);
  });

  it('sends the stored draft, not the current content of the file', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', ['company_name', 'One', 'Two']);
    await harness.storeProfile(enrichment(csv));
    const run = harness.configureRun(enrichment(csv));
    await harness.perform('draftOrder', { run, runKey });
    harness.file('companies.csv', ['company_name', 'Other']);
    expect((await harness.perform('placeOrder', { run, runKey })).requested).toBe(2);
  });

  it('ends the run when the service rejects the order', async () => {
    const harness = await createActivityHarness();
    await harness.storeProfile(plan(), '11111111-2222-4333-8444-555555555555');
    const run = harness.configureRun(plan());
    expect(await failure(harness.perform('placeOrder', { run, runKey }))).toMatchObject({
      type: 'PROFILE_NOT_FOUND',
      nonRetryable: true,
    });
    expect(orderPosts(harness)).toHaveLength(1);
  });

  // Guarantee: Limits of the service are checked before a request is sent
  it('ends the run before it sends an order that breaks a rule', async () => {
    const harness = await createActivityHarness();
    const outcome = place(harness, { briefingQuantity: null });
    const { nonRetryable, message } = await failure(outcome);
    expect(nonRetryable).toBe(true);
    expect(message).toContain('briefing_quantity: is required for a discovery order');
    expect(orderPosts(harness)).toEqual([]);
  });
});

describe('awaitPublication', () => {
  async function waitFor(title: string) {
    const harness = await createActivityHarness();
    const { orderId } = await place(harness, { title });
    harness.pass(4);
    const look = (attempt = 1) => harness.perform('awaitPublication', { orderId, runName: 'weekly' }, { attempt });
    return { ...harness, orderId, look };
  }

  it('returns the kind and the number of slots once the order is published', async () => {
    const { look, ledger, orderId } = await waitFor('Weekly');
    expect(await look()).toEqual({ kind: 'discovery', runName: 'weekly', total: 5 });
    expect(await ledger.orders.get(orderId)).toMatchObject({ status: 'COMPLETED', total: 5, runName: 'weekly' });
  });

  it.each(['RECEIVED', 'ACCEPTED', 'IN_PROGRESS'])(
    'retries at growing intervals while the order is %s',
    async (status) => {
      const { look, orderId } = await waitFor(`stay:${status}`);
      const waits: unknown[] = [];
      for (const attempt of [1, 2, 3, 6, 7, 8, 2_000]) {
        const { type, nonRetryable, category, nextRetryDelay, message } = await failure(look(attempt));
        expect({ type, category }).toEqual({ type: 'OrderNotPublished', category: ApplicationFailureCategory.BENIGN });
        expect(nonRetryable).toBe(false);
        expect(message).toMatch(
          new RegExp(`^order ${orderId} is ${status}; next poll in \\d+ s, at \\d\\d:\\d\\d UTC$`),
        );
        waits.push(nextRetryDelay);
      }
      expect(waits).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
    },
  );

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])(
    'updates records by submitted ids only where the order and the delivering run say so (%s and %s: %s)',
    async (placed, delivered, expected) => {
      const harness = await createActivityHarness();
      const delivery = { ...crmDelivery, externalIdsAreRecordIds: placed };
      const { orderId } = await place(harness, { delivery });
      harness.pass(4);
      const awaited = { orderId, runName: deliver(harness, delivered) };
      for (let times = 0; times < 2; times += 1) {
        await harness.perform('awaitPublication', awaited);
        expect((await harness.ledger.orders.get(orderId))?.externalIdsAreRecordIds).toBe(expected);
      }
    },
  );

  it.each([true, false])(
    'uses the named run for an order that the ledger does not contain (%s)',
    async (areRecordIds) => {
      const harness = await createActivityHarness();
      const order = { order_type: 'DISCOVERY', profile_id: await harness.createProfile() } as const;
      const { order_id: orderId } = await placeOrder(
        harness.prospecting.orders,
        { ...order, briefing_quantity: 2 },
        'order',
      );
      harness.pass(4);
      const awaited = { orderId, runName: deliver(harness, areRecordIds) };
      const published = { kind: 'discovery', runName: null, total: 2 };
      expect(await harness.perform('awaitPublication', awaited)).toEqual(published);
      expect(await harness.ledger.orders.get(orderId)).toMatchObject({ externalIdsAreRecordIds: areRecordIds });
    },
  );

  it.each([
    ['no word for', undefined],
    ['null for', null],
  ])('uses the kind from the ledger, or else of the named run, when the answer has %s order_type', async (_, word) => {
    const harness = await createActivityHarness(
      changeAnswers<{ order_type?: null | undefined }>(/orders\/[^/]+$/, (order) => {
        order.order_type = word;
      }),
    );
    const { orderId } = await place(harness);
    harness.pass(4);
    const awaited = { orderId, runName: deliver(harness, false) };
    expect((await harness.perform('awaitPublication', awaited)).kind).toBe('discovery');
    const profileId = await harness.createProfile();
    const input = { order_type: 'DISCOVERY', profile_id: profileId, briefing_quantity: 2 } as const;
    const { order_id: foreign } = await placeOrder(harness.prospecting.orders, input, 'foreign');
    harness.pass(4);
    const kindOf = async (runName: string) =>
      (await harness.perform('awaitPublication', { orderId: foreign, runName })).kind;
    const enriching = harness.configureRun(plan({ runName: 'enriching', kind: 'enrichment' })).runName;
    expect(await kindOf(enriching)).toBe('enrichment');
  });

  it('waits while the status is unknown to this version', async () => {
    const harness = await createActivityHarness({
      async serviceFetch(request, proceed) {
        const response = await proceed(request);
        const text = await response.text();
        return new Response(text.replace('"status":"COMPLETED"', '"status":"ON_HOLD"'), { status: response.status });
      },
    });
    const { orderId } = await place(harness);
    harness.pass(4);
    const { message, nonRetryable } = await failure(
      harness.perform('awaitPublication', { orderId, runName: 'weekly' }),
    );
    expect(message).toContain(`order ${orderId} is ON_HOLD, a status unknown to this version; next poll in 1 s, at `);
    expect(nonRetryable).toBe(false);
  });

  it('ends the run when the order does not exist', async () => {
    const { perform } = await createActivityHarness();
    const orderId = '11111111-2222-4333-8444-555555555555';
    expect(await failure(perform('awaitPublication', { orderId, runName: 'weekly' }))).toMatchObject({
      type: 'ORDER_NOT_FOUND',
      nonRetryable: true,
    });
  });
});
