import { operations, type OrderInput } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import { CheckEnded, NotChecked } from '../probe/not-checked.ts';
import type { RunState, OrderKind } from '../probe/run-state.ts';
import { describeStatus } from '../probe/read-response.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import { toOrderBody, suggestSettings, withRequestSetting } from '../../src/service/reading/order-requests.ts';
import { readError } from '../../src/service/reading/read-error.ts';
import type { AskOptions, Probe } from '../probe/probe.ts';
import { orderAbout, publication } from './order-publication.ts';
import { byOrder, notUuid } from './path-parameters.ts';

const { createOrder, getOrder, getOutput, listOutputs, listResults } = operations;
const about = 'POST /api/v1/orders';

export const orderReads: readonly Check[] = [
  {
    id: 'orders.unknown-id',
    clause: 'Authentication 7; not shown: the 404 body',
    title: 'an unknown order is 404, and so are its results and outputs',
    effect: 'read',
    async run(probe, { unknownId }) {
      for (const operation of [getOrder, listResults, listOutputs])
        await probe.answers(operation, 404, byOrder(unknownId));
      await probe.answers(getOutput, 404, { params: { order_id: unknownId, output_id: unknownId } });
    },
  },
  {
    id: 'orders.malformed-id',
    clause: 'Endpoints: IDs are UUID strings',
    title: 'an id that is no UUID is refused',
    effect: 'read',
    run: (probe) => probe.refuses(getOrder, 422, [notUuid(byOrder('not-a-uuid'))]),
  },
];

export const orderPlacements: readonly Check[] = [
  {
    id: 'orders.enrichment',
    clause: 'Endpoints, Orders',
    title: 'an enrichment order of six companies is accepted',
    effect: 'orders',
    run: (probe, state) =>
      place(probe, state, 'enrichment', {
        order_type: 'ENRICHMENT',
        features: ['COMPANY_DATA', 'CONTACTS'],
        companies: submittedRows,
      }),
  },
  {
    id: 'orders.discovery',
    clause: 'Endpoints, Orders; Blacklists rule 5',
    title: 'a discovery order of three briefings, with a blacklist, is accepted',
    effect: 'orders',
    run: (probe, state) =>
      place(probe, state, 'discovery', {
        order_type: 'DISCOVERY',
        briefing_quantity: 3,
        features: ['COMPANY_DATA', 'CONTACTS'],
        ...(state.testBlacklist ? { blacklist_ids: [state.testBlacklist.id] } : {}),
      }),
  },
  {
    id: 'orders.replay',
    clause: 'Errors, Retry guidance',
    title: 'the same Idempotency-Key with the same body gives the same order',
    effect: 'orders',
    async run(probe, { placed }) {
      const { orderId, idempotencyKey, body } = need(placed.enrichment, 'an enrichment order');
      const answer = await probe.send(createOrder, { idempotencyKey, body, assumed: 'A03' });
      const isSame = answer.status < 300 && valueAt(answer.body, ['order_id']) === orderId;
      probe.expect(isSame, `${about}: a replay must give the same order_id, answered ${describeStatus(answer)}`);
    },
  },
  {
    id: 'orders.conflict',
    clause: 'Errors, Retry guidance',
    title: 'the same Idempotency-Key with another body is 409',
    effect: 'orders',
    async run(probe, { placed, requests }) {
      const { idempotencyKey, input } = need(placed.enrichment, 'an enrichment order');
      const body = toOrderBody({ ...input, companies: submittedRows.slice(0, 1) }, requests);
      await probe.answers(createOrder, 409, { idempotencyKey, body, assumed: 'A15' });
    },
  },
  {
    id: 'orders.unknown-blacklist',
    clause: 'Blacklists rules 4, 5',
    title: 'a discovery order with an unknown blacklist is 404 BLACKLIST_NOT_FOUND',
    effect: 'orders',
    async run(probe, state) {
      const { input } = need(state.placed.discovery, 'a discovery order');
      const body = toOrderBody({ ...input, blacklist_ids: [state.unknownId] }, state.requests);
      await probe.answers(createOrder, 404, { idempotencyKey: probe.newId(), body, code: 'BLACKLIST_NOT_FOUND' });
    },
  },
  {
    id: 'orders.before-publication',
    clause: 'Order (result_summary); Results rule 7',
    title: 'before publication results_published is false, result_summary null, and results are not given',
    effect: 'orders',
    async run(probe, { placed }) {
      const { orderId } = need(placed.enrichment ?? placed.discovery, 'an order');
      const answer = await probe.send(listResults, { ...byOrder(orderId), assumed: 'A04' });
      const order = await probe.ask(getOrder, 200, byOrder(orderId));
      if (order.results_published)
        throw new NotChecked('the order was published before its results could be requested');
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
 * Invented companies with reserved domains; the third repeats the second. The last two domains are magic inputs of the
 * sandbox; for any other service these hosts do not exist.
 */
const submittedRows = [
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

/** Maximum number of attempts with other names; a refused order costs nothing. */
const maxProposals = 20;

async function place(
  probe: Probe,
  state: RunState,
  kind: OrderKind,
  order: Omit<OrderInput, 'profile_id' | 'title'>,
): Promise<void> {
  const profileId = need(state.profileId, 'a profile that succeeded');
  const { ideal_customer_profile, seller_offering, target_countries } = need(
    state.creation,
    'a profile creation',
  ).input;
  const repeated = {
    ideal_customer_profile,
    target_countries,
    ...(seller_offering === undefined ? {} : { seller_offering }),
  };
  const input: OrderInput = { ...order, ...repeated, profile_id: profileId, title: `${state.namePrefix} ${kind}` };
  for (let attempt = 1; ; attempt += 1) {
    const body = toOrderBody(input, state.requests);
    const idempotencyKey = probe.newId();
    const answer = await sendTwice(probe, { idempotencyKey, body, assumed: 'A03' });
    const orderId = valueAt(answer.body, ['order_id']);
    if (answer.status < 300 && typeof orderId === 'string') {
      if (answer.status !== 201) probe.note(`assumed A03: ${about}: answered ${describeStatus(answer)}`);
      state.placed[kind] = { orderId, idempotencyKey, input, body };
      return;
    }
    if (answer.status !== 422) {
      state.refusals.push(`${about} answered ${describeStatus(answer)} without an order id`);
      probe.expect(false, `${about}: must be accepted with an order_id, answered ${describeStatus(answer)}`);
      throw new CheckEnded();
    }
    const { fields, detail = 'no reason' } = readError(answer.body, { sent: body, secret: '' });
    const proposals = suggestSettings(fields, state.requests, body);
    if (proposals.length === 0 || attempt === maxProposals) {
      state.refusals.push(`the service refuses the order: ${detail}`);
      throw new NotChecked(`assumed A07, A08, A09: the service refuses the order body (${detail})`);
    }
    for (const { setting, value } of proposals) {
      state.requests = withRequestSetting(state.requests, setting, value);
      keepSetting(state.settings, setting, value);
      probe.note(`assumed A07, A08, A09: ${about}: ${setting}: ${value}`);
    }
  }
}

/** Retries a 5xx once with the same key ("Retry guidance"). */
async function sendTwice(probe: Probe, call: AskOptions) {
  const answer = await probe.send(createOrder, call);
  return [500, 502, 503, 504].includes(answer.status) ? probe.send(createOrder, call) : answer;
}

/** Adds a setting, or replaces its earlier value. */
function keepSetting(settings: string[], setting: string, value: string): void {
  const at = settings.findIndex((known) => known.startsWith(`${setting}: `));
  settings.splice(at < 0 ? settings.length : at, at < 0 ? 0 : 1, `${setting}: ${value}`);
}
