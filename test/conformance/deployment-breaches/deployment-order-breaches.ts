import {
  counted,
  inBody,
  inSlots,
  on,
  oneCreation,
  oneOrder,
  results,
  row,
  rows,
  where,
  type BreachesByCheck,
  type Row,
} from '../breach-changes.ts';

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
  'profiles.poll': [
    [
      'an error_code without a failure',
      'error_code must be set when FAILED',
      'GET',
      oneCreation,
      inBody(() => ({ error_code: 'X' })),
    ],
    [
      'a finished_at before the end',
      'finished_at must be null until it has ended',
      'GET',
      oneCreation,
      inBody(({ created_at, finished_at }) => ({ finished_at: finished_at ?? created_at })),
    ],
    [
      'an end without finished_at',
      'finished_at must be set when it has ended',
      'GET',
      oneCreation,
      inBody(() => ({ finished_at: null })),
    ],
    [
      'a status that goes back',
      'the status must go forward',
      'GET',
      oneCreation,
      counted((seen, time) =>
        time > 2 ? undefined : inBody(() => ({ status: ['RUNNING', 'PENDING'][time - 1] }))(seen),
      ),
    ],
    [
      'a created_at that moves',
      'created_at must stay',
      'GET',
      oneCreation,
      counted((seen, time) => inBody(() => ({ created_at: `2026-11-01T10:00:0${time % 10}.000000Z` }))(seen)),
    ],
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
      'reasons[].detail must be absent if the code has no detail',
      'GET',
      results,
      inReasons({ detail: 'x' }),
    ],
    [
      'a reason without a message',
      'reasons[].message must be a text, not empty and not the code',
      'GET',
      results,
      inReasons({ message: '' }),
    ],
    [
      'slots without reasons',
      'reason_codes must not be empty',
      'GET',
      results,
      where('PARTIAL', { reason_codes: [], reasons: [] }),
    ],
    [
      'the code of legacy orders',
      'a new order must have no legacy reason code',
      'GET',
      results,
      where('ENRICHED', { reason_codes: ['HISTORICAL_DELIVERY_CONFIRMED'] }),
    ],
    [
      'the code of discovery orders',
      'an enrichment order must have no RESULT_LIMIT_EXCEEDED',
      'GET',
      results,
      where('PARTIAL', { reason_codes: ['RESULT_LIMIT_EXCEEDED'] }),
    ],
    [
      'an enriched row without a company',
      'company must be present when ENRICHED or PARTIAL',
      'GET',
      results,
      where('ENRICHED', { company: null }),
    ],
    [
      'a duplicate without a company',
      'company must be present when DUPLICATE',
      'GET',
      results,
      where('DUPLICATE', { company: null }),
    ],
  ],
  'results.enrichment-summary': [
    ...['requested_count', 'fully_enriched_count'].map(
      (field) =>
        [`another ${field}`, `summary.${field} must be`, 'GET', oneOrder, inSummary(() => ({ [field]: 99 }))] as const,
    ),
    [
      'a code that is listed twice',
      'summary.reasons must list each code once',
      'GET',
      oneOrder,
      inSummary(({ reasons }) => ({ reasons: [...rows(reasons), ...rows(reasons)] })),
    ],
    [
      'an empty label',
      'summary.reasons[].label must not be empty',
      'GET',
      oneOrder,
      inSummary(({ reasons }) => ({ reasons: rows(reasons).map((reason) => ({ ...reason, label: '' })) })),
    ],
  ],
};

function inReasons(change: Row) {
  return inSlots((slot) => ({ ...slot, reasons: rows(slot['reasons']).map((reason) => ({ ...reason, ...change })) }));
}

/** In the summary of an order that is published. */
function inSummary(change: (summary: Row) => Row) {
  return inBody(({ result_summary: summary }) => ({
    result_summary: summary && { ...row(summary), ...change(row(summary)) },
  }));
}

function failingAfterCompletion() {
  const fail = counted((seen, time) => (time > 1 ? inBody(() => ({ status: 'FAILED' }))(seen) : undefined));
  return on(200, (seen) => (seen.body['status'] === 'COMPLETED' ? fail(seen) : undefined));
}
