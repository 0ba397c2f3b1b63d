import { operations, orderStatuses, type Order, type OrderInput } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { byOrder } from '../checks/path-parameters.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import type { RefusalCase } from '../probe/probe.ts';
import { createTestOrganization, type TestOrganization } from './test-organization.ts';

const { createOrder, getOrder, listResults } = operations;
const active = ['RECEIVED', 'ACCEPTED', 'IN_PROGRESS'];
const rows = [{ company_name: 'A', external_id: 'crm-1' }, { company_name: 'B' }, { company_name: 'C' }];
const clockAndOutcomes = 'a clock that can be moved, and a server with selectable outcomes of orders';

export const controlledOrderChecks: readonly Check[] = [
  {
    id: 'orders.input',
    clause: 'Endpoints, Orders',
    title: 'an order takes every field that is named, and refuses fields of the other kind and unknown words',
    needs: 'orders that cost nothing',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const { probe } = test;
      const profile_id = await test.createProfile();
      const discovery: OrderInput = {
        order_type: 'DISCOVERY',
        profile_id,
        briefing_quantity: 2,
        title: 'Spring',
        features: ['COMPANY_DATA', 'CONTACTS', 'ANALYSIS'],
        ideal_customer_profile: 'Companies that make things',
        seller_offering: 'Machines',
        target_countries: ['Germany', 'Austria'],
        blacklist_ids: [await test.createBlacklist()],
        webhook_url: 'https://receiver.example/orders',
      };
      expectNothingWithdrawn(test, await test.placeOrder(discovery));
      await test.placeOrder({ order_type: 'ENRICHMENT', profile_id, companies: rows });
      const refuse = (what: string, change: Record<string, unknown>): RefusalCase => {
        return { what, body: { ...discovery, ...change } };
      };
      await probe.refuses(createOrder, 422, [
        refuse('companies in a discovery order', { companies: rows }),
        refuse('briefing_quantity in an enrichment order', { order_type: 'ENRICHMENT', companies: rows }),
        refuse('an unknown feature', { features: ['TELEPATHY'] }),
        refuse('an unknown order_type', { order_type: 'TELEPATHY' }),
        refuse('a missing profile_id', { profile_id: undefined }),
        refuse('a blacklist id that is no UUID', { blacklist_ids: ['7'] }),
        ...[undefined, null, 1.5, '7'].map((value) =>
          refuse(`briefing_quantity ${JSON.stringify(value)}`, { briefing_quantity: value }),
        ),
      ]);
      for (const change of [{ profile_id: probe.newId() }, { blacklist_ids: [probe.newId()] }]) {
        await probe.answers(createOrder, 404, { body: { ...discovery, ...change } });
      }
    },
  },
  {
    id: 'orders.keys',
    clause: 'Endpoints, Orders; Errors, Retry guidance',
    title: 'one Idempotency-Key makes one order, and another key another order',
    needs: 'orders that cost nothing',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const body = discovery(await test.createProfile());
      const send = async (idempotencyKey: string) =>
        (await test.probe.ask(createOrder, 201, { idempotencyKey, body })).order_id;
      const first = await send('k');
      test.expectEqual('the same key', await send('k'), first);
      test.probe.expect((await send('l')) !== first, 'another key must make another order');
      const other = { idempotencyKey: 'k', body: { ...body, title: 'Autumn' } };
      await test.probe.answers(createOrder, 409, other);
    },
  },
  {
    id: 'orders.statuses',
    clause: 'Order status; Order; Results rule 7; Change history 1.1.0',
    title: 'an order takes the statuses of its outcome, and is published exactly when it is COMPLETED',
    needs: clockAndOutcomes,
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const profileId = await test.createProfile();
      const found = new Set<string>();
      for (const [title, statuses, available] of outcomes) {
        const order = await test.placeOrder(discovery(profileId, title));
        test.expectEqual(`${title}: first status`, order.status, 'RECEIVED');
        const seen = await watch(test, order);
        const words = [...new Set(seen.map(({ status }) => status))];
        test.expectEqual(`${title}: statuses`, words, statuses);
        const timesOf = (word: string) => seen.filter(({ status }) => status === word).length;
        // "a poll normally observes IN_PROGRESS directly"
        const isSoon = timesOf('ACCEPTED') < timesOf('IN_PROGRESS') / 3 || !words.includes('COMPLETED');
        test.probe.expect(isSoon, `${title}: ACCEPTED must lead to IN_PROGRESS soon`);
        for (const read of seen) expectFieldsOfStatus(test, read, available);
        await expectResults(test, order.order_id, available);
        await test.server.advance(86_400);
        const last = await test.probe.ask(getOrder, 200, byOrder(order.order_id));
        test.expectEqual(`${title}: last status`, last.status, statuses.at(-1));
        test.expectEqual(`${title}: a day later`, last, seen.at(-1));
        for (const word of words) found.add(word);
      }
      test.expectEqual('statuses of all outcomes', [...found].toSorted(), orderStatuses.toSorted());
    },
  },
  {
    id: 'orders.active-statuses',
    clause: 'Order status; Results rule 7',
    title: 'an active order has no results, and becomes COMPLETED when they are published',
    needs: clockAndOutcomes,
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const profileId = await test.createProfile();
      for (const status of active) {
        const { order_id } = await test.placeOrder(discovery(profileId, `stay:${status}`));
        await test.server.advance(60);
        const { probe } = test;
        const held = await probe.ask(getOrder, 200, byOrder(order_id));
        test.expectEqual('an order that is held', held.status, status);
        const answer = await probe.send(listResults, byOrder(order_id));
        test.expectEqual('its results', valueAt(answer.body, ['code']), 'ORDER_RESULTS_NOT_READY');
        test.server.completeOrder(order_id);
        const completed = await probe.ask(getOrder, 200, byOrder(order_id));
        test.expectEqual('published', [completed.status, completed.results_published], ['COMPLETED', true]);
      }
    },
  },
  {
    id: 'orders.historical',
    clause: 'Order status; Errors ORDER_RESULTS_NOT_READY',
    title: 'a historical order can be COMPLETED without published results: ORDER_RESULTS_NOT_READY',
    needs: 'an order from before immutable publication',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const id = await test.finishOrder(discovery(await test.createProfile(), 'outcome:UNPUBLISHED'));
      const order = await test.probe.ask(getOrder, 200, byOrder(id));
      const found = [order.status, order.results_published, order.result_summary];
      test.expectEqual('a historical order', found, ['COMPLETED', false, null]);
      const answer = await test.probe.send(listResults, byOrder(id));
      test.probe.expect(answer.status >= 400, `its results answered ${answer.status}`);
      test.expectEqual('its results', valueAt(answer.body, ['code']), 'ORDER_RESULTS_NOT_READY');
    },
  },
];

/** Title, statuses in their order, and the number of results; null when nothing is published. */
const outcomes: readonly (readonly [string, readonly string[], number | null])[] = [
  ['Spring', [...active, 'COMPLETED'], 2],
  ['found:1', [...active, 'COMPLETED'], 1],
  ['outcome:EMPTY', [...active, 'COMPLETED'], 0],
  ['outcome:REJECTED', ['RECEIVED', 'REJECTED'], null],
  ['outcome:FAILED', [...active, 'FAILED'], null],
  ['outcome:CANCELLED', [...active, 'CANCELLED'], null],
];

function discovery(profile_id: string, title = 'Spring'): OrderInput {
  return { order_type: 'DISCOVERY', profile_id, briefing_quantity: 2, title };
}

/** Reads an order every tenth of a second until nothing can change any more. */
async function watch({ probe, server }: TestOrganization, { order_id }: Order): Promise<Order[]> {
  const seen: Order[] = [];
  for (let tenths = 0; tenths <= 50; tenths += 1) {
    const order = await probe.ask(getOrder, 200, byOrder(order_id));
    seen.push(order);
    await server.advance(0.1);
  }
  return seen;
}

function expectFieldsOfStatus(test: TestOrganization, order: Order, available: number | null): void {
  const isPublished = order.status === 'COMPLETED';
  test.expectEqual(
    `fields of ${order.status}`,
    [
      order.briefing_quantity,
      order.results_published,
      order.result_summary === null,
      order.available_briefing_quantity,
    ],
    [2, isPublished, !isPublished, isPublished ? available : 0],
  );
  expectNothingWithdrawn(test, order);
}

async function expectResults(test: TestOrganization, orderId: string, available: number | null): Promise<void> {
  if (available === null) {
    const { status } = await test.probe.send(listResults, byOrder(orderId));
    return test.probe.expect(status >= 400, `results of an order without success answered ${status}`);
  }
  const page = await test.readResults(orderId);
  const { result_summary } = await test.probe.ask(getOrder, 200, byOrder(orderId));
  test.expectEqual('results', [page.total, page.items.length, page.has_more], [available, available, false]);
  test.expectEqual('summary', page.summary, result_summary);
}

/** "Change history", 1.1.0. */
function expectNothingWithdrawn({ probe }: TestOrganization, order: Order): void {
  for (const field of ['webhook_url', 'estimated_cost', 'admin_notes', 'organization_id']) {
    probe.expect(!(field in order), `an order carries ${field}`);
  }
}
