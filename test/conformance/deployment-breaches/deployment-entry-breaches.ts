import { counted, entryPages, inBody, on, oneList, rows, type BreachesByCheck } from '../breach-changes.ts';
import type { Change, Seen } from '../conformance-harness.ts';

const anEntry = {
  id: '00000000-0000-4000-8000-000000000001',
  company_name: 'A',
  website_url: null,
  city: null,
  country: null,
  external_id: null,
  reason: null,
  created_at: '2026-11-01T10:00:00.000000Z',
};
const inEntries = (change: Record<string, unknown>) =>
  on(201, ({ body }) => ({ body: rows(body).map((entry) => ({ ...entry, ...change })) }));

function removingNothing() {
  let removed: unknown;
  return ({ request, status, sent, body }: Seen): Change => {
    if (request.method === 'DELETE' && status === 204) removed = (sent['entry_ids'] as unknown[])[0];
    if (request.method !== 'GET' || removed === undefined) return undefined;
    return { body: { ...body, entries: [...rows(body['entries']), { ...anEntry, id: removed }] } };
  };
}

export const deploymentEntryBreaches: BreachesByCheck = {
  'entries.add': [
    [
      'an entry that is answered twice',
      'one entry sent, 2 answered',
      'POST',
      entryPages,
      on(201, ({ body }) => ({ body: [...rows(body), anEntry] })),
    ],
    ['another name', 'company_name must be as it was sent', 'POST', entryPages, inEntries({ company_name: 'x' })],
    ['a field that was not sent', 'city not sent, must be null', 'POST', entryPages, inEntries({ city: 'Bern' })],
    [
      'an entry that counts twice',
      'entry_count must be 1 after one entry, found 2',
      'GET',
      oneList,
      inBody(() => ({ entry_count: 2 })),
    ],
  ],
  'entries.most': [
    ['one id for all entries', 'entry ids must be unique', 'POST', entryPages, inEntries({ id: anEntry.id })],
    ['entries that are not counted', 'entry_count must be 10000', 'GET', oneList, inBody(() => ({ entry_count: 1 }))],
  ],
  'entries.add-refusals': [
    [
      'a refused entry that is added',
      'refused requests added 1 entries',
      'GET',
      oneList,
      inBody(() => ({ entry_count: 1 })),
    ],
    [
      'a good entry that is added beside a wrong one',
      'a good entry beside one with a wrong website_url must be refused with 422',
      'POST',
      entryPages,
      on(422, () => ({ status: 201, body: [anEntry] })),
    ],
  ],
  'entries.page-size': [
    [
      'another limit',
      'GET entries with limit=1: limit must be 1, found 7',
      'GET',
      entryPages,
      inBody(() => ({ limit: 7 })),
    ],
    ['another offset', 'offset must be 0, found 7', 'GET', entryPages, inBody(() => ({ offset: 7 }))],
    [
      'an entry beyond the end',
      'a page beyond the end must be empty',
      'GET',
      entryPages,
      on(200, ({ url, body }) =>
        url.searchParams.get('offset') === '1300' ? { body: { ...body, entries: [anEntry] } } : undefined,
      ),
    ],
  ],
  'entries.page-refusals': [
    [
      'half an offset that is taken',
      'offset=1.5 must be refused with 422',
      'GET',
      entryPages,
      on(422, () => ({ status: 200, body: { entries: [], total: 0, limit: 50, offset: 0 } })),
    ],
  ],
  'entries.remove-refusals': [
    [
      'a refused removal that is carried out',
      'refused requests removed 1 entries',
      'GET',
      oneList,
      counted((seen, time) =>
        time === 3 ? inBody(({ entry_count }) => ({ entry_count: Number(entry_count) - 1 }))(seen) : undefined,
      ),
    ],
  ],
  'entries.remove': [
    ['a total that stays', 'total must be 100, found 1100', 'GET', entryPages, inBody(() => ({ total: 1_100 }))],
    ['an entry that stays', '1 removed entries are still listed', 'ANY', entryPages, removingNothing()],
  ],
};
