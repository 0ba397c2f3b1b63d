import { openPortal } from './hubspot-harness.ts';

const lists = '/crm/v3/lists';

interface ListBody {
  list: { listId: string; name: string; size: number; processingType: string };
  lists: ListBody['list'][];
  hasMore: boolean;
  total: number;
  results: { recordId: string; membershipTimestamp: string }[];
  recordsIdsAdded: string[];
  recordIdsRemoved: string[];
  recordIdsMissing: string[];
  paging?: { next: { after: string } };
}

async function listing(options: Parameters<typeof openPortal>[0] = {}) {
  const portal = openPortal(options);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await portal.call(method, `${lists}${path}`, body);
    return { status: answer.status, body: answer.body as unknown as ListBody };
  };
  const createList = async (more: object = {}) => {
    const { body } = await ask('POST', '/', { name: 'Ours', objectTypeId: '0-2', processingType: 'MANUAL', ...more });
    return body.list.listId;
  };
  const membersOf = async (listId: string, query = '') => {
    const { body } = await ask('GET', `/${listId}/memberships${query}`);
    return body.results.map(({ recordId }) => recordId);
  };
  return { ...portal, ask, createList, membersOf };
}

const branch = (...filters: object[]) => ({
  filterBranchType: 'OR',
  filterBranches: [{ filterBranchType: 'AND', filterBranches: [], filters }],
  filters: [],
});
const where = (property: string, operator: string, values?: string[]) => ({
  filterType: 'PROPERTY',
  property,
  operation: { operationType: 'MULTISTRING', operator, ...(values && { values }) },
});

describe('lists', () => {
  it('creates a list and returns it by id', async () => {
    const { ask, createList } = await listing();
    const listId = await createList();
    const { status, body } = await ask('GET', `/${listId}`);
    expect(status).toBe(200);
    expect(body.list).toMatchObject({ listId, name: 'Ours', objectTypeId: '0-2', processingType: 'MANUAL', size: 0 });
    expect((await ask('GET', '/42')).status).toBe(404);
    expect((await ask('GET', '/42/memberships')).status).toBe(404);
  });

  it('returns a list by its name and object type, in any case', async () => {
    const { ask, createList } = await listing();
    const listId = await createList({ name: 'Our Customers' });
    const { status, body } = await ask('GET', '/object-type-id/0-2/name/our%20customers');
    expect([status, body.list.listId, body.list.name]).toEqual([200, listId, 'Our Customers']);
    expect((await ask('GET', '/object-type-id/0-1/name/Our%20Customers')).status).toBe(404);
    expect((await ask('GET', '/object-type-id/0-2/name/Others')).status).toBe(404);
  });

  it('answers 501 for a list of records that are not implemented', async () => {
    const { ask } = await listing();
    for (const objectTypeId of ['0-5', '0-123', '2-123456']) {
      const body = { name: 'Others', objectTypeId, processingType: 'MANUAL' };
      expect((await ask('POST', '/', body)).status).toBe(501);
    }
  });

  it.each([
    ['a name that is taken', { name: 'Taken' }],
    ['an object type that does not exist', { objectTypeId: '9-9' }],
    ['an object type by name', { objectTypeId: 'companies' }],
    ['a static list with filters', { filterBranch: branch(where('city', 'IS_KNOWN')) }],
    ['a dynamic list without filters', { processingType: 'DYNAMIC' }],
    ['a filter on an unknown property', { processingType: 'DYNAMIC', filterBranch: branch(where('nope', 'IS_KNOWN')) }],
  ])('refuses %s', async (_, more) => {
    const { ask, createList } = await listing();
    await createList({ name: 'Taken' });
    const body = { name: 'Ours', objectTypeId: '0-2', processingType: 'MANUAL', ...more };
    expect((await ask('POST', '/', body)).status).toBe(400);
  });

  it('adds and removes members, and reports unknown ids', async () => {
    const { ask, createList, membersOf, create } = await listing();
    const [a, b, c] = await create('companies', { name: 'A' }, { name: 'B' }, { name: 'C' });
    const listId = await createList();
    const added = await ask('PUT', `/${listId}/memberships/add`, [b, a, b, '42']);
    expect(added).toMatchObject({
      status: 200,
      body: { recordsIdsAdded: [b, a], recordIdsRemoved: [], recordIdsMissing: ['42'] },
    });
    expect((await ask('PUT', `/${listId}/memberships/add`, [a, c])).body.recordsIdsAdded).toEqual([c]);
    expect(await membersOf(listId)).toEqual([a, b, c]);
    expect((await ask('PUT', `/${listId}/memberships/remove`, [c, '42'])).body).toMatchObject({
      recordIdsRemoved: [c],
      recordIdsMissing: ['42'],
    });
    const change = { recordIdsToAdd: [c], recordIdsToRemove: [a] };
    await ask('PUT', `/${listId}/memberships/add-and-remove`, change);
    expect(await membersOf(listId)).toEqual([b, c]);
    expect((await ask('GET', `/${listId}`)).body.list.size).toBe(2);
  });

  it('pages members by record id, 100 by default and 250 at most', async () => {
    const { ask, createList, create } = await listing();
    const ids = await create('companies', ...Array.from({ length: 255 }, (_, i) => ({ name: `C${i}` })));
    const listId = await createList();
    await ask('PUT', `/${listId}/memberships/add`, ids.toReversed());
    const first = await ask('GET', `/${listId}/memberships`);
    expect(first.body.results).toHaveLength(100);
    expect(first.body.total).toBe(255);
    const seen: string[] = [];
    const sizes: number[] = [];
    let after: string | undefined = '';
    while (after !== undefined) {
      const { body } = await ask('GET', `/${listId}/memberships?limit=120&after=${after}`);
      seen.push(...body.results.map(({ recordId }) => recordId));
      sizes.push(body.results.length);
      after = body.paging?.next.after;
    }
    expect(seen).toEqual(ids);
    expect(sizes).toEqual([120, 120, 15]);
    expect((await ask('GET', `/${listId}/memberships?limit=250`)).status).toBe(200);
    expect((await ask('GET', `/${listId}/memberships?limit=251`)).status).toBe(400);
    expect((await ask('GET', `/${listId}/memberships?after=zzz`)).status).toBe(400);
  });

  it('also pages members in the order of joining', async () => {
    let now = Date.parse('2026-11-21T10:00:00Z');
    const { ask, createList, membersOf, create } = await listing({ clock: () => new Date(now) });
    const [a, b, c] = await create('companies', { name: 'A' }, { name: 'B' }, { name: 'C' });
    const listId = await createList();
    for (const id of [c, a, b]) {
      now += 1000;
      await ask('PUT', `/${listId}/memberships/add`, [id]);
    }
    const first = await ask('GET', `/${listId}/memberships/join-order?limit=2`);
    expect(first.body.results).toEqual([
      { recordId: c, membershipTimestamp: '2026-11-21T10:00:01.000Z' },
      { recordId: a, membershipTimestamp: '2026-11-21T10:00:02.000Z' },
    ]);
    const { after } = first.body.paging?.next ?? { after: '' };
    const rest = await ask('GET', `/${listId}/memberships/join-order?limit=2&after=${after}`);
    expect(rest.body.results.map(({ recordId }) => recordId)).toEqual([b]);
    expect(await membersOf(listId)).toEqual([a, b, c]);
  });

  it('updates a dynamic list by its filters, and refuses added members', async () => {
    const { ask, createList, membersOf, create, call } = await listing();
    const [a, b] = await create('companies', { name: 'A', lifecyclestage: 'customer' }, { name: 'B', city: 'Bern' });
    const customers = where('lifecyclestage', 'IS_ANY_OF', ['customer', 'evangelist']);
    const listId = await createList({ processingType: 'DYNAMIC', filterBranch: branch(customers) });
    expect(await membersOf(listId)).toEqual([a]);
    await call('PATCH', `/crm/v3/objects/companies/${b}`, { properties: { lifecyclestage: 'customer' } });
    expect(await membersOf(listId)).toEqual([a, b]);
    for (const action of ['add', 'remove']) {
      expect((await ask('PUT', `/${listId}/memberships/${action}`, [a])).status).toBe(400);
    }
    const swiss = branch(where('city', 'IS_EQUAL_TO', ['bern']), where('name', 'IS_NONE_OF', ['A']));
    expect(await membersOf(await createList({ name: 'S', processingType: 'DYNAMIC', filterBranch: swiss }))).toEqual([
      b,
    ]);
    const odd = branch({ ...where('city', 'IS_BETWEEN') });
    expect(
      (await ask('POST', '/', { name: 'O', objectTypeId: '0-2', processingType: 'DYNAMIC', filterBranch: odd })).status,
    ).toBe(501);
  });

  it('fills a snapshot list once', async () => {
    const { ask, createList, membersOf, create } = await listing();
    const [a] = await create('companies', { name: 'A', city: 'Bern' });
    const listId = await createList({ processingType: 'SNAPSHOT', filterBranch: branch(where('city', 'IS_KNOWN')) });
    const [b] = await create('companies', { name: 'B', city: 'Bern' });
    expect(await membersOf(listId)).toEqual([a]);
    await ask('PUT', `/${listId}/memberships/add`, [b]);
    expect(await membersOf(listId)).toEqual([a, b]);
  });

  it('removes archived records, and replaces merged ones', async () => {
    const { ask, createList, membersOf, create, call } = await listing();
    const [a, b, c] = await create('companies', { name: 'A' }, { name: 'B' }, { name: 'C' });
    const listId = await createList();
    await ask('PUT', `/${listId}/memberships/add`, [a, b]);
    await call('DELETE', `/crm/v3/objects/companies/${a}`);
    expect(await membersOf(listId)).toEqual([b]);
    const merge = { primaryObjectId: c, objectIdToMerge: b };
    const { body } = await call('POST', '/crm/v3/objects/companies/merge', merge);
    expect(await membersOf(listId)).toEqual([body.id]);
  });

  it('searches lists by name, kind and id', async () => {
    const { ask, createList } = await listing();
    const filterBranch = branch(where('city', 'IS_KNOWN'));
    const one = await createList({ name: 'Customers' });
    const two = await createList({ name: 'Swiss customers', processingType: 'DYNAMIC', filterBranch });
    await createList({ name: 'Other' });
    const ids = async (body: object) => (await ask('POST', '/search', body)).body.lists.map(({ listId }) => listId);
    expect(await ids({ query: 'customers' })).toEqual([one, two]);
    expect(await ids({ processingTypes: ['DYNAMIC'] })).toEqual([two]);
    expect(await ids({ listIds: [one] })).toEqual([one]);
    const page = await ask('POST', '/search', { count: 2 });
    expect(page.body).toMatchObject({ hasMore: true, total: 3, offset: 2 });
    expect((await ask('POST', '/search', { count: 2, offset: 2 })).body).toMatchObject({ hasMore: false });
  });
});
