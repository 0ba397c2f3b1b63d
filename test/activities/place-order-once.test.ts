// The service receives each order once, even if its answers are lost or changed.
import { createActivityHarness, failure, plan, type ActivityHarness } from './activity-harness.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

type Answer = (request: Request, proceed: Fetch) => Promise<Response>;

/** The sandbox with changed answers to new orders and to the order list. */
function changing({ onPlace, onList }: { onPlace?: Answer; onList?: Answer }) {
  return createActivityHarness({
    serviceFetch: async (request, proceed) => {
      if (!request.url.endsWith('/api/v1/orders') && !request.url.includes('/api/v1/orders?')) return proceed(request);
      const change = request.method === 'POST' ? onPlace : onList;
      return change === undefined ? proceed(request) : change(request, proceed);
    },
  });
}

let runs = 0;

async function place(harness: ActivityHarness, { runKey = `run/weekly/${(runs += 1)}`, attempt = 1 } = {}) {
  await harness.storeProfile(plan());
  const run = harness.configureRun(plan());
  const { orderId } = await harness.perform('placeOrder', { run, runKey }, { attempt });
  return orderId;
}

const ordersOf = ({ service, organizationId }: ActivityHarness) => service.organization(organizationId).orders.values();
const keysOf = (harness: ActivityHarness) =>
  harness.service.journal
    .entries({ owner: harness.organizationId })
    .filter(({ method, path }) => method === 'POST' && path === '/api/v1/orders')
    .map(({ idempotency_key: key }) => key);

const noRoute = () =>
  Promise.resolve(Response.json({ code: 'ROUTE_NOT_FOUND', message: 'No route.' }, { status: 404 }));
/** Places the order, and loses the answer. */
const withoutId: Answer = async (request, proceed) => {
  await proceed(request);
  return Response.json({ accepted: true }, { status: 202 });
};

/** An enrichment that is ready to be placed. */
async function draft(harness: ActivityHarness, runName: string, names: readonly string[]) {
  const each = plan({ runName, kind: 'enrichment', briefingQuantity: null, repeatAfterMilliseconds: 604_800_000 });
  await harness.storeProfile(each);
  const [run, runKey] = [harness.configureRun(each), `run/${runName}/1`];
  const rows = names.map((name, position) => {
    return { position, company: { company_name: name }, sourceRow: null, ownJson: null };
  });
  const counts = { rows: rows.length, blank: 0, unusable: 0, ordered: rows.length };
  await harness.ledger.drafts.save(runKey, rows, { report: { kind: 'csv', ...counts, columns: null }, headers: [] });
  return { run, runKey };
}

describe('placeOrder', () => {
  // Guarantee: An order that may be a mistake is confirmed first
  it('places one order when three unconfirmed runs with the same rows start together', async () => {
    const harness = await createActivityHarness();
    const placing = ['weekly', 'monthly', 'yearly'].map((runName) => draft(harness, runName, ['Acme', 'Beta']));
    const inputs = await Promise.all(placing);
    const outcomes = await Promise.allSettled(inputs.map((input) => harness.perform('placeOrder', input)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect([...ordersOf(harness)]).toHaveLength(1);
    expect(refused).toHaveLength(2);
    for (const { type, nonRetryable, message } of refused) {
      expect({ type, nonRetryable }).toEqual({ type: 'OrderUnconfirmed', nonRetryable: true });
      expect(message).toMatch(/^Rows ordered before: 2 of 2 rows, 2 by run (?:weekly|monthly|yearly)[, ]/);
    }
    // An attempt that is repeated finds its order, and a confirmed run orders the rows again.
    for (const input of inputs) await harness.perform('placeOrder', { ...input, isConfirmed: true });
    expect([...ordersOf(harness)]).toHaveLength(3);
  });

  it('orders nothing with the key of another organization', async () => {
    let isElsewhere = false;
    const harness = await createActivityHarness({
      serviceFetch: (request, proceed) =>
        isElsewhere && request.method === 'GET' && request.url.includes('/api/v1/orders/')
          ? Promise.resolve(Response.json({ code: 'ORDER_NOT_FOUND', message: 'No order.' }, { status: 404 }))
          : proceed(request),
    });
    const orderId = await place(harness);
    isElsewhere = true;
    expect(await failure(place(harness))).toMatchObject({ type: 'OtherOrganization', nonRetryable: true });
    expect(ordersOf(harness).map(({ id }) => id)).toEqual([orderId]);
  });

  it('finds the order in the list when the answer contains no id', async () => {
    const harness = await changing({ onPlace: withoutId });
    const orderId = await place(harness);
    expect(ordersOf(harness).map(({ id }) => id)).toEqual([orderId]);
  });

  it('ends the run when no answer contains the id, and names title, key, ingest and the setting', async () => {
    const harness = await changing({ onPlace: withoutId, onList: noRoute });
    const { type, message, nonRetryable } = await failure(place(harness));
    const [key] = keysOf(harness);
    expect({ type, nonRetryable }).toEqual({ type: 'OrderOutcomeUnknown', nonRetryable: true });
    expect(message).toMatch(/^an order may have been placed: .*the answer has accepted/);
    for (const part of [
      '"Weekly"',
      String(key),
      'prospect-sync ingest ORDER --run NAME',
      'service.fields.order.order_id',
    ]) {
      expect(message).toContain(part);
    }
    expect(ordersOf(harness)).toHaveLength(1);
  });

  it('does not take the order of an earlier run for its own', async () => {
    let first: string | null = null;
    const harness = await changing({
      onPlace: async (request, proceed) => {
        const response = await proceed(request);
        if (first === null || !response.ok) return response;
        const answer = (await response.json()) as object;
        return Response.json({ ...answer, order_id: first }, { status: response.status });
      },
    });
    first = await place(harness);
    expect(await failure(place(harness))).toMatchObject({
      type: 'OrderOutcomeUnknown',
      nonRetryable: true,
      message: expect.stringContaining(`the service answered with the id of order ${first}, which was placed before`),
    });
  });

  it('repeats the request of an earlier run under its key while its outcome is unknown', async () => {
    let isSilent = true;
    const harness = await changing({
      onPlace: (request, proceed) => (isSilent ? withoutId(request, proceed) : proceed(request)),
      onList: noRoute,
    });
    await failure(place(harness, { runKey: 'run/weekly/monday' }));
    isSilent = false;
    const orderId = await place(harness, { runKey: 'run/weekly/tuesday' });
    expect(ordersOf(harness).map(({ id }) => id)).toEqual([orderId]);
    expect(new Set(keysOf(harness)).size).toBe(1);
    // The outcome is known from here on, so the next run places a new order.
    expect(await place(harness, { runKey: 'run/weekly/wednesday' })).not.toBe(orderId);
  });

  it('sends the bytes of the first request again, also when the plan has changed', async () => {
    const bodies: string[] = [];
    const harness = await changing({
      onPlace: async (request, proceed) => {
        bodies.push(await request.clone().text());
        const response = await proceed(request);
        return bodies.length === 1 ? new Response('gateway', { status: 503 }) : response;
      },
    });
    await harness.storeProfile(plan());
    const input = { run: harness.configureRun(plan()), runKey: 'run/weekly/1' };
    await failure(harness.perform('placeOrder', input));
    harness.configureRun(plan({ briefingQuantity: 50, digest: 'fff' }));
    await harness.perform('placeOrder', input);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(ordersOf(harness)).toHaveLength(1);
  });

  it('finds the order in the list when the service keeps returning an error for the key', async () => {
    const harness = await changing({
      onPlace: async (request, proceed) => {
        await proceed(request);
        return Response.json({ message: 'Try later.' }, { status: 503 });
      },
    });
    const runKey = 'run/weekly/1';
    for (const attempt of [1, 2, 3])
      expect(await failure(place(harness, { runKey, attempt }))).toMatchObject({ nonRetryable: false });
    const orderId = await place(harness, { runKey, attempt: 4 });
    expect(ordersOf(harness).map(({ id }) => id)).toEqual([orderId]);
  });

  it('uses the id that a conflict contains', async () => {
    let placed = '';
    const harness = await changing({
      onPlace: async (request, proceed) => {
        const answer = await proceed(request);
        if (placed !== '') return Response.json({ code: 'DUPLICATE', order_id: placed }, { status: 409 });
        placed = ((await answer.json()) as { order_id: string }).order_id;
        return new Response(null, { status: 502 });
      },
      onList: noRoute,
    });
    await failure(place(harness, { runKey: 'run/weekly/1' }));
    expect(await place(harness, { runKey: 'run/weekly/1', attempt: 2 })).toBe(placed);
  });

  it.each([
    ['another title', { title: 'Monthly' }],
    ['another quantity', { briefing_quantity: 6 }],
    ['another kind', { order_type: 'ENRICHMENT' }],
    ['another profile', { profile_id: '11111111-2222-4333-8444-555555555555' }],
    ['an earlier time', { created_at: '2026-11-20T11:00:00.000000Z' }],
    ['no time', { created_at: null }],
  ])('adopts no listed order with %s', async (_, change) => {
    const harness = await changing({
      onPlace: withoutId,
      onList: async (request, proceed) => {
        const page = (await (await proceed(request)).json()) as { orders: object[] };
        return Response.json({ ...page, orders: page.orders.map((order) => ({ ...order, ...change })) });
      },
    });
    expect(await failure(place(harness))).toMatchObject({ type: 'OrderOutcomeUnknown' });
  });

  it('sends a new key after a rejection, with the setting that the message proposes', async () => {
    const harness = await createActivityHarness({
      service: { assume: { profile_reference: 'search_profile_id' } },
    });
    const runKey = 'run/weekly/1';
    const { type, message } = await failure(place(harness, { runKey }));
    expect(type).toBe('OrderRefused');
    expect(message).toContain('set service.requests.profile_reference: search_profile_id');
    expect(ordersOf(harness)).toEqual([]);
    const { requests } = harness.prospecting;
    harness.configure({ requests: { ...requests, profile_reference: 'search_profile_id' } });
    await place(harness, { runKey });
    expect(ordersOf(harness)).toHaveLength(1);
    expect(new Set(keysOf(harness)).size).toBe(2);
  });
});
