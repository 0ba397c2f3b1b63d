import {
  entryPages,
  fault,
  inBody,
  onStatus,
  onNthAnswer,
  oneBlacklist,
  rows,
  type BreachesByCheck,
} from '../breach-changes.ts';
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
  onStatus(201, ({ body }) => ({ body: rows(body).map((entry) => ({ ...entry, ...change })) }));

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
      'entries answered in a wrapper',
      'POST /api/v1/blacklists/{blacklist_id}/entries 201: body: must be array, found object',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: { entries: body } })),
    ],
    [
      'optional fields left out',
      'POST /api/v1/blacklists/{blacklist_id}/entries 201: [].city: must be string, found nothing',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: rows(body).map(({ city: _city, ...entry }) => entry) })),
    ],
    [
      'an entry that is answered twice',
      'one entry sent, 2 answered',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: [...rows(body), anEntry] })),
    ],
    ['another name', 'company_name must be as it was sent', 'POST', entryPages, inEntries({ company_name: 'x' })],
    ['a field that was not sent', 'city not sent, must be null', 'POST', entryPages, inEntries({ city: 'Bern' })],
    [
      'an entry that counts twice',
      'entry_count must be 1 after one entry, found 2',
      'GET',
      oneBlacklist,
      inBody(() => ({ entry_count: 2 })),
    ],
  ],
  'entries.add-refusals': [
    [
      'an empty list of entries that is accepted',
      'POST /api/v1/blacklists/{blacklist_id}/entries: an empty list of entries must be refused with 422, answered 201',
      'POST',
      entryPages,
      onStatus(422, () => ({ status: 201, body: [] })),
    ],
    [
      'a refused entry that is added',
      'refused requests added 1 entries',
      'GET',
      oneBlacklist,
      inBody(() => ({ entry_count: 1 })),
    ],
    [
      'a good entry that is added beside a wrong one',
      'a good entry beside one with a wrong website_url must be refused with 422',
      'POST',
      entryPages,
      onStatus(422, () => ({ status: 201, body: [anEntry] })),
    ],
  ],
  'entries.most': [
    [
      'half of the created entries answered',
      'POST entries: 10000 sent, 5000 answered',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: rows(body).slice(0, 5_000) })),
    ],
    ['one id for all entries', 'entry ids must be unique', 'POST', entryPages, inEntries({ id: anEntry.id })],
    [
      'entries that are not counted',
      'entry_count must be 10000',
      'GET',
      oneBlacklist,
      inBody(() => ({ entry_count: 1 })),
    ],
  ],
  'entries.page-size': [
    [
      'a limit that is ignored',
      'GET entries with limit=200: must hold 200 of 1100, found 50',
      'GET',
      entryPages,
      onStatus(200, ({ body }) => ({ body: { ...body, entries: rows(body['entries']).slice(0, 50) } })),
    ],
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
      onStatus(200, ({ url, body }) =>
        url.searchParams.get('offset') === '1300' ? { body: { ...body, entries: [anEntry] } } : undefined,
      ),
    ],
  ],
  'entries.page-refusals': [
    [
      'limit 201 that is accepted',
      'GET /api/v1/blacklists/{blacklist_id}/entries: limit=201 must be refused with 422, answered 200',
      'GET',
      entryPages,
      onStatus(422, ({ url }) =>
        url.searchParams.get('limit') === '201'
          ? { status: 200, body: { entries: [], total: 0, limit: 200, offset: 0 } }
          : undefined,
      ),
    ],
    [
      'half an offset that is taken',
      'offset=1.5 must be refused with 422',
      'GET',
      entryPages,
      onStatus(422, () => ({ status: 200, body: { entries: [], total: 0, limit: 50, offset: 0 } })),
    ],
  ],
  'entries.page-overlap': [
    [
      'offset that counts pages',
      'GET entries: entry 1 differs between offset=0 and offset=1',
      'GET',
      entryPages,
      onStatus(200, ({ body, url }) =>
        url.searchParams.get('offset') === '1'
          ? { body: { ...body, entries: rows(body['entries']).toReversed() } }
          : undefined,
      ),
    ],
  ],
  'entries.paging': [
    [
      'paging that repeats an entry',
      'GET entries: 1 entries came twice',
      'GET',
      entryPages,
      onStatus(200, ({ body, url }) =>
        url.searchParams.get('offset') === '400'
          ? { body: { ...body, entries: rows(body['entries']).fill(rows(body['entries'])[1] ?? {}, 0, 1) } }
          : undefined,
      ),
    ],
    [
      'a total that changes',
      'GET entries: total must be 1100 on every page',
      'GET',
      entryPages,
      onStatus(200, ({ body, url }) =>
        url.searchParams.get('offset') === '400' ? { body: { ...body, total: 9_999 } } : undefined,
      ),
    ],
  ],
  'entries.remove-refusals': [
    [
      '1,001 ids that are accepted',
      'DELETE /api/v1/blacklists/{blacklist_id}/entries: 1,001 ids must be refused with 422, answered 204',
      'DELETE',
      entryPages,
      onStatus(422, () => ({ status: 204, body: undefined })),
    ],
    [
      'a refused removal that is carried out',
      'refused requests removed 1 entries',
      'GET',
      oneBlacklist,
      onNthAnswer(
        3,
        inBody(({ entry_count }) => ({ entry_count: Number(entry_count) - 1 })),
      ),
    ],
  ],
  'entries.remove': [
    [
      'removed entries that are still counted',
      'DELETE entries: entry_count must be 100, found 1100',
      'GET',
      oneBlacklist,
      inBody(({ entry_count }) => ({ entry_count: Number(entry_count) === 100 ? 1_100 : entry_count })),
    ],
    ['a total that stays', 'total must be 100, found 1100', 'GET', entryPages, inBody(() => ({ total: 1_100 }))],
    ['an entry that stays', '1 removed entries are still listed', 'ANY', entryPages, removingNothing()],
  ],
  'entries.longest': [
    [
      'a website_url that is changed',
      'POST entries: not kept as sent: the entry with the longest fields',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({
        body: rows(body).map((entry) => ({ ...entry, website_url: 'https://conformance.example' })),
      })),
    ],
  ],
  'entries.remove-again': [
    [
      'a second removal answered with 500',
      'DELETE /api/v1/blacklists/{blacklist_id}/entries: answered 500 (INTERNAL_ERROR)',
      'DELETE',
      entryPages,
      onStatus(204, () => ({ status: 500, body: fault })),
    ],
  ],
};
