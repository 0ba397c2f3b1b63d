import { at, createStubPortal, json, rejection } from './stub-portal.ts';
import type { StubCall } from './stub-portal.ts';

/** Answers like HubSpot's search: sorted by id, after the id of the cursor filter, at most `limit` per page. */
function answerSearch(
  { body }: StubCall,
  records: { id: string; properties: Record<string, string | null> }[],
): Response {
  const filters = body.filterGroups[0]?.filters ?? [];
  const lastId = Number(filters.find(({ propertyName }) => propertyName === 'hs_object_id')?.value);
  const domains = filters.find(({ propertyName }) => propertyName === 'domain')?.values;
  const rest = records.filter(
    ({ id, properties }) =>
      Number(id) > lastId && (domains === undefined || domains.includes((properties['domain'] ?? '').toLowerCase())),
  );
  const results = rest.slice(0, body.limit).map((record) => ({ ...record, ...at }));
  const paging = rest.length > results.length ? { paging: { next: { after: `${results.length}` } } } : {};
  return json(200, { total: rest.length, results, ...paging });
}

describe('objects.search', () => {
  it('reads past 10,000 records, 200 per page, by record id instead of the cursor', async () => {
    const records = Array.from({ length: 10_401 }, (_, index) => ({ id: `${index * 7 + 1}`, properties: {} }));
    const { client, calls } = createStubPortal((call) => answerSearch(call, records));
    const filterGroups = [[{ propertyName: 'lifecyclestage', operator: 'EQ', value: 'customer' }]] as const;
    const ids: string[] = [];
    for await (const page of client.objects.search('companies', { filterGroups, properties: ['domain'] })) {
      expect(page.length).toBeLessThanOrEqual(200);
      ids.push(...page.map(({ id }) => id));
    }
    expect(ids).toEqual(records.map(({ id }) => id));
    expect(calls).toHaveLength(53);
    expect(calls[1]?.path).toBe('/crm/v3/objects/companies/search');
    expect(calls[1]?.body).toEqual({
      filterGroups: [
        {
          filters: [
            { propertyName: 'lifecyclestage', operator: 'EQ', value: 'customer' },
            { propertyName: 'hs_object_id', operator: 'GT', value: '1394' },
          ],
        },
      ],
      properties: ['domain'],
      sorts: ['hs_object_id'],
      limit: 200,
    });
  });

  it('yields nothing when nothing matches', async () => {
    const { client, calls } = createStubPortal((call) => answerSearch(call, []));
    const pages: unknown[] = [];
    for await (const page of client.objects.search('contacts', { filterGroups: [], properties: [] })) pages.push(page);
    expect(pages).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  it('rejects an unsorted page, after which records would be lost', async () => {
    const results = ['3', '2'].map((id) => ({ id, properties: {}, ...at }));
    const { client } = createStubPortal(() => json(200, { total: 2, results }));
    const next = client.objects.search('companies', { filterGroups: [], properties: [] }).next();
    expect(await rejection(next)).toMatchObject({ kind: 'answer', code: 'PAGE_OUT_OF_ORDER' });
  });

  it('returns the delay of the search limit', async () => {
    const { client, calls } = createStubPortal(() => json(429, { message: 'You have reached your secondly limit.' }));
    const next = client.objects.search('companies', { filterGroups: [], properties: [] }).next();
    expect(await rejection(next)).toMatchObject({
      message: 'POST /crm/v3/objects/companies/search failed with status 429 (SECONDLY)',
      retryAfterSeconds: 1,
    });
    expect(calls).toHaveLength(1);
  });
});

describe('objects.findByDomain', () => {
  it('splits many domains into searches within the limits', async () => {
    const { client, calls } = createStubPortal((call) => answerSearch(call, []));
    const domains = Array.from({ length: 500 }, (_, index) => `a-rather-long-name-of-company-${index}.example`);
    await client.objects.findByDomain('companies', domains, ['name', 'prospect_sync_company_key', 'lifecyclestage']);
    const values = calls.map(({ body }) => body.filterGroups[0]?.filters[0]?.values ?? []);
    expect(values.flat()).toEqual(domains);
    for (const chunk of values) expect(chunk.length).toBeLessThanOrEqual(100);
    for (const { body } of calls) expect(JSON.stringify(body).length).toBeLessThanOrEqual(3000);
    expect(calls.length).toBeLessThanOrEqual(9);
  });

  it('sends nothing when there are no domains', async () => {
    const { client, calls } = createStubPortal((call) => answerSearch(call, []));
    expect((await client.objects.findByDomain('companies', [], [])).size).toBe(0);
    expect(calls).toHaveLength(0);
  });
});
