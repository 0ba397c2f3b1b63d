import {
  activeOrderStatuses,
  operations,
  unsuccessfulOrderStatuses,
  type Order,
} from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import { NotChecked } from '../probe/not-checked.ts';
import type { RunState, OrderKind } from '../probe/run-state.ts';
import { describeStatusWord } from '../probe/observe.ts';
import type { Probe } from '../probe/probe.ts';
import { byOrder } from './path-parameters.ts';

const { getOrder } = operations;
export const orderAbout = 'GET /api/v1/orders/{order_id}';

/** Polls an order until its final status, and checks the rules on every answer. */
export function publication(kind: OrderKind): Check {
  return {
    id: `orders.${kind}-published`,
    clause: 'Order status; Order; Change history 1.1.0',
    title: `the ${kind} order is COMPLETED exactly when its results are published, and its counts are right`,
    effect: 'orders',
    async run(probe, state) {
      const { orderId, input } = need(state.placed[kind], `an order of kind ${kind}`);
      const maxWaitSeconds = maxWaitFor(kind, state);
      const { last, reads } = await readToEnd(probe, orderId, maxWaitSeconds);
      const requested = input.companies?.length ?? input.briefing_quantity ?? 0;
      checkRules(probe, [...commonRules(kind), ...placedRules(requested)], reads);
      if (isOneOf(activeOrderStatuses, last.status)) {
        throw new NotChecked(
          `still ${last.status} after ${maxWaitSeconds} s; once it is published: --order ${orderId}`,
        );
      }
      if (isOneOf(unsuccessfulOrderStatuses, last.status)) throw new NotChecked(`the order ended ${last.status}`);
      const again = await probe.ask(getOrder, 200, byOrder(orderId));
      probe.expect(again.status === last.status, `${orderAbout}: left ${last.status}, which is terminal`);
      if (!last.results_published) return;
      const { available_briefing_quantity: available, result_summary: summary } = last;
      state.published[kind] = { orderId, source: kind, kind, rows: input.companies, requested, available, summary };
    },
  };
}

export const givenOrderStatus: Check = {
  id: 'given-order.status',
  clause: 'Order status; Order; Change history 1.1.0',
  title: 'what the order says of its status, publication and counts agrees',
  effect: 'read',
  async run(probe, state) {
    const orderId = need(state.givenOrderId, 'an order');
    const order = await probe.ask(getOrder, 200, byOrder(orderId));
    const isAsked = order.order_id.toLowerCase() === orderId.toLowerCase();
    probe.expect(isAsked, `${orderAbout}: must answer the order asked for`);
    const kind = kindOf(order);
    if (kind === undefined)
      probe.note('assumed A10: order_type does not show the kind; rules for one kind are left out');
    // "a record can be COMPLETED while results_published is false" if it is old.
    const isPublishedAtEnd: Rule = [
      'results_published must go with COMPLETED',
      (o) => !o.results_published || o.status === 'COMPLETED',
    ];
    checkRules(probe, [...commonRules(kind), isPublishedAtEnd], [order]);
    if (!order.results_published) {
      throw new NotChecked(`the order is ${describeStatusWord(order.status)}, its results are not published`);
    }
    state.published.given = {
      orderId,
      source: 'given',
      kind,
      rows: undefined,
      requested: order.briefing_quantity,
      available: order.available_briefing_quantity,
      summary: order.result_summary,
    };
  },
};

function kindOf({ order_type: type }: Order): OrderKind | undefined {
  if (type === 'ENRICHMENT') return 'enrichment';
  return type === 'DISCOVERY' ? 'discovery' : undefined;
}

/** Seconds to wait. If the first order is not published yet, people review orders, and waiting for the second is useless. */
function maxWaitFor(kind: OrderKind, { placed, published }: RunState): number {
  return kind === 'discovery' && placed.enrichment && !published.enrichment ? 60 : 900;
}

async function readToEnd(
  probe: Probe,
  orderId: string,
  maxWaitSeconds: number,
): Promise<{ last: Order; reads: readonly Order[] }> {
  const reads: Order[] = [];
  await probe.poll(maxWaitSeconds, async () => {
    const order = await probe.ask(getOrder, 200, byOrder(orderId));
    reads.push(order);
    return isOneOf(activeOrderStatuses, order.status) ? undefined : order;
  });
  const last = reads.at(-1);
  if (!last) throw new NotChecked('needs one read of the order');
  return { last, reads };
}

type Rule = readonly [string, (order: Order) => boolean];

const removedFields = ['estimated_cost', 'admin_notes', 'webhook_url'];

function commonRules(kind: OrderKind | undefined): Rule[] {
  return [
    ['result_summary must be there exactly when published', (o) => o.results_published === (o.result_summary !== null)],
    [
      'available_briefing_quantity must be the submitted count once published',
      (o) => kind !== 'enrichment' || !o.results_published || o.available_briefing_quantity === o.briefing_quantity,
    ],
    ['carries a field that no longer exists', (o) => removedFields.every((field) => !(field in o))],
  ];
}

function placedRules(requested: number): Rule[] {
  return [
    ['COMPLETED must go with results_published', (o) => (o.status === 'COMPLETED') === o.results_published],
    [`briefing_quantity must be ${requested}`, (o) => o.briefing_quantity === requested],
  ];
}

function checkRules(probe: Probe, rules: readonly Rule[], reads: readonly Order[]): void {
  for (const [rule, holds] of rules) probe.expect(reads.every(holds), `${orderAbout}: ${rule}`);
}

function isOneOf(words: readonly string[], status: string): boolean {
  return words.includes(status);
}
