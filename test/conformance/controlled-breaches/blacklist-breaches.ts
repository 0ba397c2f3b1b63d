import {
  assignedBlacklists,
  countingAnswers,
  entryPages,
  foreignBlacklist,
  inBody,
  onStatus,
  oneBlacklist,
  results,
  row,
  rows,
  type BreachesByCheck,
  type Row,
} from '../breach-changes.ts';
import type { Seen } from '../conformance-harness.ts';

const own = '11111111-1111-4111-8111-111111111111';
const later = '2026-11-21T00:00:01.000000Z';
const inEntries = (change: (entries: Row[], seen: Seen) => Row[]) =>
  onStatus(200, (seen) => ({ body: { ...seen.body, entries: change(rows(seen.body['entries']), seen) } }));
const inPagesOfTwo = (change: (body: Row) => Row) =>
  onStatus(200, ({ url, body }) =>
    url.searchParams.get('limit') === '2' ? { body: { ...body, ...change(body) } } : undefined,
  );
const inAssigned = (change: (blacklists: Row[]) => Row[]) =>
  inBody(({ blacklists }) => ({ blacklists: change(rows(blacklists)) }));

/** The order of one entry gets the first company although it is excluded, or another one although it is not. */
function matchingWrongly(order: number) {
  let first: Row | undefined;
  return countingAnswers(({ body, status }, time) => {
    if (status !== 200) return undefined;
    const [slot] = rows(body['items']);
    first ??= row(slot?.['company']);
    if (time !== order) return undefined;
    const isExcluded = row(slot?.['company'])['id'] !== first['id'];
    const company = isExcluded ? first : { ...first, id: own };
    return { body: { ...body, items: [{ ...slot, company }] } };
  });
}

/** The first order has no entry. */
const entriesOfOrders = [
  ['the external_id', true],
  ['a longer external_id', false],
  ['a shorter external_id', false],
  ['an external_id with a space', false],
  ['another page of the domain', true],
  ['the domain with www and https', true],
  ['the domain with www', true],
  ['a domain that ends in the same way', false],
  ['a URL that names the domain in its path', false],
  ['name and city', true],
  ['the city alone', false],
  ['the name', true],
  ['a longer name', false],
] as const;

export const blacklistBreaches: BreachesByCheck = {
  'blacklists.timestamps': [
    ['an updated_at that moves with time', 'an hour later', 'GET', oneBlacklist, inBody(() => ({ updated_at: later }))],
    [
      'a created_at that moves',
      'the blacklist after a change',
      'PATCH',
      oneBlacklist,
      inBody(() => ({ created_at: later })),
    ],
    [
      'a changed description',
      'the blacklist after a change',
      'PATCH',
      oneBlacklist,
      inBody(() => ({ description: 'x' })),
    ],
    [
      'an updated_at that stays',
      'updated_at after a change: expected 3600',
      'PATCH',
      oneBlacklist,
      inBody(({ created_at }) => ({ updated_at: created_at })),
    ],
  ],
  'entries.timestamps': [
    [
      'entries that all have the time of the first',
      'created_at: expected 90, found 0',
      'GET',
      entryPages,
      inEntries((entries) => entries.map((entry) => ({ ...entry, created_at: entries[0]?.['created_at'] }))),
    ],
    [
      'an entry that is answered with another time',
      'the entry as read',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: rows(body).map((entry) => ({ ...entry, created_at: later })) })),
    ],
    [
      'an id of the client that is taken',
      'an id of the client was taken',
      'GET',
      entryPages,
      inEntries((entries) => [...entries, { ...entries[0], id: own }]),
    ],
  ],
  'entries.count': [
    [
      'entries that are answered in another order',
      'the answered entries',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: rows(body).toReversed() })),
    ],
    ['entries in another order', 'names as sent', 'GET', entryPages, inEntries((entries) => entries.toReversed())],
    ['a total that is too small', 'total, limit and offset', 'GET', entryPages, inPagesOfTwo(() => ({ total: 4 }))],
    [
      'pages that turn around',
      'pages of two',
      'GET',
      entryPages,
      inPagesOfTwo(({ entries }) => ({ entries: rows(entries).toReversed() })),
    ],
    [
      'a removal that removes another entry',
      'entries after a removal',
      'GET',
      entryPages,
      inEntries((entries, { body }) => (body['total'] === 4 ? [...entries.slice(1), ...entries.slice(-1)] : entries)),
    ],
    [
      'a removal that moves the first entry',
      'the first entry must stay the first',
      'GET',
      entryPages,
      inEntries((entries, { body }) => (body['total'] === 4 ? entries.toReversed() : entries)),
    ],
    [
      'an entry_count that stays after a removal',
      'entry_count after a removal: expected 4, found 5',
      'GET',
      oneBlacklist,
      inBody(() => ({ entry_count: 5 })),
    ],
    [
      'another entry_count in the list',
      'the list of blacklists',
      'GET',
      /\/v1\/blacklists$/,
      inAssigned((blacklists) => blacklists.map((blacklist) => ({ ...blacklist, entry_count: 5 }))),
    ],
  ],
  'entries.values': [
    ...['website_url', 'city', 'country', 'external_id', 'reason', 'company_name'].map(
      (field) =>
        [
          `a number that is taken as ${field}`,
          `${field} 7 must be refused with 422`,
          'POST',
          entryPages,
          onStatus(422, ({ sent }) =>
            rows(sent['entries'] ?? [])[0]?.[field] === 7 ? { status: 201, body: [] } : undefined,
          ),
        ] as const,
    ),
    [
      'a website_url without a known beginning',
      'website_url "ftp://acme.example" must be refused with 422',
      'POST',
      entryPages,
      onStatus(422, () => ({ status: 201, body: [] })),
    ],
    [
      'a refused entry that is added',
      'total: expected 0, found 1',
      'GET',
      entryPages,
      onStatus(200, ({ body }) => (body['total'] === 0 ? { body: { ...body, total: 1 } } : undefined)),
    ],
    [
      'null that becomes an empty text',
      'null: expected',
      'POST',
      entryPages,
      onStatus(201, ({ body }) => ({ body: rows(body).map((entry) => ({ ...entry, city: '' })) })),
    ],
    [
      'null that reads as an empty text',
      'the entry as read',
      'GET',
      entryPages,
      inEntries((entries) => entries.map((entry) => ({ ...entry, city: '' }))),
    ],
    [
      'a removal without ids that is taken',
      'a body without entry_ids must be refused with 422',
      'DELETE',
      entryPages,
      onStatus(422, () => ({ status: 204 })),
    ],
  ],
  'assignments.most': [
    [
      '101 ids that are taken',
      'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: must answer 422',
      'PUT',
      assignedBlacklists,
      onStatus(422, () => ({ status: 204 })),
    ],
    [
      '100 ids that are refused',
      'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: must answer 204',
      'PUT',
      assignedBlacklists,
      onStatus(204, () => ({ status: 422, body: { detail: [] } })),
    ],
    [
      'a new search with a blacklist',
      'assigned at first: expected 0, found 1',
      'GET',
      assignedBlacklists,
      countingAnswers(({ body }, time) => ({ body: time === 1 ? { blacklists: [foreignBlacklist] } : body })),
    ],
    [
      'an assigned blacklist without its entry_count',
      'an assigned blacklist',
      'GET',
      assignedBlacklists,
      inAssigned((blacklists) => blacklists.map((blacklist) => ({ ...blacklist, entry_count: 0 }))),
    ],
    [
      'fewer assigned than sent',
      'assigned of 100: expected 100, found 50',
      'GET',
      assignedBlacklists,
      inAssigned((blacklists) => blacklists.slice(0, 50)),
    ],
    [
      'duplicates that count',
      'assigned of 60: expected 30, found 60',
      'GET',
      assignedBlacklists,
      inAssigned((blacklists) => (blacklists.length === 30 ? [...blacklists, ...blacklists] : blacklists)),
    ],
  ],
  'blacklists.matching': entriesOfOrders.map(
    ([what, isExcluded], place) =>
      [
        `${what} that ${isExcluded ? 'excludes nothing' : 'excludes the company'}`,
        `expected ${isExcluded}, found ${!isExcluded}`,
        'GET',
        results,
        matchingWrongly(place + 2),
      ] as const,
  ),
};
