import * as fc from 'fast-check';
import { openPortal, properties } from './hubspot-harness.ts';
import { runsOf } from '../../helpers/sample.ts';

const where = (...filters: object[]) => ({ filterGroups: [{ filters }] });
const filter = (propertyName: string, operator: string, value?: unknown) => ({
  propertyName,
  operator,
  ...(Array.isArray(value) ? { values: value } : value !== undefined && { value }),
});
const hasName = (count: number) => Array.from({ length: count }, () => filter('name', 'HAS_PROPERTY'));
const groups = (count: number, size: number) => Array.from({ length: count }, () => ({ filters: hasName(size) }));

async function searched() {
  const portal = openPortal();
  await portal.create(
    'companies',
    { name: 'Alpha Works', domain: 'alpha.example', numberofemployees: '9', lifecyclestage: 'customer' },
    {
      name: 'Beta GmbH',
      domain: 'Beta.Example',
      numberofemployees: '10',
      lifecyclestage: 'lead',
      closedate: '2026-01-01',
    },
    { name: 'Gamma Works', domain: 'gamma.example', numberofemployees: '200', closedate: '2026-06-01' },
    { name: 'Delta' },
  );
  const names = async (body: object) => {
    const answer = await portal.search('companies', { ...body, properties: ['name'] });
    if (answer.status !== 200) return answer.status;
    return properties(answer).map((company) => company.name.split(' ')[0]?.toLowerCase());
  };
  return { ...portal, names };
}

describe('search', () => {
  it.each([
    [filter('domain', 'EQ', 'ALPHA.example'), ['alpha']],
    [filter('domain', 'IN', ['alpha.example', 'beta.example', 'none.example']), ['alpha', 'beta']],
    // Values of a list must be in lower case to match text.
    [filter('domain', 'IN', ['ALPHA.example', 'Beta.Example']), []],
    [filter('domain', 'NOT_IN', ['alpha.example']), ['beta', 'gamma']],
    [filter('domain', 'NEQ', 'alpha.EXAMPLE'), ['beta', 'gamma']],
    [filter('domain', 'HAS_PROPERTY'), ['alpha', 'beta', 'gamma']],
    [filter('domain', 'NOT_HAS_PROPERTY'), ['delta']],
    [filter('lifecyclestage', 'EQ', 'customer'), ['alpha']],
    // Internal names of options keep their case.
    [filter('lifecyclestage', 'EQ', 'Customer'), []],
    [filter('lifecyclestage', 'IN', ['customer', 'lead']), ['alpha', 'beta']],
    [filter('numberofemployees', 'EQ', '9.0'), ['alpha']],
    [filter('numberofemployees', 'IN', ['9', '200']), ['alpha', 'gamma']],
    [filter('numberofemployees', 'GT', '9'), ['beta', 'gamma']],
    [filter('numberofemployees', 'GTE', 10), ['beta', 'gamma']],
    [filter('numberofemployees', 'LT', '10'), ['alpha']],
    [filter('numberofemployees', 'LTE', '10'), ['alpha', 'beta']],
    [{ propertyName: 'numberofemployees', operator: 'BETWEEN', value: '10', highValue: '200' }, ['beta', 'gamma']],
    [filter('closedate', 'GT', '2026-03-01'), ['gamma']],
    [filter('closedate', 'LTE', String(Date.parse('2026-01-01'))), ['beta']],
    [filter('name', 'CONTAINS_TOKEN', 'works'), ['alpha', 'gamma']],
    [filter('name', 'CONTAINS_TOKEN', 'gam*'), ['gamma']],
    [filter('domain', 'CONTAINS_TOKEN', '*.example'), ['alpha', 'beta', 'gamma']],
    [filter('name', 'CONTAINS_TOKEN', 'work'), []],
    [filter('name', 'NOT_CONTAINS_TOKEN', 'works'), ['beta', 'delta']],
  ])('finds records by %j', async (one, expected) => {
    const { names } = await searched();
    expect(await names(where(one))).toEqual(expected);
  });

  it('joins filters by AND and groups by OR, each record once', async () => {
    const { names } = await searched();
    const works = filter('name', 'CONTAINS_TOKEN', 'works');
    expect(await names(where(works, filter('numberofemployees', 'GT', '100')))).toEqual(['gamma']);
    const either = {
      filterGroups: [
        { filters: [works] },
        { filters: [filter('domain', 'EQ', 'gamma.example')] },
        { filters: [filter('name', 'EQ', 'delta')] },
      ],
    };
    expect(await names(either)).toEqual(['alpha', 'gamma', 'delta']);
  });

  it('takes top-level filters as one group', async () => {
    const { names } = await searched();
    const works = filter('name', 'CONTAINS_TOKEN', 'works');
    expect(await names({ filters: [works] })).toEqual(['alpha', 'gamma']);
    expect(await names({ filters: [works, filter('numberofemployees', 'GT', '100')] })).toEqual(['gamma']);
    expect(await names({ filters: hasName(7) })).toBe(400);
    // HubSpot does not document how it combines the two.
    expect(await names({ filters: [works], ...where(works) })).toBe(501);
  });

  it.each([
    { filter_groups: [{ filters: [filter('name', 'EQ', 'alpha works')] }] },
    { filter: [filter('name', 'EQ', 'alpha works')] },
    { filterGroups: [{ filters: [filter('name', 'HAS_PROPERTY')], filter: [filter('name', 'EQ', 'alpha works')] }] },
    { filterGroups: [{}] },
    { queries: 'alpha' },
  ])('refuses %j, which would otherwise return too many records', async (body) => {
    const { names } = await searched();
    expect(await names(body)).toBe(400);
  });

  it('ignores unknown keys and answers a limit of 0 when that is assumed', async () => {
    const { create, search } = openPortal({ assumed: { unknownSearchKeys: 'ignored', searchLimitZero: 'answered' } });
    await create('companies', { name: 'A' }, { name: 'B' });
    const filter_groups = [{ filters: [filter('name', 'EQ', 'a')] }];
    expect((await search('companies', { filter_groups, limit: 0 })).body).toEqual({ total: 2, results: [] });
  });

  it.each([
    [filter('associations.contact', 'EQ', 'ada'), ['alpha', 'beta']],
    [filter('associations.contacts', 'EQ', 'bob'), ['beta']],
    [filter('associations.0-1', 'IN', ['bob', '42']), ['beta']],
    [filter('associations.contact', 'EQ', '42'), []],
    [filter('associations.contact', 'NEQ', 'bob'), ['alpha', 'gamma', 'delta']],
    [filter('associations.contact', 'NOT_IN', ['ada']), ['gamma', 'delta']],
    [filter('associations.contact', 'HAS_PROPERTY'), ['alpha', 'beta']],
    [filter('associations.contact', 'NOT_HAS_PROPERTY'), ['gamma', 'delta']],
    [filter('associations.ticket', 'EQ', '1'), []],
    [filter('associations.ticket', 'NOT_HAS_PROPERTY'), ['alpha', 'beta', 'gamma', 'delta']],
    [filter('associations.contact', 'GT', '1'), 400],
    [filter('associations.contact', 'EQ'), 400],
    [filter('associations.widget', 'EQ', '1'), 400],
  ])('finds records by their links: %j', async (one, expected) => {
    const { names, call, create, search } = await searched();
    const ids = (await search('companies', {})).body.results.map(({ id }) => id);
    const [ada, bob, gone] = await create('contacts', { lastname: 'A' }, { lastname: 'B' }, { lastname: 'C' });
    const links = [
      [ids[0], ada],
      [ids[1], ada],
      [ids[1], bob],
      [ids[2], gone],
    ].map(([from, to]) => ({ from: { id: from }, to: { id: to } }));
    await call('POST', '/crm/v4/associations/companies/contacts/batch/associate/default', { inputs: links });
    await call('DELETE', `/crm/v3/objects/contacts/${gone}`);
    const body = JSON.stringify({ filters: [one] })
      .replaceAll('"ada"', `"${ada}"`)
      .replaceAll('"bob"', `"${bob}"`);
    expect(await names(JSON.parse(body))).toEqual(expected);
  });

  it('finds by free text', async () => {
    const { names } = await searched();
    expect(await names({ query: 'GAM' })).toEqual(['gamma']);
    expect(await names({ query: 'beta example' })).toEqual(['beta']);
  });

  it('matches missing values with negative filters when that is assumed', async () => {
    const { create, search } = openPortal({ assumed: { negativeFiltersMatchEmpty: true } });
    await create('companies', { name: 'A' });
    expect((await search('companies', where(filter('domain', 'NEQ', 'x')))).body.total).toBe(1);
  });

  it('sorts by one property, numbers by size, missing values last', async () => {
    const { names } = await searched();
    const by = (direction?: string) => ({
      sorts: [{ propertyName: 'numberofemployees', ...(direction && { direction }) }],
    });
    expect(await names(by())).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    expect(await names(by('DESCENDING'))).toEqual(['gamma', 'beta', 'alpha', 'delta']);
    expect(await names({ sorts: ['-name'] })).toEqual(['gamma', 'delta', 'beta', 'alpha']);
    expect(await names({ sorts: ['name', 'domain'] })).toBe(400);
  });

  it('sorts times and record ids either way', async () => {
    const { names } = await searched();
    const by = (propertyName: string, direction: string) => ({ sorts: [{ propertyName, direction }] });
    expect(await names(by('closedate', 'ASCENDING'))).toEqual(['beta', 'gamma', 'alpha', 'delta']);
    expect(await names(by('closedate', 'DESCENDING'))).toEqual(['gamma', 'beta', 'alpha', 'delta']);
    expect(await names(by('hs_object_id', 'ASCENDING'))).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    expect(await names(by('hs_object_id', 'DESCENDING'))).toEqual(['delta', 'gamma', 'beta', 'alpha']);
  });

  it('pages with an integer cursor and counts everything', async () => {
    const { search, names } = await searched();
    const first = await search('companies', { limit: 3 });
    expect(first.body).toMatchObject({ total: 4, paging: { next: { after: '3' } } });
    const second = await search('companies', { limit: 3, after: '3' });
    expect(second.body.results).toHaveLength(1);
    expect(second.body).not.toHaveProperty('paging');
    expect(await names({ after: 'abc' })).toBe(400);
    expect(await names({ after: 99 })).toEqual([]);
  });

  it('pages by record id beyond 10,000 results', async () => {
    const { create, search } = openPortal();
    const ids = await create('companies', ...Array.from({ length: 7 }, (_, i) => ({ name: `C${i}` })));
    const seen: string[] = [];
    for (let last = '0', page = 1; page > 0;) {
      const sorts = [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }];
      const { body } = await search('companies', { ...where(filter('hs_object_id', 'GT', last)), sorts, limit: 3 });
      page = body.results.length;
      seen.push(...body.results.map(({ id }) => id));
      last = seen.at(-1) ?? last;
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    ['200 a page', { limit: 200 }, 200],
    ['201 a page', { limit: 201 }, 400],
    ['up to 10,000 results', { limit: 200, after: '9800' }, 200],
    ['beyond 10,000 results', { limit: 200, after: '9801' }, 400],
    ['after 10,000', { limit: 1, after: '10000' }, 400],
    ['no record a page', { limit: 0 }, 400],
    ['5 groups', { filterGroups: groups(5, 1) }, 200],
    ['6 groups', { filterGroups: groups(6, 1) }, 400],
    ['6 filters in a group', where(...hasName(6)), 200],
    ['7 filters in a group', where(...hasName(7)), 400],
    ['18 filters', { filterGroups: groups(3, 6) }, 200],
    ['20 filters', { filterGroups: groups(4, 5) }, 400],
    ['an unknown property', where(filter('nonsense', 'EQ', '1')), 400],
    ['an unknown operator', where(filter('name', 'LIKE', '1')), 400],
    ['EQ without a value', where(filter('name', 'EQ')), 400],
    ['IN without values', where(filter('name', 'IN', [])), 400],
    ['BETWEEN without an end', where(filter('numberofemployees', 'BETWEEN', '1')), 400],
  ])('answers %s as documented', async (_, body, status) => {
    const { search } = openPortal();
    expect((await search('companies', body)).status).toBe(status);
  });

  it('refuses a body of more than 3,000 characters', async () => {
    const { call } = openPortal();
    const text = JSON.stringify({ query: '' });
    const path = '/crm/v3/objects/companies/search';
    expect((await call('POST', path, text.padEnd(3000))).status).toBe(200);
    expect((await call('POST', path, text.padEnd(3001))).status).toBe(400);
  });

  it('returns records as they were before the lag, and never archived ones', async () => {
    let now = 0;
    const { create, call, search } = openPortal({ clock: () => new Date(now), searchLagMs: 5000 });
    const [id] = await create('companies', { name: 'A', domain: 'old.example' });
    const total = async (domain: string) =>
      (await search('companies', where(filter('domain', 'EQ', domain)))).body.total;
    now = 4999;
    expect(await total('old.example')).toBe(0);
    now = 5000;
    expect(await total('old.example')).toBe(1);
    await call('PATCH', `/crm/v3/objects/companies/${id}`, { properties: { domain: 'new.example' } });
    expect([await total('old.example'), await total('new.example')]).toEqual([1, 0]);
    expect((await call('GET', `/crm/v3/objects/companies/${id}`)).body.properties.domain).toBe('new.example');
    now = 10_000;
    expect([await total('old.example'), await total('new.example')]).toEqual([0, 1]);
    await call('DELETE', `/crm/v3/objects/companies/${id}`);
    expect(await total('new.example')).toBe(0);
  });

  it('indexes each write when its lag has passed', async () => {
    let now = 0;
    const { create, search } = openPortal({ clock: () => new Date(now), searchLagMs: 1000 });
    const ids: string[] = [];
    for (let i = 0; i < 40; i++) {
      const [id] = await create('companies', { name: `C${i}` });
      ids.push(id);
      now += 100;
      const { body } = await search('companies', { limit: 200 });
      expect(body.results.map((found) => found.id)).toEqual(ids.slice(0, Math.max(0, i - 8)));
    }
  });

  it.each([
    ['companies', 'hs_lastmodifieddate', { name: 'A' }],
    ['contacts', 'lastmodifieddate', { lastname: 'A' }],
  ])('finds changed %s by %s', async (type, modified, properties) => {
    let now = Date.parse('2026-11-21T10:00:00Z');
    const { create, call, search } = openPortal({ clock: () => new Date(now) });
    const [id] = await create(type, properties, properties);
    const since = now + 1;
    now += 60_000;
    await call('PATCH', `/crm/v3/objects/${type}/${id}`, { properties: { city: 'Bern' } });
    const { body } = await search(type, where(filter(modified, 'GTE', String(since))));
    expect(body.results.map((found) => found.id)).toEqual([id]);
    expect((await search(type, where(filter('createdate', 'GTE', String(since))))).body.total).toBe(0);
  });

  it('does not find contacts by secondary email', async () => {
    const { create, search } = openPortal();
    await create('contacts', { email: 'a@acme.example', hs_additional_emails: 'b@acme.example' });
    expect((await search('contacts', where(filter('email', 'EQ', 'b@acme.example')))).body.total).toBe(0);
    expect(
      (await search('contacts', where(filter('hs_additional_emails', 'CONTAINS_TOKEN', 'b@acme.example')))).body.total,
    ).toBe(1);
  });

  it('finds companies by a token of their additional domains, which a client may write', async () => {
    const { call, create, search } = openPortal();
    const [a, b, c] = await create(
      'companies',
      { name: 'A', domain: 'a.example' },
      { name: 'B', domain: 'b.example' },
      { name: 'C', domain: 'c.example', hs_additional_domains: 'd.example; e.example' },
    );
    const merge = { primaryObjectId: a, objectIdToMerge: b };
    const { body } = await call('POST', '/crm/v3/objects/companies/merge', merge);
    const byToken = async (domain: string) =>
      (await search('companies', where(filter('hs_additional_domains', 'CONTAINS_TOKEN', domain)))).body.results.map(
        ({ id }) => id,
      );
    expect(await byToken('b.example')).toEqual([body.id]);
    expect(await byToken('E.example')).toEqual([c]);
    expect(await byToken('c.example')).toEqual([]);
  });

  it('finds the same records through its index as by a scan', async () => {
    const domains = ['a.example', 'B.example', 'c.example', ''];
    const step = fc.record({ who: fc.nat(3), domain: fc.constantFrom(...domains), archive: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { create, call, search } = openPortal();
        const ids = await create('companies', ...['p', 'q', 'r', 's'].map((name) => ({ name })));
        const expected = new Map<string, string>();
        for (const { who, domain, archive } of steps) {
          const id = ids[who] ?? '';
          const path = `/crm/v3/objects/companies/${id}`;
          const { status } = await call(
            archive ? 'DELETE' : 'PATCH',
            path,
            archive ? undefined : { properties: { domain } },
          );
          if (archive) expected.delete(id);
          else if (status === 200) expected.set(id, domain.toLowerCase());
          // Searching in between makes the index keep postings while records change.
          for (const wanted of ['a.example', 'b.example']) {
            const { body } = await search('companies', where(filter('domain', 'IN', [wanted])));
            const found = body.results.map(({ id }) => id);
            expect(found).toEqual(ids.filter((id) => expected.get(id) === wanted));
          }
        }
      }),
      { numRuns: runsOf(30) },
    );
  });
});
