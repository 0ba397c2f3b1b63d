import { placeOrder } from '../helpers/place-order.ts';
import { createActivityHarness, failure, plan, type ActivityHarness } from './activity-harness.ts';
import { changeResults } from './order-steps.ts';

type Page = { summary: unknown; total: number; has_more: boolean; items: Record<string, unknown>[] };

/** Places an order of this many rows, and publishes it. `change` changes each page of its results. */
async function publish(rows: number, change: (page: Page, offset: number) => void = () => undefined) {
  const harness = await createActivityHarness(changeResults(change));
  const profileId = await harness.createProfile();
  const companies = Array.from({ length: rows }, (_, index) => ({
    company_name: `Company ${index}`,
    website_url: `https://company-${index}.example`,
    external_id: `row-${index}`,
  }));
  const input = { order_type: 'ENRICHMENT', profile_id: profileId, companies } as const;
  const { order_id: orderId } = await placeOrder(harness.prospecting.orders, input, 'order');
  harness.pass(4);
  const { runName } = harness.configureRun(plan());
  await harness.perform('awaitPublication', { orderId, runName });
  const range = { orderId, from: 0, to: rows };
  return { ...harness, orderId, range };
}

const offsets = ({ asked }: ActivityHarness) =>
  asked().flatMap((request) => /results\?limit=100&offset=(\d+)/.exec(request)?.[1] ?? []);

describe('collectResults', () => {
  it('stores every slot in the ledger, page by page', async () => {
    const harness = await publish(250);
    const { perform, ledger, orderId, range } = harness;
    expect(await perform('collectResults', range)).toEqual({ collected: 250 });
    expect(offsets(harness)).toEqual(['0', '100', '200']);
    const slots = await ledger.slots.read(orderId, { from: 0, to: 250 });
    expect(slots.map(({ position, externalId }) => [position, externalId])).toEqual(
      Array.from({ length: 250 }, (_, index) => [index, `row-${index}`]),
    );
    expect(JSON.parse(slots[249]?.json ?? '')).toMatchObject({ input_position: 249, status: 'ENRICHED' });
  });

  // Guarantee: A worker that dies loses nothing and repeats little
  it('resumes at the position of the last heartbeat', async () => {
    const harness = await publish(250);
    const { perform, ledger, orderId, range } = harness;
    await perform('collectResults', { ...range, to: 100 });
    await perform('collectResults', range, { attempt: 2, heartbeatDetails: { next: 100 } });
    expect(offsets(harness)).toEqual(['0', '100', '200']);
    expect(await ledger.slots.count(orderId)).toBe(250);
  });

  it.each([[undefined], [{ next: -1 }], ['rubbish'], [{ next: 20 }]])(
    'starts at the beginning of its range when the last heartbeat is %j',
    async (heartbeatDetails) => {
      const harness = await publish(250);
      const range = { ...harness.range, from: 100, to: 200 };
      await harness.perform('collectResults', range, { attempt: 2, heartbeatDetails });
      expect(offsets(harness)).toEqual(['100']);
    },
  );

  it('recognises a slot whose fields come in another order', async () => {
    let turn = false;
    const { perform, range } = await publish(3, (page) => {
      if (turn) page.items = page.items.map((slot) => Object.fromEntries(Object.entries(slot).toReversed()));
    });
    await perform('collectResults', range);
    turn = true;
    expect(await perform('collectResults', range)).toEqual({ collected: 3 });
  });

  // Guarantee: A published set is collected completely, once
  it('keeps what it stored when a later release uses other wording or more fields', async () => {
    let later = false;
    const { perform, ledger, range, orderId } = await publish(150, (page) => {
      if (!later) return;
      for (const slot of page.items) {
        const reasons = slot['reasons'] as object[];
        Object.assign(slot, { reasons: reasons.map((reason) => ({ ...reason, message: 'Reworded' })), colour: 'red' });
        Object.assign(slot['company'] as object, { mood: { is: 'fine' } });
      }
    });
    await perform('collectResults', range);
    const before = await ledger.slots.read(orderId, { from: 0, to: 150 });
    later = true;
    expect(await perform('collectResults', range)).toEqual({ collected: 150 });
    expect(await ledger.slots.read(orderId, { from: 0, to: 150 })).toEqual(before);
  });

  it.each<[string, (slot: Record<string, unknown>) => unknown]>([
    ['status', (slot) => (slot['status'] = 'PARTIAL')],
    ['company name', (slot) => (slot['company'] = { ...(slot['company'] as object), name: 'Geheim' })],
    ['reason code', (slot) => (slot['reasons'] = [{ code: 'NO_EMAIL_FOUND', message: 'Geheim' }])],
    ['external id', (slot) => (slot['external_id'] = 'Geheim')],
    ['number of people', (slot) => (slot['company'] = { ...(slot['company'] as object), prospects: [] })],
  ])('ends the run when a slot has another %s, even beside other wording', async (_, change) => {
    let changed = false;
    const { perform, ledger, range, orderId } = await publish(105, (page, at) => {
      if (!changed) return;
      for (const slot of page.items) slot['reasons'] = [{ code: 'POLICY_ELIGIBLE', message: 'Reworded' }];
      if (at === 100) change(page.items[3] ?? {});
    });
    await perform('collectResults', range);
    const before = await ledger.slots.read(orderId, { from: 0, to: 105 });
    changed = true;
    const outcome = await failure(perform('collectResults', range));
    expect(outcome).toMatchObject({ type: 'ResultsChanged', nonRetryable: true });
    expect(outcome.message).toMatch(/^slot 103 of order .* differs/);
    expect(outcome.message).not.toContain('Geheim');
    expect(await ledger.slots.read(orderId, { from: 0, to: 105 })).toEqual(before);
  });

  const swap = (items: Page['items']) => [items[1] ?? {}, items[0] ?? {}, ...items.slice(2)];
  it.each<[string, (page: Page, offset: number) => void, RegExp]>([
    [
      'another total',
      (page, at) => at === 100 && (page.total = 249),
      /page at 100: total is 249, but the order announced 250/,
    ],
    [
      'no slots',
      (page, at) => at === 100 && (page.items = []),
      /page at 100: it is empty, but more slots were announced/,
    ],
    ['an end too early', (page, at) => at === 100 && (page.has_more = false), /has_more is false at 200 of 250/],
    ['no end', (page) => (page.has_more = true), /page at 200: has_more is true at 250 of 250/],
    [
      'more slots than announced',
      (page, at) => at === 200 && page.items.push({ ...page.items[0] }),
      /slots up to 251 of 250/,
    ],
    ['two slots in each other’s place', (page) => (page.items = swap(page.items)), /expected position 0, found 1/],
    ['a slot twice', (page) => page.items.splice(1, 1, { ...page.items[0] }), /page at 0: a position is repeated/],
    ['a slot left out', (page) => page.items.splice(5, 1), /expected position 5, found 6/],
    [
      'the first page again',
      (page, at) => at === 100 && page.items.forEach((slot, index) => (slot['input_position'] = index)),
      /page at 100: expected position 100, found 0/,
    ],
  ])('ends the run when a page has %s', async (_, change, message) => {
    const { perform, range } = await publish(250, change);
    const outcome = await failure(perform('collectResults', range));
    expect(outcome).toMatchObject({ type: 'ResultsInconsistent', nonRetryable: true });
    expect(outcome.message).toMatch(message);
  });

  // Guarantee: Outages are waited out
  it('retries temporary errors only', async () => {
    const { perform, range, service } = await publish(5);
    const fault = { method: 'GET', path: /\/results$/, times: 1 } as const;
    service.faults.add({ ...fault, status: 429, headers: { 'Retry-After': '7' } });
    expect(await failure(perform('collectResults', range))).toMatchObject({
      nonRetryable: false,
      nextRetryDelay: 7_000,
    });
    // The results may become available shortly after the order is reported as published.
    service.faults.add({ ...fault, status: 409, body: { code: 'ORDER_RESULTS_NOT_READY', message: 'no' } });
    expect(await failure(perform('collectResults', range))).toMatchObject({ nonRetryable: false });
    service.faults.add({ ...fault, status: 409, body: { code: 'ORDER_RESULTS_WITHDRAWN', message: 'no' } });
    expect(await failure(perform('collectResults', range))).toMatchObject({
      type: 'ServiceConflict',
      message: expect.stringContaining('ORDER_RESULTS_WITHDRAWN'),
      nonRetryable: true,
    });
  });
});

describe('summarizeSlots', () => {
  it('counts statuses and reasons', async () => {
    const { perform, range, orderId } = await publish(120);
    await perform('collectResults', range);
    expect(await perform('summarizeSlots', { orderId })).toEqual({
      ordered: 120,
      delivered: 120,
      byStatus: { ENRICHED: 120 },
      byReason: { POLICY_ELIGIBLE: 120 },
      unknown: {},
      reading: { drift: [], fields: [], unusable: {} },
    });
  });

  // Guarantee: Unknown enum values do not fail a run
  it('counts unknown statuses and reason codes, and continues', async () => {
    const { perform, range, orderId } = await publish(5, (page) => {
      for (const slot of page.items.slice(0, 2)) slot['status'] = 'POSTPONED';
      for (const slot of page.items.slice(1, 4)) slot['reason_codes'] = ['MOON_PHASE'];
    });
    await perform('collectResults', range);
    const { byStatus, byReason, unknown } = await perform('summarizeSlots', { orderId });
    expect(byStatus).toEqual({ ENRICHED: 3, POSTPONED: 2 });
    expect(byReason).toEqual({ MOON_PHASE: 3, POLICY_ELIGIBLE: 2 });
    expect(unknown).toEqual({ 'status=POSTPONED': 2, 'reason_codes[]=MOON_PHASE': 3 });
  });

  // Guarantee: A published set is collected completely, once
  it('ends the run when slots are missing', async () => {
    const { perform, range, orderId } = await publish(250);
    await perform('collectResults', { ...range, to: 200 });
    const outcome = await failure(perform('summarizeSlots', { orderId }));
    expect(outcome).toMatchObject({ type: 'ResultsIncomplete', nonRetryable: true });
    expect(outcome.message).toContain('250 slots are published, but 200');
  });

  it('ends the run when a discovery order returns a page twice', async () => {
    let first: Page['items'] = [];
    const { perform, range, orderId, ledger } = await publish(250, (page, at) => {
      if (at === 0) first = page.items;
      if (at === 100) page.items = first;
    });
    const order = await ledger.orders.get(orderId);
    if (order !== undefined) await ledger.orders.save({ ...order, kind: 'discovery' });
    await perform('collectResults', range);
    const outcome = await failure(perform('summarizeSlots', { orderId }));
    expect(outcome).toMatchObject({ type: 'ResultsInconsistent', nonRetryable: true });
    expect(outcome.message).toContain('the slot at 100 repeats an earlier slot');
  });
});
