/** Checks of an existing order (`--order`). On a real service people may review an order for days before its results can be checked. */
import { operations } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import { NotChecked } from '../probe/not-checked.ts';
import type { RunState, PublishedOrder } from '../probe/run-state.ts';
import { givenOrderStatus } from './order-publication.ts';
import { byOrder } from './path-parameters.ts';
import { resultBounds, resultChecks } from './results.ts';

const { getOutput, listOutputs } = operations;

export const givenOrderChecks: readonly Check[] = [
  givenOrderStatus,
  ...resultChecks('given'),
  ...resultBounds('given-order.', 'read', givenOrder),
  {
    id: 'given-order.outputs',
    clause: 'Endpoints, GET outputs; Output',
    title: 'the page of outputs obeys limit and says whether there are more; each output reads as it is listed',
    effect: 'read',
    async run(probe, state) {
      const { orderId, available } = givenOrder(state);
      const all = await probe.ask(listOutputs, 200, byOrder(orderId));
      const found = all.outputs.length;
      probe.expect(all.has_more === all.total > found, 'GET outputs: has_more must say whether there are more');
      if (found === 0) {
        probe.expect(all.total === 0, `GET outputs: total is ${all.total}, but no output is listed`);
        throw new NotChecked('the order has no outputs; only the empty list was checked');
      }
      const one = await probe.ask(listOutputs, 200, { ...byOrder(orderId), query: { limit: 1, offset: 0 } });
      probe.expect(one.outputs.length === 1, `GET outputs with limit=1: must hold 1, found ${one.outputs.length}`);
      for (const { output_id } of all.outputs) {
        const output = await probe.ask(getOutput, 200, { params: { order_id: orderId, output_id } });
        probe.expect(output.output_id === output_id, 'GET output: must answer the output asked for');
        const isRight = output.status !== 'COMPLETED' || output.result_count === available;
        if (!isRight) probe.note(`assumed A41: GET output: result_count is ${output.result_count} of ${available}`);
      }
    },
  },
];

function givenOrder({ published }: RunState): PublishedOrder {
  return need(published.given, 'a published order');
}
