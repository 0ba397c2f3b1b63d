import {
  activeOrderStatuses,
  operations,
  unsuccessfulOrderStatuses,
  type Order,
  type OrderInput,
} from '../../contract/index.ts';
import { need, NotChecked, type Check } from '../check.ts';
import type { OrderKind } from '../facts.ts';
import type { Probe } from '../probe.ts';
import { byOrder } from './path-parameters.ts';

const { getOrder } = operations;
const patienceSeconds = 900;
export const orderAbout = 'GET /api/v1/orders/{order_id}';

/** Follows an order to its end, and holds every reading of it against the rules. */
export function publication(kind: OrderKind): Check {
  return {
    id: `orders.${kind}-published`,
    clause: 'Order status; Order; Change history 1.1.0',
    title: `the ${kind} order is COMPLETED exactly when its results are published, and its counts are right`,
    needs: 'orders',
    async run(probe, facts) {
      const placed = need(facts.placed[kind], `an order of kind ${kind}`);
      const { last, reads } = await readToEnd(probe, placed.orderId);
      const broken = orderRules(placed.input).filter(([, holds]) => !reads.every(holds));
      for (const [rule] of broken) probe.expect(false, `${orderAbout}: ${rule}`);
      if (isOneOf(activeOrderStatuses, last.status)) {
        throw new NotChecked(`still ${last.status} after ${patienceSeconds} s`);
      }
      if (isOneOf(unsuccessfulOrderStatuses, last.status)) throw new NotChecked(`the order ended ${last.status}`);
      const again = await probe.ask(getOrder, 200, byOrder(placed.orderId));
      probe.expect(again.status === last.status, `${orderAbout}: left ${last.status}, which is terminal`);
      if (!last.results_published) return;
      facts.published[kind] = {
        ...placed,
        total: last.briefing_quantity,
        available: last.available_briefing_quantity,
        summary: last.result_summary,
      };
    },
  };
}

async function readToEnd(probe: Probe, orderId: string): Promise<{ last: Order; reads: readonly Order[] }> {
  const reads: Order[] = [];
  await probe.poll(patienceSeconds, async () => {
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

function orderRules({ companies, briefing_quantity }: OrderInput): Rule[] {
  const quantity = companies?.length ?? briefing_quantity;
  return [
    ['COMPLETED must go with results_published', (o) => (o.status === 'COMPLETED') === o.results_published],
    ['result_summary must be there exactly when published', (o) => o.results_published === (o.result_summary !== null)],
    [`briefing_quantity must be ${quantity}`, (o) => o.briefing_quantity === quantity],
    [
      'available_briefing_quantity must be the submitted count once published',
      (o) => !companies || !o.results_published || o.available_briefing_quantity === companies.length,
    ],
    ['carries a field that no longer exists', (o) => removedFields.every((field) => !(field in o))],
  ];
}

function isOneOf(words: readonly string[], status: string): boolean {
  return words.includes(status);
}
