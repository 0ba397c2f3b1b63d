import {
  answer,
  append,
  compute,
  drop,
  foreignBlacklist,
  foreignEntry,
  invalidBody,
  keep,
  merge,
  other,
} from './answer-mutations.ts';
import { fault, repeat, reverse, row, rows, set, whenSent, type Row } from './answer-mutations.ts';
import type { Breach, BreachesByCheck } from './breached-deployment.ts';

const emptyEntries = { entries: [], total: 0, limit: 50, offset: 0 };
const own = '11111111-1111-4111-8111-111111111111';
const later = '2026-11-21T00:00:01.000000Z';
const withoutMicroseconds = { ...foreignBlacklist, created_at: '2026-11-01T10:00:00Z' };

export const blacklistBreaches: BreachesByCheck = {
  'blacklists.list': [
    ['listBlacklists', append('blacklists', withoutMicroseconds), '200: blacklists[].created_at: must be ISO 8601 UTC'],
    ['listBlacklists', set('blacklists', [foreignBlacklist]), 'GET /api/v1/blacklists/{blacklist_id}: must answer 200'],
  ],
  'blacklists.unknown-id': [
    ['getBlacklist 404', drop('blacklist_id'), '404: blacklist_id: must be string, found nothing'],
    ['getBlacklist 404', set('code', 'NOT_FOUND'), 'code must be BLACKLIST_NOT_FOUND, answered 404 (NOT_FOUND)'],
    ['getBlacklist 404', other('blacklist_id'), '404: blacklist_id must be the id asked for'],
    ['getBlacklist 404', other('identifier'), '404: identifier must be the id asked for'],
  ],
  'blacklists.malformed-id': [
    ['getBlacklist 422', answer(500, fault), 'an id that is not a UUID must be refused with 422, answered 500'],
  ],
  'blacklists.create': [
    ['createBlacklist', answer(200, foreignBlacklist), 'POST /api/v1/blacklists: must answer 201, answered 200'],
    ['createBlacklist', other('name'), 'name must be as it was sent'],
    ['createBlacklist', other('description'), 'description must be as sent'],
    ['createBlacklist', other('entry_count'), 'entry_count must be 0'],
    ['getBlacklist', other('name'), 'must answer what was created'],
    ['listBlacklists', set('blacklists', []), 'must list the new blacklist once'],
    ['listBlacklists', repeat('blacklists'), 'must list the new blacklist once'],
  ],
  'blacklists.create-refusals': [
    ...['an empty name', 'a description that is a number', 'an empty body'].map((what): Breach => [
      'createBlacklist 422',
      answer(201, foreignBlacklist),
      `${what} must be refused with 422, answered 201`,
    ]),
    [
      'listBlacklists #3',
      append('blacklists', { ...foreignBlacklist, name: '' }),
      'refused requests created 1 blacklis',
    ],
  ],
  'blacklists.limits': [
    ['getBlacklist', shorten('name'), 'a name of 500 characters must be kept whole'],
    ['getBlacklist', shorten('description'), 'a description of 2,000 characters must be kept whole'],
    [
      'createBlacklist',
      compute('an empty text as', 'description', (text) => text ?? ''),
      'a description not sent must be null',
    ],
    ['updateBlacklist', shorten('name'), 'PATCH: a name of 500 characters'],
    ['updateBlacklist', shorten('description'), 'PATCH: 2,000 characters'],
  ],
  'blacklists.patch': [
    ['updateBlacklist', set('description', null), 'PATCH with only name: description is not right'],
    ['updateBlacklist', other('name'), 'PATCH with only name: name is not'],
  ],
  'blacklists.patch-refusals': [
    ['updateBlacklist 422', answer(200, foreignBlacklist), 'a null name must be refused with 422, answered 200'],
    ['getBlacklist #3', other('name'), 'PATCH: a refused change must change nothing'],
  ],
  'blacklists.delete': [
    ['deleteBlacklist', answer(200, {}), 'DELETE /api/v1/blacklists/{blacklist_id}: must answer 204, answered 200'],
    ['deleteBlacklist 404', answer(204), 'DELETE /api/v1/blacklists/{blacklist_id}: must answer 404, answered 204'],
    ['listBlacklists', listDeletedBlacklist(), 'lists a deleted blacklist'],
  ],
  'blacklists.write-unknown-id': [
    ['deleteBlacklist 404', answer(204), 'DELETE /api/v1/blacklists/{blacklist_id}: must answer 404, answered 204'],
    ['updateBlacklist 404', answer(200, foreignBlacklist), 'PATCH /api/v1/blacklists/{blacklist_id}: must answer 404'],
    ['addEntries 404', answer(201, []), 'POST /api/v1/blacklists/{blacklist_id}/entries: must answer 404'],
    ['removeEntries 404', answer(204), 'DELETE /api/v1/blacklists/{blacklist_id}/entries: must answer 404'],
  ],
  'blacklists.timestamps': [
    ['getBlacklist', set('updated_at', later), 'an hour later'],
    ['updateBlacklist', set('created_at', later), 'the blacklist after a change'],
    ['updateBlacklist', other('description'), 'the blacklist after a change'],
    ['updateBlacklist', copyCreatedAt(), 'updated_at after a change: expected 3600'],
  ],
  'blacklists.matching': Array.from({ length: 13 }, (_, index): Breach => {
    const isExcluded = [0, 4, 5, 6, 9, 11].includes(index);
    // The first order has no entry.
    return [`listResults #${index + 2}`, matchWrongly(), `expected ${isExcluded}, found ${!isExcluded}`];
  }),
  'entries.add': [
    [
      'addEntries',
      compute('a wrapper around the entries', '', (entries) => ({ entries })),
      '201: body: must be array, found object',
    ],
    ['addEntries', drop('[].city'), '201: [].city: must be string, found nothing'],
    ['addEntries', append('', foreignEntry), 'one entry sent, 2 answered'],
    ['addEntries', other('[].company_name'), 'company_name must be as it was sent'],
    ['addEntries', other('[].city'), 'city not sent, must be null'],
    ['getBlacklist', other('entry_count'), 'entry_count must be 1 after one entry, found 2'],
  ],
  'entries.add-refusals': [
    ['addEntries 422', answer(201, []), 'an empty list of entries must be refused with 422, answered 201'],
    ['getBlacklist', set('entry_count', 1), 'refused requests added 1 entries'],
    ['addEntries 422', answer(201, [foreignEntry]), 'a good entry beside one with a wrong website_url must be refused'],
  ],
  'entries.most': [
    ['addEntries', keep('', 0, 5_000), 'POST entries: 10000 sent, 5000 answered'],
    ['addEntries', merge({ id: own }, '[]'), 'entry ids must be unique'],
    ['getBlacklist', set('entry_count', 1), 'entry_count must be 10000'],
  ],
  'entries.page-size': [
    ['listEntries', keep('entries', 0, 50), 'GET entries with limit=200: must hold 200 of 1100, found 50'],
    ['listEntries', set('limit', 7), 'GET entries with limit=1: limit must be 1, found 7'],
    ['listEntries', set('offset', 7), 'offset must be 0, found 7'],
    ['listEntries ?offset=1300', append('entries', foreignEntry), 'a page beyond the end must be empty'],
  ],
  'entries.page-refusals': [
    ['listEntries 422 ?limit=201', answer(200, emptyEntries), 'limit=201 must be refused with 422, answered 200'],
    ['listEntries 422', answer(200, emptyEntries), 'offset=1.5 must be refused with 422'],
  ],
  'entries.page-overlap': [
    ['listEntries ?offset=1', reverse('entries'), 'GET entries: entry 1 differs between offset=0 and offset=1'],
  ],
  'entries.paging': [
    ['listEntries ?offset=400', compute('the second twice in', 'entries', secondTwice), '1 entries came twice'],
    ['listEntries ?offset=400', keep('entries', 1), 'GET entries: 1 of 1100 entries did not come'],
    ['listEntries ?offset=400', other('total'), 'GET entries: total must be 1100 on every page'],
  ],
  'entries.remove-refusals': [
    ['removeEntries 422', answer(204), '1,001 ids must be refused with 422, answered 204'],
    [
      'getBlacklist #3',
      compute('one less as', 'entry_count', (count: number) => count - 1),
      'refused requests removed 1 entries',
    ],
  ],
  'entries.remove': [
    ['getBlacklist entry_count=100', set('entry_count', 1_100), 'DELETE entries: entry_count must be 100, found 1100'],
    ['listEntries', set('total', 1_100), 'total must be 100, found 1100'],
    ['listEntries', listRemovedEntry(), '1 removed entries are still listed'],
  ],
  'entries.longest': [
    ['addEntries', other('[].website_url'), 'POST entries: not kept as sent: the entry with the longest fields'],
  ],
  'entries.remove-again': [['removeEntries', answer(500, fault), 'answered 500 (INTERNAL_ERROR)']],
  'entries.timestamps': [
    ['listEntries', merge({ created_at: later }, 'entries[]'), 'created_at: expected 90, found 0'],
    ['addEntries', other('[].created_at'), 'the entry as read'],
    ['listEntries', append('entries', { ...foreignEntry, id: own }), 'an id of the client was taken'],
  ],
  'entries.count': [
    ['addEntries', reverse(''), 'the answered entries'],
    ['listEntries', reverse('entries'), 'names as sent'],
    ['listEntries ?limit=2', set('total', 4), 'total, limit and offset'],
    ['listEntries ?limit=2', reverse('entries'), 'pages of two'],
    ['listEntries total=4', compute('the last twice in', 'entries', lastTwice), 'entries after a removal'],
    ['listEntries total=4', reverse('entries'), 'the first entry must stay the first'],
    ['getBlacklist', set('entry_count', 5), 'entry_count after a removal: expected 4, found 5'],
    ['listBlacklists', other('blacklists[].entry_count'), 'the list of blacklists'],
  ],
  'entries.values': [
    ...['website_url', 'city', 'country', 'external_id', 'reason', 'company_name'].map((field): Breach => [
      'addEntries 422',
      whenSent(({ entries }) => row(rows(entries)[0])[field] === 7, answer(201, [])),
      `${field} 7 must be refused with 422`,
    ]),
    ['addEntries 422', answer(201, []), 'website_url "ftp://acme.example" must be refused with 422'],
    ['listEntries total=0', set('total', 1), 'total: expected 0, found 1'],
    ['addEntries', set('[].city', ''), 'null: expected'],
    ['listEntries', set('entries[].city', ''), 'the entry as read'],
    ['removeEntries 422', answer(204), 'a body without entry_ids must be refused with 422'],
  ],
  'assignments.replace': [
    [
      'listAssignedBlacklists',
      append('blacklists', foreignBlacklist),
      'after two lists exactly 2 must be assigned, found 3',
    ],
  ],
  'assignments.unknown-blacklist': [
    [
      'assignBlacklists 404',
      answer(204),
      'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: must answer 404',
    ],
  ],
  'assignments.duplicates': [
    ['listAssignedBlacklists', repeat('blacklists'), 'after one list sent twice exactly 1 must be assigned, found 2'],
  ],
  'assignments.unknown-search': [
    ['listAssignedBlacklists 404', answer(500, fault), 'answered 500 (INTERNAL_ERROR), must be 404'],
  ],
  'assignments.refusals': [['assignBlacklists 422', answer(204), '101 ids must be refused with 422, answered 204']],
  'assignments.deletion': [
    ['listAssignedBlacklists', set('blacklists', []), 'after a deletion exactly 1 must be assigned, found 0'],
  ],
  'assignments.empty': [
    [
      'listAssignedBlacklists',
      set('blacklists', [foreignBlacklist]),
      'after an empty list exactly 0 must be assigned, found 1',
    ],
  ],
  'assignments.most': [
    ['assignBlacklists 422', answer(204), '/blacklists: must answer 422'],
    ['assignBlacklists', answer(422, invalidBody), '/blacklists: must answer 204'],
    ['listAssignedBlacklists #1', append('blacklists', foreignBlacklist), 'assigned at first: expected 0, found 1'],
    ['listAssignedBlacklists', set('blacklists[].entry_count', 0), 'an assigned blacklist'],
    ['listAssignedBlacklists', keep('blacklists', 0, 50), 'assigned of 100: expected 100, found 50'],
    ['listAssignedBlacklists', repeat('blacklists'), 'assigned of 60: expected 30, found 60'],
  ],
};

function secondTwice([, second, ...rest]: Row[]) {
  return [second, second, ...rest];
}

function lastTwice([, ...entries]: Row[]) {
  return [...entries, entries.at(-1)];
}

function shorten(member: string) {
  return compute('drops the first character of', member, (text: string | null) => text?.slice(1) ?? null);
}

function copyCreatedAt() {
  return compute('created_at as updated_at', '', (blacklist: Row) => ({
    ...blacklist,
    updated_at: blacklist['created_at'],
  }));
}

function listDeletedBlacklist() {
  return compute('a deleted one in', 'blacklists', (list: Row[], { earlier }) => {
    const deletion = earlier.find(({ request, status }) => request.method === 'DELETE' && status === 204);
    return deletion ? [...list, { ...foreignBlacklist, id: deletion.url.pathname.split('/').at(-1) }] : list;
  });
}

function listRemovedEntry() {
  return compute('a removed one in', 'entries', (entries: Row[], { earlier }) => {
    const [id] = earlier.flatMap(({ sent }) => (sent['entry_ids'] ?? []) as string[]);
    return id === undefined ? entries : [...entries, { ...foreignEntry, id }];
  });
}

/** Finds the first company although it is excluded, or another one although it is not. */
function matchWrongly() {
  return compute('the company of the opposite result as', 'items[0].company', (company: Row, { earlier }) => {
    const [first] = earlier.flatMap(({ url, body }) => (url.pathname.endsWith('/results') ? rows(body['items']) : []));
    const expected = row(first?.['company']);
    return company['id'] === expected['id'] ? { ...company, id: own } : expected;
  });
}
