import {
  countingAnswers,
  inBody,
  inStatus,
  onStatus,
  onNthAnswer,
  oneOrder,
  orders,
  results,
  row,
  type Row,
  type BreachesByCheck,
} from '../breach-changes.ts';

const empty = { requested_count: 2, fully_enriched_count: 0, annotated_count: 0, reasons: [] };
/** The 53rd read of an order is the one a day after its end. */
const aDayLater = (change: Row) =>
  onNthAnswer(
    53,
    inBody(() => change),
  );

function sameOrderAlways() {
  let first: unknown;
  return onStatus(201, ({ body }) => ({ body: { ...body, order_id: (first ??= body['order_id']) } }));
}

const refused = {
  'companies in a discovery order': (order: Row) => order['order_type'] === 'DISCOVERY' && 'companies' in order,
  'briefing_quantity in an enrichment order': (order: Row) => order['order_type'] === 'ENRICHMENT',
  'an unknown feature': (order: Row) => JSON.stringify(order['features']) === '["TELEPATHY"]',
  'an unknown order_type': (order: Row) => order['order_type'] === 'TELEPATHY',
  'a missing profile_id': (order: Row) => !('profile_id' in order),
  'a blacklist id that is no UUID': (order: Row) => JSON.stringify(order['blacklist_ids']) === '["7"]',
  'briefing_quantity undefined': (order: Row) => !('briefing_quantity' in order),
  'briefing_quantity null': (order: Row) => order['briefing_quantity'] === null,
  'briefing_quantity 1.5': (order: Row) => order['briefing_quantity'] === 1.5,
  'briefing_quantity "7"': (order: Row) => order['briefing_quantity'] === '7',
};

export const orderBreaches: BreachesByCheck = {
  'orders.input': [
    ...Object.entries(refused).map(
      ([what, isWrong]) =>
        [
          `${what} that is taken`,
          `${what} must be refused with 422`,
          'POST',
          orders,
          onStatus(422, ({ sent }) => (isWrong(sent) ? { status: 201, body: {} } : undefined)),
        ] as const,
    ),
    [
      'a field that is refused',
      'POST /api/v1/orders: must answer 201',
      'POST',
      orders,
      onStatus(201, ({ sent }) => ('seller_offering' in sent ? { status: 422, body: { detail: [] } } : undefined)),
    ],
    [
      'rows that are refused',
      'POST /api/v1/orders: must answer 201',
      'POST',
      orders,
      onStatus(201, ({ sent }) => ('companies' in sent ? { status: 422, body: { detail: [] } } : undefined)),
    ],
    [
      'an unknown profile that is taken',
      'POST /api/v1/orders: must answer 404',
      'POST',
      orders,
      onStatus(404, () => ({ status: 201, body: {} })),
    ],
    [
      'a withdrawn field on a new order',
      'an order carries estimated_cost',
      'POST',
      orders,
      inBody(() => ({ estimated_cost: 7 })),
    ],
  ],
  'orders.keys': [
    [
      'a key that makes two orders',
      'the same key',
      'POST',
      orders,
      onNthAnswer(
        2,
        inBody(() => ({ order_id: crypto.randomUUID() })),
      ),
    ],
    ['two keys for one order', 'another key must make another order', 'POST', orders, sameOrderAlways()],
    [
      'a key that takes another body',
      'POST /api/v1/orders: must answer 409',
      'POST',
      orders,
      onStatus(409, () => ({ status: 201, body: {} })),
    ],
  ],
  'orders.statuses': [
    ['a new order that is ACCEPTED', 'Spring: first status', 'POST', orders, inBody(() => ({ status: 'ACCEPTED' }))],
    [
      'an order that is never ACCEPTED',
      'Spring: statuses',
      'GET',
      oneOrder,
      inStatus('ACCEPTED', () => ({ status: 'RECEIVED' })),
    ],
    [
      'an order that stays ACCEPTED for long',
      'Spring: ACCEPTED must lead to IN_PROGRESS soon',
      'GET',
      oneOrder,
      countingAnswers((seen, time) =>
        time < 30 ? inStatus('IN_PROGRESS', () => ({ status: 'ACCEPTED' }))(seen) : undefined,
      ),
    ],
    [
      'a status that no order takes',
      'statuses of all outcomes',
      'GET',
      oneOrder,
      inStatus('CANCELLED', () => ({ status: 'FAILED' })),
    ],
    [
      'a rejected order that was accepted',
      'outcome:REJECTED: statuses',
      'GET',
      oneOrder,
      inStatus('REJECTED', () => ({ status: 'FAILED' })),
    ],
    [
      'results_published before COMPLETED',
      'fields of IN_PROGRESS',
      'GET',
      oneOrder,
      inStatus('IN_PROGRESS', () => ({ results_published: true })),
    ],
    [
      'result_summary before COMPLETED',
      'fields of RECEIVED',
      'GET',
      oneOrder,
      inStatus('RECEIVED', () => ({ result_summary: empty })),
    ],
    [
      'another briefing_quantity',
      'fields of ACCEPTED',
      'GET',
      oneOrder,
      inStatus('ACCEPTED', () => ({ briefing_quantity: 3 })),
    ],
    [
      'another available_briefing_quantity',
      'fields of COMPLETED',
      'GET',
      oneOrder,
      inStatus('COMPLETED', () => ({ available_briefing_quantity: 3 })),
    ],
    [
      'a summary of a failed order',
      'fields of FAILED',
      'GET',
      oneOrder,
      inStatus('FAILED', () => ({ result_summary: empty })),
    ],
    ['a withdrawn field', 'an order carries admin_notes', 'GET', oneOrder, inBody(() => ({ admin_notes: 'x' }))],
    [
      'an end that is left',
      'Spring: last status: expected "COMPLETED", found "FAILED"',
      'GET',
      oneOrder,
      aDayLater({ status: 'FAILED' }),
    ],
    [
      'an order that changes after its end',
      'Spring: a day later',
      'GET',
      oneOrder,
      aDayLater({ available_briefing_quantity: 1 }),
    ],
    [
      'results of a rejected order',
      'results of an order without success answered 200',
      'GET',
      results,
      ({ status }) => (status === 200 ? undefined : { status: 200, body: { items: [], total: 0, has_more: false } }),
    ],
    ['another number of results', 'results: expected [2,2,false]', 'GET', results, inBody(() => ({ total: 9 }))],
    [
      'another summary beside the results',
      'summary: expected',
      'GET',
      results,
      inBody(({ summary }) => ({ summary: { ...row(summary), annotated_count: 9 } })),
    ],
  ],
  'orders.active-statuses': [
    [
      'an order that does not stay',
      'an order that is held: expected "RECEIVED"',
      'GET',
      oneOrder,
      onNthAnswer(
        1,
        inBody(() => ({ status: 'IN_PROGRESS' })),
      ),
    ],
    [
      'results of an active order',
      'its results: expected "ORDER_RESULTS_NOT_READY"',
      'GET',
      results,
      () => ({ status: 200, body: { items: [], total: 0, has_more: false, summary: empty } }),
    ],
    [
      'COMPLETED without publication',
      'published: expected ["COMPLETED",true]',
      'GET',
      oneOrder,
      inStatus('COMPLETED', () => ({ results_published: false, result_summary: null })),
    ],
  ],
  'orders.historical': [
    [
      'a historical order that says it is published',
      'a historical order: expected ["COMPLETED",false,null]',
      'GET',
      oneOrder,
      inBody(() => ({ results_published: true })),
    ],
    [
      'results of a historical order',
      'its results answered 200',
      'GET',
      results,
      () => ({ status: 200, body: { items: [], total: 0, has_more: false, summary: empty } }),
    ],
    [
      'another code for a historical order',
      'its results: expected "ORDER_RESULTS_NOT_READY"',
      'GET',
      results,
      ({ body }) => ({ body: { ...body, code: 'ORDER_RESULTS_EMPTY' } }),
    ],
  ],
};
