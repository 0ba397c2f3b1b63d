import {
  countingAnswers,
  download,
  inBody,
  inPage,
  onStatus,
  onNthAnswer,
  oneOrder,
  oneOutput,
  outputs,
  results,
  rows,
  type Row,
  type BreachesByCheck,
} from '../breach-changes.ts';

const reversed = ({ outputs: listed }: Row) => ({ outputs: rows(listed).toReversed() });
const conflict = { code: 'OUTPUT_QUOTA_EXCEEDED', message: 'x' };
const anotherCode = onStatus(409, ({ body }) => ({ body: { ...body, code: 'IDEMPOTENCY_KEY_CONFLICT' } }));
const accepted = onStatus(409, () => ({ status: 202, body: {} }));

export const outputBreaches: BreachesByCheck = {
  'outputs.before-publication': [
    ['an output before publication', 'created, not ready: expected [false,true]', 'POST', outputs, accepted],
    ['another code before publication', 'created, not ready: expected [false,true]', 'POST', outputs, anotherCode],
    [
      'an output that cannot be created after publication',
      'created, not ready: expected [true,false]',
      'POST',
      outputs,
      onStatus(202, () => ({ status: 409, body: conflict })),
    ],
    ['an output of every attempt', 'outputs: expected 1', 'GET', outputs, inBody(() => ({ total: 2 }))],
  ],
  'outputs.statuses': [
    [
      'an output that never runs',
      'statuses: expected ["PENDING","RUNNING","COMPLETED"]',
      'GET',
      oneOutput,
      inBody(({ status }) => (status === 'RUNNING' ? { status: 'PENDING' } : {})),
    ],
    [
      'an output that never fails',
      'statuses: expected ["PENDING","RUNNING","FAILED"]',
      'GET',
      oneOutput,
      inBody(({ status }) => (status === 'FAILED' ? { status: 'COMPLETED' } : {})),
    ],
    [
      'an end that is left',
      'a day later: expected "COMPLETED"',
      'GET',
      oneOutput,
      onNthAnswer(
        13,
        inBody(() => ({ status: 'FAILED' })),
      ),
    ],
    ['results that are gone', 'results: expected 2', 'GET', results, inBody(() => ({ items: [] }))],
  ],
  'outputs.digest': [
    ['a result_count of something else', 'result_count', 'GET', oneOutput, inBody(() => ({ result_count: 3 }))],
    [
      'a digest of the file',
      'result_sha256: expected',
      'GET',
      oneOutput,
      countingAnswers((seen, time) => inBody(() => ({ result_sha256: String(time).padStart(64, '0') }))(seen)),
    ],
    [
      'a digest of nothing',
      'result_sha256 of another set must differ',
      'GET',
      oneOutput,
      inBody(() => ({ result_sha256: '0'.repeat(64) })),
    ],
  ],
  'outputs.keys': [
    [
      'the disclosed key that creates again',
      'the disclosed key',
      'POST',
      outputs,
      onNthAnswer(
        2,
        inBody(() => ({ created: true })),
      ),
    ],
    [
      'a key of the client that is disclosed',
      'created with a key',
      'POST',
      outputs,
      onStatus(202, ({ request, body }) =>
        request.headers.get('idempotency-key') === 'mine' ? { body: { ...body, idempotency_key: 'mine' } } : undefined,
      ),
    ],
    ...[4, 5].map(
      (time) =>
        [
          `a replay ${time === 4 ? 'with the same key' : 'without a key'} that creates another output`,
          'a replay: expected',
          'POST',
          outputs,
          onNthAnswer(
            time,
            inBody(() => ({ output_id: crypto.randomUUID() })),
          ),
        ] as const,
    ),
    ['another key that is taken', 'POST /api/v1/orders/{order_id}/outputs: must answer 409', 'POST', outputs, accepted],
    ['a conflict with another code', 'code must be OUTPUT_IDEMPOTENCY_CONFLICT', 'POST', outputs, anotherCode],
  ],
  'outputs.google-sheets': [
    ['a spreadsheet without its URL', 'the spreadsheet', 'GET', oneOutput, inBody(() => ({ location: null }))],
    [
      'the URL of another spreadsheet',
      'the spreadsheet',
      'GET',
      oneOutput,
      inBody(({ location }) => (location === null ? {} : { location: 'https://docs.google.com/spreadsheets/d/other' })),
    ],
    [
      'a spreadsheet that can be downloaded',
      'GET /api/v1/exports/jobs/{export_job_id}/download: must answer 404',
      'GET',
      download,
      onStatus(404, () => ({ status: 302, text: '', headers: { location: '/files/x' } })),
    ],
    [
      'a location of a file',
      'location of a CSV file',
      'GET',
      oneOutput,
      inBody(({ location }) => (location === undefined ? { location: 'https://files.example/a' } : {})),
    ],
  ],
  'outputs.quota': [
    [
      'a 21st output that is created',
      'POST /api/v1/orders/{order_id}/outputs: must answer 409',
      'POST',
      outputs,
      accepted,
    ],
    ['a quota with another code', 'code must be OUTPUT_QUOTA_EXCEEDED', 'POST', outputs, anotherCode],
    [
      'a quota that counts replays',
      'POST /api/v1/orders/{order_id}/outputs: must answer 202',
      'POST',
      outputs,
      countingAnswers((_, time) => (time > 20 ? { status: 409, body: conflict } : undefined)),
    ],
    [
      'a quota that counts other orders',
      'POST /api/v1/orders/{order_id}/outputs: must answer 202',
      'POST',
      outputs,
      onNthAnswer(42, () => ({ status: 409, body: conflict })),
    ],
  ],
  'outputs.pages': [
    [
      'a page of 20 without a limit',
      'the pages: expected [50,51,true,1,false]',
      'GET',
      outputs,
      inPage('', ({ outputs: listed }) => ({ outputs: rows(listed).slice(30) })),
    ],
    [
      'more after the last page',
      'the pages: expected [50,51,true,1,false]',
      'GET',
      outputs,
      inPage('?offset=50', () => ({ has_more: true })),
    ],
    [
      'an output on two pages',
      'different outputs: expected 51',
      'GET',
      outputs,
      onStatus(200, ({ body }) => ({
        body: { ...body, outputs: rows(body['outputs']).map((each) => ({ ...each, ...same })) },
      })),
    ],
    [
      'a limit that is ignored',
      'limit=1: expected 1',
      'GET',
      outputs,
      inPage('?limit=1', ({ outputs: listed }) => ({ outputs: [...rows(listed), ...rows(listed)] })),
    ],
    ['a total of the page', 'total of small pages', 'GET', outputs, inPage('?limit=2&offset=2', () => ({ total: 2 }))],
    ['small pages in another order', 'small pages', 'GET', outputs, inPage('?limit=2', reversed)],
  ],
  'outputs.export-types': [
    [
      'an XLSX export that becomes a CSV file',
      'an export as xlsx: expected ["COMPLETED","xlsx"]',
      'GET',
      oneOutput,
      inBody(() => ({ output_type: 'csv' })),
    ],
    [
      'an export that is never completed',
      'an export as csv: expected ["COMPLETED","csv"]',
      'GET',
      oneOutput,
      inBody(() => ({ status: 'RUNNING' })),
    ],
    [
      'an export that is refused',
      'POST /api/v1/orders/{order_id}/export: must answer 202',
      'POST',
      /\/export$/,
      onStatus(202, () => ({ status: 422, body: { detail: [] } })),
    ],
  ],
  'outputs.empty-order': [
    ['an output without results', 'POST /api/v1/orders/{order_id}/outputs: must answer 409', 'POST', outputs, accepted],
    ['another code without results', 'code must be ORDER_RESULTS_EMPTY', 'POST', outputs, anotherCode],
    [
      'an empty set that is not published',
      'results_published: expected true',
      'GET',
      oneOrder,
      inBody(() => ({ results_published: false, result_summary: null })),
    ],
  ],
};

const same = { output_id: '00000000-0000-4000-8000-000000000001' };
