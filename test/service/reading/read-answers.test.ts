import {
  isProblem,
  readOrder,
  readProfileCreation,
  readResultsPage,
  describeKeys,
} from '../../../src/service/reading/read-answers.ts';

const orderId = '7c1e0a4f-52b8-4c1d-9a77-3f2b6d8e1a90';
const summary = { requested_count: 3, fully_enriched_count: 2, annotated_count: 1, reasons: [] };
const slots = [
  { input_position: 0, status: 'ENRICHED', company: {} },
  { input_position: 1, status: 'UNRESOLVED', company: null },
];

describe('readOrder', () => {
  const order = {
    order_id: orderId,
    status: 'COMPLETED',
    briefing_quantity: 3,
    available_briefing_quantity: 2,
    results_published: true,
    result_summary: summary,
    order_type: 'DISCOVERY',
    profile_id: 'p-1',
    title: 'Autumn',
    features: ['CONTACTS', 'ANALYSIS'],
    created_at: '2026-11-22T14:59:09Z',
  };

  it.each([
    ['bare', order],
    ['as JSON:API', { data: { type: 'orders', id: orderId, attributes: order } }],
    ['beside a status of the answer', { status: 'success', data: order }],
    ['with its numbers as texts', { ...order, briefing_quantity: '3', available_briefing_quantity: '2' }],
    ['with its booleans as words', { ...order, results_published: 'yes' }],
  ])('reads an order %s', (_, answer) => {
    expect(readOrder(answer, 'asked')).toEqual(order);
  });

  it('shortens long texts, and ignores ids that are too long', () => {
    const long = 'A'.repeat(3_000_000);
    const features = Array.from({ length: 300 }, (_, index) => `${index}${long}`);
    const hostile = { ...order, status: long, features, profile_id: long, order_id: long };
    const read = readOrder(hostile, 'asked');
    expect(read).toMatchObject({ status: `${'A'.repeat(59)}…`, profile_id: null, order_id: 'asked' });
    expect(Object(read)['features']).toHaveLength(100);
    expect(JSON.stringify(read).length).toBeLessThan(10_000);
    const creation = { profile_creation_id: 'c', status: long, error_code: long, profile_id: long };
    expect(readProfileCreation(creation)).toMatchObject({
      status: `${'A'.repeat(59)}…`,
      error_code: `${'A'.repeat(59)}…`,
      profile_id: null,
    });
    expect(readProfileCreation({ ...creation, profile_creation_id: long })).toMatchObject({
      problem: expect.stringContaining('profile_creation_id'),
    });
  });

  it('converts a time in milliseconds', () => {
    expect(readOrder({ ...order, created_at: 1_795_359_549_000 }, 'asked')).toEqual({
      ...order,
      created_at: '2026-11-22T14:59:09.000Z',
    });
  });

  it('requires only the status', () => {
    expect(readOrder({ status: 'RECEIVED' }, 'asked')).toEqual({
      order_id: 'asked',
      status: 'RECEIVED',
      briefing_quantity: null,
      available_briefing_quantity: null,
      results_published: false,
      result_summary: null,
      order_type: null,
      profile_id: null,
      title: null,
      features: null,
      created_at: null,
    });
  });

  it('reports results as published when only the summary says so', () => {
    expect(readOrder({ status: 'COMPLETED', result_summary: summary }, 'asked')).toMatchObject({
      results_published: true,
    });
  });

  it('reads fields under other names when the specification does not show them', () => {
    const answer = { status: 'X', kind: 'ENRICHMENT', searchProfileId: 'p-2', name: 'Winter', createdAt: '2026-11-22' };
    expect(readOrder(answer, 'asked')).toMatchObject({
      order_type: 'ENRICHMENT',
      profile_id: 'p-2',
      title: 'Winter',
      created_at: '2026-11-22T00:00:00.000Z',
    });
  });

  it('reads unusable values as null', () => {
    const answer = { status: 'X', briefing_quantity: -1, features: 'all', created_at: 'yesterday', title: { de: 'x' } };
    expect(readOrder(answer, 'asked')).toMatchObject({
      briefing_quantity: null,
      features: null,
      created_at: null,
      title: null,
    });
  });

  it.each([
    [null, 'status: not found (the answer is not an object)'],
    ['<html></html>', 'status: not found (the answer is not an object)'],
    [[], 'status: not found (the answer is a list)'],
    [{}, 'status: not found (the answer has no field)'],
    [{ state: 'DONE' }, 'status: not found (the answer has state)'],
    [{ status: null }, 'status: not found (the answer has status)'],
    [{ status: { code: 'DONE' } }, 'status: not found (the answer has status)'],
  ])('names the missing field of %j', (answer, problem) => {
    expect(readOrder(answer, 'asked')).toEqual({ problem });
  });
});

describe('readProfileCreation', () => {
  const creation = {
    profile_creation_id: 'c-1',
    status: 'SUCCEEDED',
    profile_id: 'p-1',
    error_code: null,
    error_message: null,
    created_at: '2026-11-22T14:59:09Z',
    started_at: '2026-11-22T14:59:10Z',
    finished_at: null,
  };

  it.each([
    ['bare', creation],
    ['with a message', { ...creation, message: 'Accepted' }],
    ['in data', { data: creation }],
    ['in a wrapper named after it', { profile_creation: creation }],
    ['with id instead of profile_creation_id', { ...creation, profile_creation_id: undefined, id: 'c-1' }],
  ])('reads a creation %s', (_, answer) => {
    expect(readProfileCreation(JSON.parse(JSON.stringify(answer)))).toEqual(creation);
  });

  it('reads missing fields as null', () => {
    expect(readProfileCreation({ profile_creation_id: 7, status: 'PENDING' })).toEqual({
      profile_creation_id: '7',
      status: 'PENDING',
      profile_id: null,
      error_code: null,
      error_message: null,
      created_at: '',
      started_at: null,
      finished_at: null,
    });
  });

  it.each([
    [{ status: 'PENDING' }, 'profile_creation_id: not found (the answer has status)'],
    [{ profile_creation_id: 'c-1' }, 'profile_creation_id: not found (the answer has profile_creation_id)'],
    [
      { profile_creation_id: '', status: 'X' },
      'profile_creation_id: not found (the answer has profile_creation_id, status)',
    ],
    [{ profile_creation_id: 'c-1', status: null }, 'status: not found (the answer has profile_creation_id, status)'],
    [null, 'profile_creation_id: not found (the answer is not an object)'],
  ])('names the missing field of %j', (answer, problem) => {
    expect(readProfileCreation(answer)).toEqual({ problem });
  });
});

describe('readResultsPage', () => {
  const page = { summary, total: 2, has_more: false };

  it.each([
    ['items', { ...page, items: slots }, 'items'],
    ['any name', { ...page, zeilen: slots }, 'zeilen'],
    ['data', { ...page, data: slots }, 'data'],
    ['a wrapper', { data: { ...page, results: slots } }, 'data.results'],
    ['an unknown wrapper', { seite: { ...page, results: slots } }, 'seite.results'],
    ['a list beside empty ones', { ...page, facets: [], warnings: [], slots }, 'slots'],
    ['a list beside records that are no slots', { ...page, companies: [{ id: 1 }], slots }, 'slots'],
    ['a list with paging beside it', { summary, paging: { total: 2, has_more: false }, slots }, 'slots'],
    ['a list with its numbers as texts', { summary, total: '2', has_more: 'no', slots }, 'slots'],
  ])('finds the slots in %s', (_, answer, itemsAt) => {
    expect(readResultsPage(answer, null)).toEqual({ slots, itemsAt, summary, total: 2, hasMore: false });
  });

  it('finds the slots of a plain list', () => {
    expect(readResultsPage(slots, null)).toEqual({ slots, itemsAt: '', summary: null, total: null, hasMore: null });
  });

  it('finds one slot whose own lists are empty', () => {
    const slot = { input_position: 0, status: 'ENRICHED', reason_codes: [], company: { items: [] } };
    expect(readResultsPage({ total: 1, slots: [slot] }, null)).toMatchObject({ slots: [slot], itemsAt: 'slots' });
  });

  it.each(['rows', 'data.rows'])('uses the list that the setting %s names', (setting) => {
    const answer = { data: { items: slots, rows: [slots[0]] } };
    expect(readResultsPage(answer, setting)).toMatchObject({ slots: [slots[0]], itemsAt: 'data.rows' });
  });

  it('finds the slots when the configured list does not exist', () => {
    expect(readResultsPage({ items: slots }, 'rows')).toMatchObject({ slots, itemsAt: 'items' });
  });

  it.each([
    ['the likeliest name', { total: 0, warnings: [], results: [], items: [] }, 'items'],
    ['the only list', { total: 0, zeilen: [] }, 'zeilen'],
    ['any list when total is 0', { total: 0, zeilen: [], hinweise: [] }, 'zeilen'],
    ['a wrapper', { data: { total: 0, results: [] } }, 'data.results'],
  ])('returns no slots for an empty page by %s', (_, answer, itemsAt) => {
    expect(readResultsPage(answer, null)).toMatchObject({ slots: [], itemsAt, total: 0 });
  });

  it.each([
    [null, 'no array of slots was found (the answer is not an object). Set service.results_items to its name'],
    [
      { total: 2, items: { a: 1 } },
      'no array of slots was found (the answer has total, items). Set service.results_items to its name',
    ],
    [
      { total: 2, zeilen: [], hinweise: [] },
      'no array of slots was found (the answer has total, zeilen, hinweise). Set service.results_items to its name',
    ],
    [
      { rows: [{ position: 1 }] },
      'no array of slots was found (the answer has rows). Set service.results_items to its name',
    ],
  ])('reports that no slots were found in %j', (answer, problem) => {
    expect(readResultsPage(answer, null)).toEqual({ problem });
  });

  it('reports items of the configured list that are not slots', () => {
    const answer = { rows: [slots[0], { position: 'Geheim' }] };
    expect(readResultsPage(answer, 'rows')).toEqual({ problem: 'items of rows have no input_position or no status' });
  });
});

describe('readResultsPage for a summary', () => {
  const summaryOf = (value: unknown) => {
    const page = readResultsPage({ items: slots, summary: value }, null);
    return isProblem(page) ? page : page.summary;
  };

  it('reads the reasons, with null for a missing label', () => {
    const reasons = [
      { code: 'A', message: 'First', label: 'a', count: 1 },
      { code: 'B', message: 'Second', short_label: 'b', count: '2' },
      'C',
    ];
    expect(summaryOf({ ...summary, reasons })).toEqual({
      ...summary,
      reasons: [
        { code: 'A', message: 'First', label: 'a', count: 1 },
        { code: 'B', message: 'Second', label: null, count: 2 },
      ],
    });
  });

  it.each([null, undefined, [], 'text', {}, { ...summary, annotated_count: undefined }, { requested_count: 'many' }])(
    'is null for %j',
    (value) => {
      expect(summaryOf(value)).toBeNull();
    },
  );
});

describe('describeKeys', () => {
  it('returns at most twelve names, and hides names that are values', () => {
    const answer = { 'anna@nordwind.example': 1, id_12345: 2, 'Anna Schmidt': 3, ok: 4 };
    expect(describeKeys(answer)).toBe('the answer has …, …, …, ok');
    const many = Object.fromEntries('abcdefghijklmn'.split('').map((key) => [key, 1]));
    expect(describeKeys(many)).toBe('the answer has a, b, c, d, e, f, g, h, i, j, k, l, …');
  });
});

describe('isProblem', () => {
  it('is true for problems only', () => {
    expect([readOrder(null, 'x'), readOrder({ status: 'X' }, 'x')].map(isProblem)).toEqual([true, false]);
  });
});
