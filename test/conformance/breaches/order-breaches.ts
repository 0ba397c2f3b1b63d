import { answer, emptyPage, fault, invalidBody, merge, noSlots, other, set, whenSent } from './answer-mutations.ts';
import { compute, type Row } from './answer-mutations.ts';
import type { Breach, BreachesByCheck } from './breached-deployment.ts';

const summaryOfTwo = { ...noSlots, requested_count: 2 };
const unpublished = { results_published: false, result_summary: null };

/** What an order must not contain. */
const refused: Readonly<Record<string, (order: Row) => boolean>> = {
  'companies in a discovery order': (order) => order['order_type'] === 'DISCOVERY' && 'companies' in order,
  'briefing_quantity in an enrichment order': (order) => order['order_type'] === 'ENRICHMENT',
  'an unknown feature': (order) => JSON.stringify(order['features']) === '["TELEPATHY"]',
  'an unknown order_type': (order) => order['order_type'] === 'TELEPATHY',
  'a missing profile_id': (order) => !('profile_id' in order),
  'a blacklist id that is no UUID': (order) => JSON.stringify(order['blacklist_ids']) === '["7"]',
  'briefing_quantity undefined': (order) => !('briefing_quantity' in order),
  'briefing_quantity null': (order) => order['briefing_quantity'] === null,
  'briefing_quantity 1.5': (order) => order['briefing_quantity'] === 1.5,
  'briefing_quantity "7"': (order) => order['briefing_quantity'] === '7',
};

export const orderBreaches: BreachesByCheck = {
  'orders.replay': [
    ['createOrder #2+', other('order_id'), 'POST /api/v1/orders: a replay must give the same order_id, answered 201'],
  ],
  'orders.unknown-blacklist': [
    ['createOrder 404', answer(201, {}), 'POST /api/v1/orders 201: order_id: must be string, found nothing'],
  ],
  'orders.enrichment-published': [
    ['getOrder', merge({ status: 'COMPLETED', ...unpublished }), 'COMPLETED must go with results_published'],
    ['getOrder', other('briefing_quantity'), 'briefing_quantity must be 6'],
    ['getOrder', set('result_summary', null), 'result_summary must be there exactly when published'],
    ['getOrder status=COMPLETED', failAfterCompletion(), 'left COMPLETED, which is terminal'],
  ],
  'orders.discovery-published': [
    ['getOrder', set('estimated_cost', 7), 'GET /api/v1/orders/{order_id}: carries a field that no longer exists'],
  ],
  'orders.unknown-id': [
    [
      'getOrder 404',
      answer(500, fault),
      'GET /api/v1/orders/{order_id}: must answer 404, answered 500 (INTERNAL_ERROR)',
    ],
    ['getOutput 404', answer(200, {}), 'GET /api/v1/orders/{order_id}/outputs/{output_id}: must answer 404'],
  ],
  'orders.malformed-id': [
    ['getOrder 422', answer(500, fault), 'an id that is not a UUID must be refused with 422, answered 500'],
  ],
  'orders.discovery': [
    ['createOrder #2', answer(400, fault), 'must be accepted with an order_id, answered 400 (INTERNAL_ERROR)'],
  ],
  'orders.conflict': [['createOrder 409', answer(201, {}), 'POST /api/v1/orders: must answer 409, answered 201']],
  'orders.before-publication': [
    [
      'getOrder results_published=false',
      set('result_summary', noSlots),
      'result_summary must be null before publication',
    ],
    ['listResults 409', answer(500, fault), 'answered 500 (INTERNAL_ERROR) before publication'],
  ],
  'orders.enrichment': [
    ['createOrder', answer(400, fault), 'must be accepted with an order_id, answered 400 (INTERNAL_ERROR)'],
  ],
  'orders.input': [
    ...Object.entries(refused).map(([what, isWrong]): Breach => [
      'createOrder 422',
      whenSent(isWrong, answer(201, {})),
      `${what} must be refused with 422`,
    ]),
    ...['seller_offering', 'companies'].map((field): Breach => [
      'createOrder',
      whenSent((sent) => field in sent, answer(422, invalidBody)),
      'POST /api/v1/orders: must answer 201',
    ]),
    ['createOrder 404', answer(201, {}), 'POST /api/v1/orders: must answer 404'],
    ['createOrder', set('estimated_cost', 7), 'an order carries estimated_cost'],
  ],
  'orders.keys': [
    ['createOrder #2', other('order_id'), 'the same key'],
    ['createOrder', repeatFirstOrderId(), 'another key must make another order'],
    ['createOrder 409', answer(201, {}), 'POST /api/v1/orders: must answer 409'],
  ],
  'orders.statuses': [
    ['createOrder', set('status', 'ACCEPTED'), 'Spring: first status'],
    ['getOrder status=ACCEPTED', set('status', 'RECEIVED'), 'Spring: statuses'],
    ['getOrder status=IN_PROGRESS', acceptUntil(30), 'Spring: ACCEPTED must lead to IN_PROGRESS soon'],
    ['getOrder status=CANCELLED', set('status', 'FAILED'), 'statuses of all outcomes'],
    ['getOrder status=REJECTED', set('status', 'FAILED'), 'outcome:REJECTED: statuses'],
    ['getOrder status=IN_PROGRESS', set('results_published', true), 'fields of IN_PROGRESS'],
    ['getOrder status=RECEIVED', set('result_summary', summaryOfTwo), 'fields of RECEIVED'],
    ['getOrder status=ACCEPTED', other('briefing_quantity'), 'fields of ACCEPTED'],
    ['getOrder status=COMPLETED', other('available_briefing_quantity'), 'fields of COMPLETED'],
    ['getOrder status=FAILED', set('result_summary', summaryOfTwo), 'fields of FAILED'],
    ['getOrder', set('admin_notes', 'x'), 'an order carries admin_notes'],
    // The 53rd read of an order is the one a day after its end.
    ['getOrder #53', set('status', 'FAILED'), 'Spring: last status: expected "COMPLETED", found "FAILED"'],
    ['getOrder #53', set('available_briefing_quantity', 1), 'Spring: a day later'],
    ['listResults 409', answer(200, emptyPage), 'results of an order without success answered 200'],
    ['listResults', set('total', 9), 'results: expected [2,2,false]'],
    ['listResults', set('summary.annotated_count', 9), 'summary: expected'],
  ],
  'orders.active-statuses': [
    ['getOrder #1', set('status', 'IN_PROGRESS'), 'an order that is held: expected "RECEIVED"'],
    ['listResults 409', answer(200, emptyPage), 'its results: expected "ORDER_RESULTS_NOT_READY"'],
    ['getOrder status=COMPLETED', merge(unpublished), 'published: expected ["COMPLETED",true]'],
  ],
  'orders.historical': [
    ['getOrder', set('results_published', true), 'a historical order: expected ["COMPLETED",false,null]'],
    ['listResults 409', answer(200, emptyPage), 'its results answered 200'],
    ['listResults 409', set('code', 'ORDER_RESULTS_EMPTY'), 'its results: expected "ORDER_RESULTS_NOT_READY"'],
  ],
};

/** The order is read until it is COMPLETED, and once more. */
function failAfterCompletion() {
  return compute('FAILED after COMPLETED as', 'status', (status: string, { earlier }) =>
    earlier.some(({ body }) => body['status'] === 'COMPLETED') ? 'FAILED' : status,
  );
}

function repeatFirstOrderId() {
  return compute('the first answer as', 'order_id', (id: string, { earlier }) => {
    return earlier.find(({ body }) => 'order_id' in body)?.body['order_id'] ?? id;
  });
}

function acceptUntil(reads: number) {
  return compute('ACCEPTED for long as', 'status', (status: string, { nth }) => (nth < reads ? 'ACCEPTED' : status));
}
