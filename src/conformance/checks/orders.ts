import { operations, type OrderInput } from '../../contract/index.ts';
import { need, type Check } from '../check.ts';
import { CheckEnded, NotChecked } from '../not-checked.ts';
import type { Facts, OrderKind } from '../facts.ts';
import { describeStatus } from '../answer.ts';
import { findOrderIds } from '../../shape/order-id.ts';
import type { Probe } from '../probe.ts';
import { orderAbout, publication } from './order-publication.ts';
import { byOrder, notUuid } from './path-parameters.ts';

const { createOrder, getOrder, getOutput, listOutputs, listResults } = operations;
const about = 'POST /api/v1/orders';

export const orderReads: readonly Check[] = [
  {
    id: 'orders.unknown-id',
    clause: 'Authentication 7; not shown: the 404 body',
    title: 'an unknown order is 404, and so are its results and outputs',
    needs: 'read',
    async run(probe, { nobody }) {
      for (const operation of [getOrder, listResults, listOutputs])
        await probe.answers(operation, 404, byOrder(nobody));
      await probe.answers(getOutput, 404, { params: { order_id: nobody, output_id: nobody } });
    },
  },
  {
    id: 'orders.malformed-id',
    clause: 'Endpoints: IDs are UUID strings',
    title: 'an id that is no UUID is refused',
    needs: 'read',
    run: (probe) => probe.refuses(getOrder, 422, [notUuid(byOrder('not-a-uuid'))]),
  },
];

export const orderPlacements: readonly Check[] = [
  {
    id: 'orders.enrichment',
    clause: 'Endpoints, Orders',
    title: 'an enrichment order of six companies is accepted',
    needs: 'orders',
    run: (probe, facts) =>
      place(probe, facts, 'enrichment', { order_type: 'ENRICHMENT', features: ['COMPANY_DATA'], companies: rows }),
  },
  {
    id: 'orders.discovery',
    clause: 'Endpoints, Orders; Blacklists rule 5',
    title: 'a discovery order of three briefings, with a blacklist, is accepted',
    needs: 'orders',
    run: (probe, facts) =>
      place(probe, facts, 'discovery', {
        order_type: 'DISCOVERY',
        briefing_quantity: 3,
        ...(facts.blacklist ? { blacklist_ids: [facts.blacklist.id] } : {}),
      }),
  },
  {
    id: 'orders.replay',
    clause: 'Errors, Retry guidance',
    title: 'the same Idempotency-Key with the same body gives the same order',
    needs: 'orders',
    async run(probe, { placed }) {
      const { orderId, idempotencyKey, input } = need(placed.enrichment, 'an enrichment order');
      const answer = await probe.send(createOrder, { idempotencyKey, body: input, assumed: 'A03' });
      const isSame = answer.status < 300 && toOrderId(answer) === orderId;
      probe.expect(isSame, `${about}: a replay must give the same order_id, answered ${describeStatus(answer)}`);
    },
  },
  {
    id: 'orders.conflict',
    clause: 'Errors, Retry guidance',
    title: 'the same Idempotency-Key with another body is 409',
    needs: 'orders',
    async run(probe, { placed }) {
      const { idempotencyKey, input } = need(placed.enrichment, 'an enrichment order');
      const body = { ...input, companies: rows.slice(0, 1) };
      await probe.answers(createOrder, 409, { idempotencyKey, body, assumed: 'A15' });
    },
  },
  {
    id: 'orders.unknown-blacklist',
    clause: 'Blacklists rules 4, 5',
    title: 'a discovery order with an unknown blacklist is 404 BLACKLIST_NOT_FOUND',
    needs: 'orders',
    async run(probe, facts) {
      const { input } = need(facts.placed.discovery, 'a discovery order');
      const body = { ...input, blacklist_ids: [facts.nobody] };
      await probe.answers(createOrder, 404, { idempotencyKey: probe.newId(), body, code: 'BLACKLIST_NOT_FOUND' });
    },
  },
  {
    id: 'orders.before-publication',
    clause: 'Order (result_summary); Results rule 7',
    title: 'before publication results_published is false, result_summary null, and results are not given',
    needs: 'orders',
    async run(probe, { placed }) {
      const { orderId } = need(placed.enrichment ?? placed.discovery, 'an order');
      const answer = await probe.send(listResults, { ...byOrder(orderId), assumed: 'A04' });
      const order = await probe.ask(getOrder, 200, byOrder(orderId));
      if (order.results_published) throw new NotChecked('the order was published before it could be asked');
      const found = describeStatus(answer);
      probe.expect(order.result_summary === null, `${orderAbout}: result_summary must be null before publication`);
      probe.expect(answer.status < 500, `${answer.about}: answered ${found} before publication`);
      if (answer.status === 200) probe.note(`assumed A04: ${answer.about}: answered 200 before publication`);
      else if (found !== '409 (ORDER_RESULTS_NOT_READY)') probe.note(`assumed A04: ${answer.about}: answered ${found}`);
    },
  },
  publication('enrichment'),
  publication('discovery'),
];

/**
 * Made-up companies below reserved names; the third is the second again. The last two names stand for outcomes in the
 * stand-in; to any other service they are hosts that do not exist.
 */
const rows = [
  { company_name: 'Conformance Alpha', website_url: 'https://alpha.example', external_id: 'conformance-0' },
  { company_name: 'Conformance Beta', website_url: 'https://beta.example', external_id: 'conformance-1' },
  { company_name: 'Conformance Beta', website_url: 'https://beta.example', external_id: 'conformance-2' },
  { company_name: 'Conformance Gamma', website_url: 'www.gamma.example' },
  {
    company_name: 'Conformance Delta',
    website_url: 'https://unresolved-identity.example',
    external_id: 'conformance-4',
  },
  { company_name: 'Conformance Epsilon', website_url: 'https://no-people-found.example', external_id: 'conformance-5' },
];

async function place(
  probe: Probe,
  facts: Facts,
  kind: OrderKind,
  body: Omit<OrderInput, 'profile_id' | 'title'>,
): Promise<void> {
  const profileId = need(facts.profileId, 'a profile that succeeded');
  const input: OrderInput = { ...body, profile_id: profileId, title: `${facts.mark} ${kind}` };
  const idempotencyKey = probe.newId();
  const answer = await probe.send(createOrder, { idempotencyKey, body: input, assumed: 'A03' });
  if (answer.status === 422) throw new NotChecked('assumed A07, A08, A09: the order body of this program is refused');
  if (answer.status !== 201) probe.note(`assumed A03: ${about}: answered ${describeStatus(answer)}`);
  const orderId = toOrderId(answer);
  if (answer.status >= 300 || orderId === undefined) {
    probe.expect(false, `${about}: must be accepted with an order_id, answered ${describeStatus(answer)}`);
    throw new CheckEnded();
  }
  facts.placed[kind] = { orderId, idempotencyKey, input };
}

function toOrderId({ body }: { readonly body: unknown }): string | undefined {
  return findOrderIds({ answer: body, location: null, setting: null, sent: [] })[0]?.orderId;
}
