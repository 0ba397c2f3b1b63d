import { answer, drop, header, invalidBody, keep, other, repeat, replaceText, reverse } from './answer-mutations.ts';
import { compute, mutation, set } from './answer-mutations.ts';
import type { BreachesByCheck } from './breached-deployment.ts';

const id = '00000000-0000-4000-8000-000000000001';
const conflict = answer(409, { code: 'OUTPUT_QUOTA_EXCEEDED', message: 'x' });
const anotherCode = set('code', 'IDEMPOTENCY_KEY_CONFLICT');
const accepted = answer(202, {});

export const outputBreaches: BreachesByCheck = {
  'outputs.create-csv': [
    ['createOutput', drop('created'), 'POST outputs: created must be true for a fresh dispatch'],
    ['createOutput', set('output_id', ''), 'output_id must not be empty'],
  ],
  'outputs.create-xlsx': [
    ['createOutput', drop('idempotency_key'), 'idempotency_key must be disclosed when none was sent'],
  ],
  // Two outputs are created before the check sends anything.
  'outputs.replay': [
    ['createOutput', set('created', true), 'POST outputs: created must be false in a replay'],
    ['createOutput #3', other('output_id'), 'a replay must give the same output_id'],
    ['createOutput #3', drop('idempotency_key'), 'idempotency_key must be disclosed when none was sent'],
    [
      'createOutput #4',
      other('idempotency_key'),
      'the server-derived idempotency_key must be the same in every replay',
    ],
  ],
  'outputs.key-conflict': [
    ['createOutput 409', accepted, 'POST /api/v1/orders/{order_id}/outputs: must answer 409, answered 202'],
    ['createOutput #6', other('output_id'), 'the first key must give the same output_id'],
    ['createOutput #6', set('created', true), 'created must be false in a replay'],
  ],
  'outputs.csv-completed': [['getOutput', other('output_id'), 'GET output: must answer the output asked for']],
  'outputs.list': [
    ['listOutputs', keep('outputs', 1), 'GET outputs: 1 outputs that were created are not listed'],
    ['listOutputs', set('total', 0), 'total must not be below the number of outputs'],
    ['listOutputs ?limit=1&offset=0', set('has_more', false), 'with limit=1: has_more must say whether there are more'],
    ['listOutputs ?limit=1&offset=0', repeat('outputs'), 'GET outputs with limit=1: must hold 1, found 2'],
  ],
  'outputs.refusals': [['createOutput 422', accepted, 'an unknown output_type must be refused with 422, answered 202']],
  'outputs.xlsx-completed': [['getOutput', drop('export_job_id'), '200: export_job_id: must be string, found nothing']],
  'outputs.export': [
    ['createExport', drop('export_job_id'), 'answered 202, must give output_id, export_job_id and status'],
  ],
  'outputs.before-publication': [
    ['createOutput 409', accepted, 'created, not ready: expected [false,true]'],
    ['createOutput 409', anotherCode, 'created, not ready: expected [false,true]'],
    ['createOutput', conflict, 'created, not ready: expected [true,false]'],
    ['listOutputs', other('total'), 'outputs: expected 1'],
  ],
  'outputs.statuses': [
    ['getOutput status=RUNNING', set('status', 'PENDING'), 'statuses: expected ["PENDING","RUNNING","COMPLETED"]'],
    ['getOutput status=FAILED', set('status', 'COMPLETED'), 'statuses: expected ["PENDING","RUNNING","FAILED"]'],
    ['getOutput #13', set('status', 'FAILED'), 'a day later: expected "COMPLETED"'],
    ['listResults', set('items', []), 'results: expected 2'],
  ],
  'outputs.digest': [
    ['getOutput', set('result_count', 3), 'result_count'],
    ['getOutput', other('result_sha256'), 'result_sha256: expected'],
    ['getOutput', set('result_sha256', '0'.repeat(64)), 'result_sha256 of another set must differ'],
  ],
  'outputs.keys': [
    ['createOutput #2', set('created', true), 'the disclosed key'],
    ['createOutput', discloseOwnKey(), 'created with a key'],
    ['createOutput #4', other('output_id'), 'a replay: expected'],
    ['createOutput #5', other('output_id'), 'a replay: expected'],
    ['createOutput 409', accepted, 'POST /api/v1/orders/{order_id}/outputs: must answer 409'],
    ['createOutput 409', anotherCode, 'code must be OUTPUT_IDEMPOTENCY_CONFLICT'],
  ],
  'outputs.google-sheets': [
    ['getOutput', set('location', null), 'the spreadsheet'],
    ['getOutput', otherSpreadsheet(), 'the spreadsheet'],
    ['downloadExport 404', redirect(), 'GET /api/v1/exports/jobs/{export_job_id}/download: must answer 404'],
    ['getOutput output_type=csv', set('location', 'https://files.example/a'), 'location of a CSV file'],
  ],
  'outputs.quota': [
    ['createOutput 409', accepted, 'POST /api/v1/orders/{order_id}/outputs: must answer 409'],
    ['createOutput 409', anotherCode, 'code must be OUTPUT_QUOTA_EXCEEDED'],
    ['createOutput #21+', conflict, 'POST /api/v1/orders/{order_id}/outputs: must answer 202'],
    ['createOutput #42', conflict, 'POST /api/v1/orders/{order_id}/outputs: must answer 202'],
  ],
  'outputs.pages': [
    ['listOutputs ?', keep('outputs', 30), 'the pages: expected [50,51,true,1,false]'],
    ['listOutputs ?offset=50', set('has_more', true), 'the pages: expected [50,51,true,1,false]'],
    ['listOutputs', set('outputs[].output_id', id), 'different outputs: expected 51'],
    ['listOutputs ?limit=1', repeat('outputs'), 'limit=1: expected 1'],
    ['listOutputs ?limit=2&offset=2', set('total', 2), 'total of small pages'],
    ['listOutputs ?limit=2', reverse('outputs'), 'small pages'],
  ],
  'outputs.export-types': [
    ['getOutput', set('output_type', 'csv'), 'an export as xlsx: expected ["COMPLETED","xlsx"]'],
    ['getOutput', set('status', 'RUNNING'), 'an export as csv: expected ["COMPLETED","csv"]'],
    ['createExport', answer(422, invalidBody), 'POST /api/v1/orders/{order_id}/export: must answer 202'],
  ],
  'outputs.empty-order': [
    ['createOutput 409', accepted, 'POST /api/v1/orders/{order_id}/outputs: must answer 409'],
    ['createOutput 409', anotherCode, 'code must be ORDER_RESULTS_EMPTY'],
    ['getOrder', set('results_published', false), 'results_published: expected true'],
  ],
  'downloads.csv': [
    ['file', text('Status'), 'the CSV file lacks the columns Result Status, Result Reasons'],
    ['file', replaceText('UNRESOLVED', 'PARTIAL'), 'Result Status must say what the results say, row by row'],
    ['downloadExport 302', header('location', null), 'a redirect must carry a location'],
    ['file', mutation('answers 404', () => ({ status: 404 })), 'must end with 200, answered 404'],
    ['file', text(''), 'the file is empty'],
  ],
  'downloads.xlsx': [['file', text('nothing'), 'the XLSX file must be a ZIP file, found 7 bytes of something else']],
  'downloads.unknown-job': [
    [
      'downloadExport 404',
      redirect(),
      'GET /api/v1/exports/jobs/{export_job_id}/download: must answer 404, answered 302',
    ],
  ],
  'downloads.rows': [
    ['downloadExport 409', redirect(), 'GET /api/v1/exports/jobs/{export_job_id}/download: must answer 409'],
    ['downloadExport 302', answer(409, { code: 'EXPORT_NOT_READY', message: 'x' }), 'the download: expected 302'],
    ['file', replaceText('Result Reasons', 'Reasons'), 'columns of the results'],
    ['file', dropLastLine(), 'lines: expected 3'],
    ['file', replaceText('(', '['), 'Result Reasons must show message and detail'],
    ['createExport', other('output_id'), 'POST export: expected'],
  ],
};

function redirect() {
  return mutation('redirects', () => ({ status: 302, text: '', headers: { location: '/files/x' } }));
}

function text(text: string) {
  return mutation(`"${text}" as file`, () => ({ text }));
}

function dropLastLine() {
  return mutation('drops the last line', ({ text }) => ({ text: text.trim().split('\r\n').slice(0, -1).join('\r\n') }));
}

function discloseOwnKey() {
  return compute(
    'the sent key as',
    'idempotency_key',
    (key, { request }) => request.headers.get('idempotency-key') ?? key,
  );
}

function otherSpreadsheet() {
  return compute(
    'another spreadsheet as',
    'location',
    (location: string | null) => location && 'https://docs.google.com/spreadsheets/d/other',
  );
}
