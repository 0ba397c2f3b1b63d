import {
  download,
  fault,
  file,
  inBody,
  inPage,
  onStatus,
  onNthAnswer,
  oneOutput,
  outputs,
  rows,
  websiteMarkdown,
  type BreachesByCheck,
} from '../breach-changes.ts';

export const deploymentOutputBreaches: BreachesByCheck = {
  'outputs.create-csv': [
    [
      'an output without created',
      'POST outputs: created must be true for a fresh dispatch',
      'POST',
      outputs,
      onStatus(202, ({ body }) => ({ body: { ...body, created: undefined } })),
    ],
    ['an empty output_id', 'output_id must not be empty', 'POST', outputs, inBody(() => ({ output_id: '' }))],
  ],
  'outputs.create-xlsx': [
    [
      'an idempotency_key of the server that is not disclosed',
      'POST outputs: idempotency_key must be disclosed when none was sent',
      'POST',
      outputs,
      onStatus(202, ({ body }) => ({ body: { ...body, idempotency_key: undefined } })),
    ],
  ],
  // Two outputs are created before the check sends anything.
  'outputs.replay': [
    [
      'a replay that is created again',
      'POST outputs: created must be false in a replay',
      'POST',
      outputs,
      onStatus(202, ({ body }) => ({ body: { ...body, created: true } })),
    ],
    [
      'a replay with another output',
      'a replay must give the same output_id',
      'POST',
      outputs,
      onNthAnswer(
        3,
        inBody(() => ({ output_id: crypto.randomUUID() })),
      ),
    ],
    [
      'a replay that keeps the key secret',
      'idempotency_key must be disclosed when none was sent',
      'POST',
      outputs,
      onNthAnswer(
        3,
        inBody(() => ({ idempotency_key: undefined })),
      ),
    ],
    [
      'another key in every replay',
      'the server-derived idempotency_key must be the same in every replay',
      'POST',
      outputs,
      onNthAnswer(
        4,
        inBody(() => ({ idempotency_key: 'another' })),
      ),
    ],
  ],
  'outputs.key-conflict': [
    [
      'a second key that is accepted',
      'POST /api/v1/orders/{order_id}/outputs: must answer 409, answered 202',
      'POST',
      outputs,
      onStatus(409, () => ({ status: 202, body: {} })),
    ],
    [
      'a first key that gives another output after a conflict',
      'the first key must give the same output_id',
      'POST',
      outputs,
      onNthAnswer(
        6,
        inBody(() => ({ output_id: crypto.randomUUID() })),
      ),
    ],
    [
      'a first key that creates again after a conflict',
      'created must be false in a replay',
      'POST',
      outputs,
      onNthAnswer(
        6,
        inBody(() => ({ created: true })),
      ),
    ],
  ],
  'outputs.csv-completed': [
    [
      'another output than the one asked for',
      'GET output: must answer the output asked for',
      'GET',
      oneOutput,
      inBody(() => ({ output_id: crypto.randomUUID() })),
    ],
  ],
  'outputs.list': [
    [
      'an output that is not listed',
      'GET outputs: 1 outputs that were created are not listed',
      'GET',
      outputs,
      inBody(({ outputs }) => ({ outputs: rows(outputs).slice(1) })),
    ],
    [
      'a total below the page',
      'total must not be below the number of outputs',
      'GET',
      outputs,
      inBody(() => ({ total: 0 })),
    ],
    [
      'a small page without has_more',
      'GET outputs with limit=1: has_more must say whether there are more',
      'GET',
      outputs,
      inPage('?limit=1&offset=0', () => ({ has_more: false })),
    ],
    [
      'a limit that is ignored',
      'GET outputs with limit=1: must hold 1, found 2',
      'GET',
      outputs,
      inPage('?limit=1&offset=0', ({ outputs: listed }) => ({ outputs: [...rows(listed), ...rows(listed)] })),
    ],
  ],
  'outputs.refusals': [
    [
      'an unknown output_type that is accepted',
      'POST /api/v1/orders/{order_id}/outputs: an unknown output_type must be refused with 422, answered 202',
      'POST',
      outputs,
      onStatus(422, () => ({ status: 202, body: {} })),
    ],
  ],
  'outputs.xlsx-completed': [
    [
      'an XLSX output without its export job',
      'GET /api/v1/orders/{order_id}/outputs/{output_id} 200: export_job_id: must be string, found nothing',
      'GET',
      oneOutput,
      inBody(() => ({ export_job_id: undefined })),
    ],
  ],
  'outputs.export': [
    [
      'an export without its handles',
      'POST /api/v1/orders/{order_id}/export: answered 202, must give output_id, export_job_id and status',
      'POST',
      /\/export$/,
      inBody(() => ({ export_job_id: undefined })),
    ],
  ],
  'downloads.csv': [
    [
      'a file without the column',
      'GET download: the CSV file lacks the columns Result Status, Result Reasons',
      'GET',
      file,
      () => ({ body: ['Result Status'] }),
    ],
    [
      'another status in the file',
      'Result Status must say what the results say, row by row',
      'GET',
      file,
      ({ text }) => ({ text: text.replaceAll('UNRESOLVED', 'PARTIAL') }),
    ],
    [
      'a redirect to nowhere',
      'a redirect must carry a location',
      'GET',
      /\/download$/,
      onStatus(302, () => ({ headers: { location: null } })),
    ],
    ['a file that is gone', 'must end with 200, answered 404', 'GET', file, () => ({ status: 404 })],
    ['an empty file', 'the file is empty', 'GET', file, () => ({ text: '' })],
  ],
  'downloads.xlsx': [
    [
      'an XLSX file that is not a ZIP file',
      'GET download: the XLSX file must be a ZIP file, found 9 bytes of something else',
      'GET',
      file,
      () => ({ body: 'nothing' }),
    ],
  ],
  'downloads.unknown-job': [
    [
      'a redirect for an unknown export job',
      'GET /api/v1/exports/jobs/{export_job_id}/download: must answer 404, answered 302',
      'GET',
      download,
      onStatus(404, () => ({ status: 302, body: undefined })),
    ],
  ],
  'deliveries.list': [
    [
      'a listing with removed fields',
      'GET deliveries: 1 prospects have a field that was removed from the specification',
      'GET',
      /\/companies$/,
      inBody(() => ({ companies: [{ id: crypto.randomUUID(), prospects: [{ validation_confidence: 1 }] }] })),
    ],
  ],
  'deliveries.unknown-id': [
    [
      'deliveries of an unknown search that are answered',
      'GET /api/v1/deliveries/{prospect_search_id}/companies: must answer 404, answered 200',
      'GET',
      /\/deliveries\//,
      onStatus(404, () => ({ status: 200, body: {} })),
    ],
  ],
  'deliveries.website-markdown': [
    [
      'a delivered company without a website text',
      'GET /api/v1/deliveries/{prospect_search_id}/companies/{company_id}/website-markdown: must answer 200, answered 404 (INTERNAL_ERROR)',
      'GET',
      websiteMarkdown,
      onStatus(200, () => ({ status: 404, body: fault })),
    ],
  ],
};
