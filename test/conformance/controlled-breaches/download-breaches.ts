import { download, file, inBody, onStatus, type BreachesByCheck } from '../breach-changes.ts';

export const downloadBreaches: BreachesByCheck = {
  'downloads.rows': [
    [
      'a file before COMPLETED',
      'GET /api/v1/exports/jobs/{export_job_id}/download: must answer 409',
      'GET',
      download,
      onStatus(409, () => ({ status: 302, text: '', headers: { location: '/files/x' } })),
    ],
    [
      'a file that never comes',
      'the download: expected 302',
      'GET',
      download,
      onStatus(302, () => ({ status: 409, body: { code: 'EXPORT_NOT_READY', message: 'x' } })),
    ],
    [
      'a file without Result Reasons',
      'columns of the results',
      'GET',
      file,
      ({ text }) => ({ text: text.replace('Result Reasons', 'Reasons') }),
    ],
    [
      'a file that lacks a row',
      'lines: expected 3',
      'GET',
      file,
      ({ text }) => ({ text: text.trim().split('\r\n').slice(0, -1).join('\r\n') }),
    ],
    [
      'reasons without their detail',
      'Result Reasons must show message and detail',
      'GET',
      file,
      ({ text }) => ({ text: text.replaceAll('(', '[') }),
    ],
    [
      'an export that is another output',
      'POST export: expected',
      'POST',
      /\/export$/,
      inBody(() => ({ output_id: crypto.randomUUID() })),
    ],
  ],
};
