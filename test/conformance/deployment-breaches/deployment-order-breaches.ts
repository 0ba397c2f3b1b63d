import { counted, inBody, inSlots, on, oneOrder, results, type BreachesByCheck } from '../breach-changes.ts';

const creations = /creations$/;
const fault = { code: 'INTERNAL_ERROR', message: 'x' };

export const deploymentOrderBreaches: BreachesByCheck = {
  'profiles.create': [
    [
      'a creation that has started',
      'started_at must be null',
      'POST',
      creations,
      inBody(({ created_at }) => ({ started_at: created_at })),
    ],
    ['an empty message', 'message must not be empty', 'POST', creations, inBody(() => ({ message: '' }))],
  ],
  'orders.unknown-id': [
    [
      'an unknown output that is there',
      'GET /api/v1/orders/{order_id}/outputs/{output_id}: must answer 404',
      'GET',
      /\/outputs\/[^/]+$/,
      on(404, () => ({ status: 200, body: {} })),
    ],
  ],
  'orders.before-publication': [
    [
      'results that break it before publication',
      'answered 500 (INTERNAL_ERROR) before publication',
      'GET',
      results,
      on(409, () => ({ status: 500, body: fault })),
    ],
  ],
  'orders.enrichment-published': [
    [
      'a COMPLETED order that fails',
      'left COMPLETED, which is terminal',
      'GET',
      oneOrder,
      // The order is read until it is COMPLETED, and once more.
      failingAfterCompletion(),
    ],
  ],
  'results.enrichment-paging': [
    [
      'a page that breaks it',
      'GET /api/v1/orders/{order_id}/results: must answer 200',
      'GET',
      results,
      on(200, () => ({ status: 500, body: fault })),
    ],
  ],
  'results.beyond-end': [
    [
      'a slot beyond the end',
      'a page beyond the end must be empty',
      'GET',
      results,
      on(200, ({ url, body }) =>
        url.searchParams.get('offset') === '13' ? { body: { ...body, items: [{}] } } : undefined,
      ),
    ],
  ],
  'results.enrichment-slots': [
    [
      'a detail where the code has none',
      'reasons[].detail must not stand where the code has none',
      'GET',
      results,
      inSlots(({ reasons, ...slot }) => ({
        ...slot,
        reasons: (reasons as object[]).map((reason) => ({ ...reason, detail: 'x' })),
      })),
    ],
  ],
};

function failingAfterCompletion() {
  const fail = counted((seen, time) => (time > 1 ? inBody(() => ({ status: 'FAILED' }))(seen) : undefined));
  return on(200, (seen) => (seen.body['status'] === 'COMPLETED' ? fail(seen) : undefined));
}
