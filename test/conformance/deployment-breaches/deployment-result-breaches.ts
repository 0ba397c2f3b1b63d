import {
  countingAnswers,
  fault,
  inBody,
  inSlots,
  noSlots,
  onStatus,
  oneOrder,
  results,
  row,
  rows,
  toTimestamp,
  type BreachesByCheck,
  type Row,
} from '../breach-changes.ts';

export const deploymentResultBreaches: BreachesByCheck = {
  'results.enrichment-paging': [
    [
      'a limit of results that is ignored',
      'GET results with limit=2: must hold at most 2, found 6',
      'GET',
      results,
      onStatus(200, ({ body }) => ({
        body: { ...body, items: Array.from({ length: 6 }, () => rows(body['items'])[0]) },
      })),
    ],
    [
      'has_more that ends too soon',
      'GET results: has_more must be true before the last slot, and end with it',
      'GET',
      results,
      onStatus(200, ({ body }) => ({ body: { ...body, has_more: false } })),
    ],
    [
      'a page that breaks it',
      'GET /api/v1/orders/{order_id}/results: must answer 200',
      'GET',
      results,
      onStatus(200, () => ({ status: 500, body: fault })),
    ],
  ],
  'results.discovery-paging': [
    [
      'a page without summary',
      'GET /api/v1/orders/{order_id}/results 200: summary: must be object, found nothing',
      'GET',
      results,
      onStatus(200, ({ body }) => ({ body: { ...body, summary: undefined } })),
    ],
  ],
  'results.enrichment-stable': [
    [
      'results that change between reads',
      'GET results: the same pages differ at the second reading',
      'GET',
      results,
      countingAnswers((seen, time) => inSlots((slot) => ({ ...slot, delivered_at: toTimestamp(time) }))(seen)),
    ],
  ],
  'results.enrichment-summary': [
    [
      'a summary that miscounts',
      'GET results: summary.annotated_count must be 3, found 9',
      'GET',
      oneOrder,
      inBody(({ result_summary: summary }) => ({
        result_summary: summary && { ...row(summary), annotated_count: 9 },
      })),
    ],
    ...['requested_count', 'fully_enriched_count'].map(
      (field) =>
        [
          `another ${field}`,
          `summary.${field} must be`,
          'GET',
          oneOrder,
          inOrderSummary(() => ({ [field]: 99 })),
        ] as const,
    ),
    [
      'a code that is listed twice',
      'summary.reasons must list each code once',
      'GET',
      oneOrder,
      inOrderSummary(({ reasons }) => ({ reasons: [...rows(reasons), ...rows(reasons)] })),
    ],
    [
      'an empty label',
      'summary.reasons[].label must not be empty',
      'GET',
      oneOrder,
      inOrderSummary(({ reasons }) => ({ reasons: rows(reasons).map((reason) => ({ ...reason, label: '' })) })),
    ],
  ],
  'results.discovery-summary': [
    [
      'a discovery summary with reasons',
      'GET results: summary.reasons of a discovery order must be empty, found 1',
      'GET',
      oneOrder,
      inBody(({ result_summary: summary }) => ({
        result_summary: summary && {
          ...row(summary),
          reasons: [{ code: 'NO_EMAIL_FOUND', message: 'x', label: 'x', count: 1 }],
        },
      })),
    ],
  ],
  'results.limits': [
    [
      'limit 101 that is accepted',
      'GET /api/v1/orders/{order_id}/results 200: summary: must be object, found nothing',
      'GET',
      results,
      onStatus(422, () => ({ status: 200, body: { items: [], total: 0, has_more: false } })),
    ],
  ],
  'results.beyond-end': [
    [
      'has_more beyond the last page',
      'GET results: has_more must be false beyond the end',
      'GET',
      results,
      onStatus(200, ({ body, url }) =>
        url.searchParams.get('offset') === '13' ? { body: { ...body, has_more: true } } : undefined,
      ),
    ],
    [
      'a slot beyond the end',
      'a page beyond the end must be empty',
      'GET',
      results,
      onStatus(200, ({ url, body }) =>
        url.searchParams.get('offset') === '13' ? { body: { ...body, items: [{}] } } : undefined,
      ),
    ],
  ],
  'results.withdrawn-parameter': [
    [
      'delivered_since that filters',
      'GET results: delivered_since filters, answered 200',
      'GET',
      results,
      ({ url }) =>
        url.searchParams.has('delivered_since')
          ? { status: 200, body: { total: 0, has_more: false, items: [], summary: noSlots } }
          : undefined,
    ],
  ],
  'results.discovery-stable': [
    [
      'discovered companies that change places',
      'GET results: the slots differ between limit=1 and limit=100',
      'GET',
      results,
      onStatus(200, ({ body, url }) =>
        url.searchParams.get('limit') === '100'
          ? { body: { ...body, items: rows(body['items']).toReversed() } }
          : undefined,
      ),
    ],
  ],
};

/** Changes the result_summary of a published order. */
function inOrderSummary(change: (summary: Row) => Row) {
  return inBody(({ result_summary: summary }) => ({
    result_summary: summary && { ...row(summary), ...change(row(summary)) },
  }));
}
