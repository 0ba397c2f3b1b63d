import { answer, drop, emptyPage, fault, keep, merge, other, repeat, reverse, set } from './answer-mutations.ts';
import { compute, type Row } from './answer-mutations.ts';
import type { Breach, BreachesByCheck } from './breached-deployment.ts';

const companyId = '00000000-0000-4000-8000-000000000003';
const contacts = [{ email: 'a@acme.example' }];
const reason = { code: 'NO_EMAIL_FOUND', message: 'x', label: 'x', count: 1 };

/** Reason codes of rows, each with its own message and status. */
const codesOfRows = [
  'HISTORICAL_POLICY_EXCLUDED',
  'WEBSITE_UNREACHABLE',
  'WEBSITE_MOVED',
  'WEBSITE_BLOCKED',
  'WEBSITE_EMPTY',
  'NO_PEOPLE_FOUND',
  'NO_EMAIL_FOUND',
  'NOT_PROCESSED',
  'REQUIRED_CONTACT_PATH_MISSING',
  'COMPANY_SCORE_BELOW_MINIMUM',
  'PROSPECT_SCORE_BELOW_MINIMUM',
  'UNRESOLVED_IDENTITY',
  'BLOCKED_FOR_REVIEW',
];

const withCode = (code: string) => `items[reason_codes=${code}]`;
const detailOf = (code: string, detail: string) => set(`${withCode(code)}.reasons[].detail`, detail);

export const resultBreaches: BreachesByCheck = {
  'results.enrichment-paging': [
    ['listResults', repeatFirstSlot(6), 'GET results with limit=2: must hold at most 2, found 6'],
    ['listResults', set('has_more', false), 'has_more must be true before the last slot, and end with it'],
    ['listResults', answer(500, fault), 'GET /api/v1/orders/{order_id}/results: must answer 200'],
    ['listResults', other('total'), 'total must be available_briefing_quantity'],
    ['listResults', other('summary.requested_count'), "summary must be the order's result_summary"],
  ],
  'results.discovery-paging': [['listResults', drop('summary'), '200: summary: must be object, found nothing']],
  'results.enrichment-stable': [
    ['listResults', other('items[].delivered_at'), 'GET results: the same pages differ at the second reading'],
  ],
  'results.discovery-stable': [
    ['listResults ?limit=100', reverse('items'), 'GET results: the slots differ between limit=1 and limit=100'],
  ],
  'results.enrichment-summary': [
    ['getOrder', set('result_summary.annotated_count', 9), 'GET results: summary.annotated_count must be 3, found 9'],
    ['getOrder', other('result_summary.requested_count'), 'summary.requested_count must be'],
    ['getOrder', other('result_summary.fully_enriched_count'), 'summary.fully_enriched_count must be'],
    ['getOrder', repeat('result_summary.reasons'), 'summary.reasons must list each code once'],
    ['getOrder', other('result_summary.reasons[].count'), 'summary.reasons must count the annotated slots'],
    ['getOrder', set('result_summary.reasons[].label', ''), 'summary.reasons[].label must not be empty'],
  ],
  'results.discovery-summary': [
    [
      'getOrder',
      merge({ reasons: [reason] }, 'result_summary'),
      'summary.reasons of a discovery order must be empty, fo',
    ],
  ],
  'results.limits': [
    ['listResults 422', answer(200, { ...emptyPage, summary: undefined }), '200: summary: must be object'],
  ],
  'results.beyond-end': [
    ['listResults ?offset=13', set('has_more', true), 'GET results: has_more must be false beyond the end'],
    ['listResults ?offset=13', set('items', [{}]), 'a page beyond the end must be empty'],
    ['listResults ?offset=13', set('total', 0), 'total must be 6 beyond the end too, found 0'],
  ],
  'results.withdrawn-parameter': [
    [
      'listResults ?delivered_since=2999-01-01T00:00:00Z 422',
      answer(200, emptyPage),
      'delivered_since filters, answered 200',
    ],
  ],
  'results.enrichment-slots': [
    [
      'listResults',
      compute('5 to 0 as', 'items[].input_position', (place: number) => 5 - place),
      'input_position must count from 0',
    ],
    [
      'listResults',
      set('items[status=PARTIAL].status', 'ENRICHED'),
      'status must be the one that its reason codes belong',
    ],
    ['listResults', codes('PARTIAL', 'NO_EMAIL_FOUND'), 'reasons must have the same codes as reason_codes'],
    [
      'listResults',
      drop('items[status=DUPLICATE].duplicate_of_input_position'),
      'must be an earlier row when DUPLICATE',
    ],
    ['listResults', set('items[status=UNRESOLVED].company', { id: companyId }), 'company must be null when UNRESOLVED'],
    ['listResults', drop('items[].external_id'), 'external_id must be the one that was submitted for the row'],
    ['listResults', other('items[].company.source_id'), 'company.source_id must be the submitted external_id'],
    ['listResults', set('items[].reasons[].detail', 'x'), 'reasons[].detail must be absent if the code has no detail'],
    [
      'listResults',
      set('items[].reasons[].message', ''),
      'reasons[].message must be a text, not empty and not the code',
    ],
    [
      'listResults',
      merge({ reason_codes: [], reasons: [] }, 'items[status=PARTIAL]'),
      'reason_codes must not be empty',
    ],
    ['listResults', codes('ENRICHED', 'HISTORICAL_DELIVERY_CONFIRMED'), 'a new order must have no legacy reason code'],
    [
      'listResults',
      codes('PARTIAL', 'RESULT_LIMIT_EXCEEDED'),
      'an enrichment order must have no RESULT_LIMIT_EXCEEDED',
    ],
    ['listResults', set('items[status=ENRICHED].company', null), 'company must be present when ENRICHED or PARTIAL'],
    ['listResults', set('items[status=DUPLICATE].company', null), 'company must be present when DUPLICATE'],
    ['listResults', drop('items[].company.prospects[].email_status'), 'prospects must have the four email fields'],
  ],
  'results.discovery-slots': [
    [
      'listResults',
      set('items[].company.prospects', [{ bounce_risk_score: 1 }]),
      'prospects must have no field that was r',
    ],
    ['listResults', set('items[status=ENRICHED].status', 'PARTIAL'), 'GET results: status must be ENRICHED'],
  ],
  'results.snapshot': [
    ['listResults', other('items[].delivered_at'), 'pages of three'],
    ['listResults #5', keep('items', 1), 'the whole set again'],
    ['listResults', set('has_more', false), 'has_more: expected true'],
    ['listResults ?limit=100', set('has_more', true), 'total and has_more'],
  ],
  'results.page-size': [
    ['listResults ?', keep('items', 9), 'page {}'],
    ['listResults ?limit=100', keep('items', 50), 'page {"limit":100}'],
    ['listResults ?limit=100&offset=100', set('has_more', true), 'page {"limit":100,"offset":100}'],
    ['listResults ?limit=1&offset=0', set('total', 1), 'page {"limit":1,'],
  ],
  'results.every-status': [
    ['listResults', keep('items', 1), 'slots: expected'],
    ['listResults', set('items[status=PARTIAL].external_id', null), 'slots: expected'],
    ['listResults', set('items[status=BLOCKED].duplicate_of_input_position', 0), 'slots: expected'],
    ['listResults', set('items[].company.source_id', 'x'), 'slots: expected'],
    ['listResults', set('items[status=DUPLICATE].company.prospects', contacts), '1 contacts on DUPLICATE'],
    ['listResults', set('items[status=ENRICHED].company.prospects', []), '0 contacts on ENRICHED'],
    ['getOrder', set('available_briefing_quantity', 6), 'quantities: expected [7,7,7]'],
    ['listResults', set('summary.annotated_count', 5), 'counts: expected [7,1,6]'],
    ['listResults', keep('summary.reasons', 1), 'summary.reasons: expected'],
    ['listResults', longLabels(), 'label must be short'],
    ['getOrder', set('result_summary.annotated_count', 5), 'result_summary: expected'],
  ],
  'results.fewer-than-requested': [
    ['listResults', set('summary.requested_count', 2), 'counts: expected'],
    ['listResults', set('items[status=ENRICHED].status', 'PARTIAL'), 'slots: expected'],
    ['listResults', set('items[status=ENRICHED].external_id', 'x'), 'slots: expected'],
    ['listResults', set('items[].company.prospects', []), 'slots: expected'],
  ],
  'results.reason-codes': [
    ...codesOfRows.flatMap((code): Breach[] => [
      ['listResults', set(`${withCode(code)}.reason_codes`, ['OTHER']), `${code}: expected`],
      ['listResults', set(`${withCode(code)}.status`, 'ENRICHED'), `${code}: expected`],
      [
        'listResults',
        set(`${withCode(code)}.reasons[].message`, code),
        `${code}: message must be a text of several words`,
      ],
      ['listResults', set(`summary.reasons[code=${code}].count`, 2), `${code}: summary`],
    ]),
    ['listResults', detailOf('NO_EMAIL_FOUND', 'x'), 'NO_EMAIL_FOUND: expected'],
    ['listResults', set(`${withCode('WEBSITE_EMPTY')}.company.prospects`, contacts), 'WEBSITE_EMPTY: contacts'],
    [
      'listResults',
      set(`${withCode('UNRESOLVED_IDENTITY')}.company`, { id: companyId }),
      'UNRESOLVED_IDENTITY: company is',
    ],
    ['listResults', detailOf('WEBSITE_UNREACHABLE', 'https://other.example'), 'the URL tried: expected'],
    ['listResults', detailOf('WEBSITE_UNREACHABLE', 'www.other.example'), 'the URL tried must be a URL'],
    ['listResults', detailOf('WEBSITE_MOVED', 'https://parking.example/a'), 'the origin redirected to'],
    ['listResults', detailOf('WEBSITE_MOVED', 'https://acme.website-moved.example'), "must not be the company's own"],
  ],
  'results.order-codes': [
    ['listResults', detailOf('POLICY_ELIGIBLE', 'x'), 'POLICY_ELIGIBLE: expected'],
    ['listResults', detailOf('DUPLICATE_OF_SLOT', 'x'), 'DUPLICATE_OF_SLOT: expected'],
    ['listResults', set('items[status=DUPLICATE].duplicate_of_input_position', 1), 'the earlier row: expected 0'],
    ['listResults', codes('ENRICHED', 'POLICY_ELIGIBLE'), 'HISTORICAL_DELIVERY_CONFIRMED: expected'],
    [
      'listResults',
      set('summary.fully_enriched_count', 0),
      'fully_enriched_count of a legacy order: expected 1, found 0',
    ],
    ['listResults', leaveOutBeyondQuantity(), 'nothing was found outside the requested quantity'],
    [
      'listResults',
      set(`${withCode('RESULT_LIMIT_EXCEEDED')}.reason_codes`, ['NOT_PROCESSED']),
      'RESULT_LIMIT_EXCEEDED: exp',
    ],
    ['listResults', detailOf('RESULT_LIMIT_EXCEEDED', 'x'), 'RESULT_LIMIT_EXCEEDED: expected'],
    ['listResults', set('summary.requested_count', 3), 'the summary: expected [2,2,[]]'],
  ],
  'deliveries.list': [
    [
      'listDeliveredCompanies',
      set('companies', [{ id: companyId, prospects: [{ validation_confidence: 1 }] }]),
      'GET deliveries: 1 prospects have a field that was removed from the specification',
    ],
  ],
  'deliveries.unknown-id': [
    [
      'listDeliveredCompanies 404',
      answer(200, {}),
      'GET /api/v1/deliveries/{prospect_search_id}/companies: must answer 404',
    ],
  ],
  'deliveries.website-markdown': [
    ['getWebsiteMarkdown', answer(404, fault), '/website-markdown: must answer 200, answered 404 (INTERNAL_ERROR)'],
  ],
  'deliveries.contacts': [
    ['listDeliveredCompanies', keep('companies', 0, 3), 'companies: expected'],
    ['listDeliveredCompanies', set('companies[].prospects', []), 'the listing has no contacts'],
    ['listDeliveredCompanies', other('companies[].prospects[].email_client_deliverable'), 'quality of a contact'],
    ['listDeliveredCompanies', drop('companies[].prospects[].email_delivery_quality_reason'), 'quality of a contact'],
    [
      'listDeliveredCompanies',
      set('companies[].prospects[].bounce_risk_score', 1),
      'a contact carries bounce_risk_score',
    ],
    ['getWebsiteMarkdown', other('content_fingerprint'), 'content_fingerprint'],
    ['getWebsiteMarkdown', set('urls', ['acme']), 'urls must be URLs'],
    ['getWebsiteMarkdown 404', answer(200, {}), 'website-markdown: must answer 404'],
  ],
};

function codes(status: string, code: string) {
  return set(`items[status=${status}].reason_codes`, [code]);
}

function repeatFirstSlot(count: number) {
  return compute('the first only in', 'items', ([first]: Row[]) => Array.from({ length: count }, () => first));
}

function longLabels() {
  return compute('the message as label in', 'summary.reasons[]', (reason: Row) => ({
    ...reason,
    label: reason['message'],
  }));
}

function leaveOutBeyondQuantity() {
  return compute('no slot beyond the quantity in', 'items', (slots: Row[]) =>
    slots.filter((slot) => String(slot['reason_codes']) !== 'RESULT_LIMIT_EXCEEDED'),
  );
}
