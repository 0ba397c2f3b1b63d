import { counted, inBody, inPage, on, rows, type BreachesByCheck } from '../breach-changes.ts';

const outputs = /\/outputs$/;
const file = /\/files\//;
const onPost = (time: number, change: Record<string, unknown>) =>
  counted((seen, count) => (count === time ? inBody(() => change)(seen) : undefined));

export const deploymentOutputBreaches: BreachesByCheck = {
  'outputs.create-csv': [
    ['an empty output_id', 'output_id must not be empty', 'POST', outputs, inBody(() => ({ output_id: '' }))],
  ],
  // Two outputs are created before the check sends anything.
  'outputs.replay': [
    [
      'a replay with another output',
      'a replay must give the same output_id',
      'POST',
      outputs,
      onPost(3, { output_id: crypto.randomUUID() }),
    ],
    [
      'a replay that keeps the key secret',
      'idempotency_key must be disclosed when none was sent',
      'POST',
      outputs,
      onPost(3, { idempotency_key: undefined }),
    ],
    [
      'another key in every replay',
      'the server-derived idempotency_key must be the same in every replay',
      'POST',
      outputs,
      onPost(4, { idempotency_key: 'another' }),
    ],
  ],
  'outputs.key-conflict': [
    [
      'a first key that gives another output after a conflict',
      'the first key must give the same output_id',
      'POST',
      outputs,
      onPost(6, { output_id: crypto.randomUUID() }),
    ],
    [
      'a first key that creates again after a conflict',
      'created must be false in a replay',
      'POST',
      outputs,
      onPost(6, { created: true }),
    ],
  ],
  'outputs.list': [
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
  'downloads.csv': [
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
      on(302, () => ({ headers: { location: null } })),
    ],
    ['a file that is gone', 'must end with 200, answered 404', 'GET', file, () => ({ status: 404 })],
    ['an empty file', 'the file is empty', 'GET', file, () => ({ text: '' })],
  ],
};
