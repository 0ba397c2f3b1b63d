import {
  countingAnswers,
  fault,
  inBody,
  noSlots,
  onStatus,
  onNthAnswer,
  oneOrder,
  orders,
  results,
  type BreachesByCheck,
} from '../breach-changes.ts';

export const deploymentOrderBreaches: BreachesByCheck = {
  'orders.replay': [
    [
      'an order placed twice',
      'POST /api/v1/orders: a replay must give the same order_id, answered 201',
      'POST',
      orders,
      countingAnswers(({ body, status }, time) =>
        time > 1 && status === 201 ? { body: { ...body, order_id: crypto.randomUUID() } } : undefined,
      ),
    ],
  ],
  'orders.unknown-blacklist': [
    [
      'an unknown blacklist on an order',
      'POST /api/v1/orders 201: order_id: must be string, found nothing',
      'POST',
      orders,
      onStatus(404, () => ({ status: 201, body: {} })),
    ],
  ],
  'orders.enrichment-published': [
    [
      'COMPLETED before publication',
      'GET /api/v1/orders/{order_id}: COMPLETED must go with results_published',
      'GET',
      oneOrder,
      inBody(() => ({ status: 'COMPLETED', results_published: false, result_summary: null })),
    ],
    [
      'another briefing_quantity',
      'briefing_quantity must be 6',
      'GET',
      oneOrder,
      inBody(() => ({ briefing_quantity: 7 })),
    ],
    [
      'a published order without its summary',
      'result_summary must be there exactly when published',
      'GET',
      oneOrder,
      inBody(() => ({ result_summary: null })),
    ],
    [
      'a COMPLETED order that fails',
      'left COMPLETED, which is terminal',
      'GET',
      oneOrder,
      // The order is read until it is COMPLETED, and once more.
      failingAfterCompletion(),
    ],
  ],
  'orders.discovery-published': [
    [
      'a field that was removed',
      'GET /api/v1/orders/{order_id}: carries a field that no longer exists',
      'GET',
      oneOrder,
      inBody(() => ({ estimated_cost: 7 })),
    ],
  ],
  'orders.unknown-id': [
    [
      'an unknown order answered with 500',
      'GET /api/v1/orders/{order_id}: must answer 404, answered 500 (INTERNAL_ERROR)',
      'GET',
      oneOrder,
      onStatus(404, () => ({ status: 500, body: fault })),
    ],
    [
      'an unknown output that is there',
      'GET /api/v1/orders/{order_id}/outputs/{output_id}: must answer 404',
      'GET',
      /\/outputs\/[^/]+$/,
      onStatus(404, () => ({ status: 200, body: {} })),
    ],
  ],
  'orders.malformed-id': [
    [
      'an order id that is not a UUID answered with 500',
      'GET /api/v1/orders/{order_id}: an id that is not a UUID must be refused with 422, answered 500 (INTERNAL_ERROR)',
      'GET',
      oneOrder,
      onStatus(422, () => ({ status: 500, body: fault })),
    ],
  ],
  'orders.discovery': [
    [
      'a discovery order that is refused',
      'POST /api/v1/orders: must be accepted with an order_id, answered 400 (INTERNAL_ERROR)',
      'POST',
      orders,
      onNthAnswer(2, () => ({ status: 400, body: fault })),
    ],
  ],
  'orders.conflict': [
    [
      'a reused key of an order that is accepted',
      'POST /api/v1/orders: must answer 409, answered 201',
      'POST',
      orders,
      onStatus(409, () => ({ status: 201, body: {} })),
    ],
  ],
  'orders.before-publication': [
    [
      'a summary before publication',
      'GET /api/v1/orders/{order_id}: result_summary must be null before publication',
      'GET',
      oneOrder,
      inBody(({ results_published: isPublished }) => (isPublished ? {} : { result_summary: noSlots })),
    ],
    [
      'results that break it before publication',
      'answered 500 (INTERNAL_ERROR) before publication',
      'GET',
      results,
      onStatus(409, () => ({ status: 500, body: fault })),
    ],
  ],
  'orders.enrichment': [
    [
      'an enrichment order that is refused',
      'POST /api/v1/orders: must be accepted with an order_id, answered 400 (INTERNAL_ERROR)',
      'POST',
      orders,
      () => ({ status: 400, body: fault }),
    ],
  ],
};

function failingAfterCompletion() {
  const fail = countingAnswers((seen, time) => (time > 1 ? inBody(() => ({ status: 'FAILED' }))(seen) : undefined));
  return onStatus(200, (seen) => (seen.body['status'] === 'COMPLETED' ? fail(seen) : undefined));
}
