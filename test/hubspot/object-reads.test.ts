import { createSandboxPortal } from '../helpers/sandbox-portal.ts';
import { at, createStubPortal, json, rejection } from './stub-portal.ts';

describe('objects.read', () => {
  it('reads any number of records by id, 100 per request, and leaves out missing ones', async () => {
    const { client, calls } = createStubPortal(({ body }) => {
      const results = body.inputs.filter(({ id }) => Number(id) % 10 !== 0);
      const missing = body.inputs.filter(({ id }) => Number(id) % 10 === 0).map(({ id }) => id);
      return json(207, {
        results: results.map(({ id }) => ({ id, properties: { name: `n${id}`, city: null }, ...at })).toReversed(),
        numErrors: 1,
        errors: [{ status: 'error', category: 'OBJECT_NOT_FOUND', message: 'gone', context: { ids: missing } }],
      });
    });
    const ids = Array.from({ length: 205 }, (_, index) => `${index + 1}`);
    const found = await client.objects.read('companies', { ids: [...ids, '1'], properties: ['name', 'city'] });
    expect(calls.map(({ body }) => body.inputs.length)).toEqual([100, 100, 5]);
    expect(calls[0]?.path).toBe('/crm/v3/objects/companies/batch/read');
    expect(calls[0]?.body).toMatchObject({ properties: ['hs_merged_object_ids', 'name', 'city'] });
    expect(calls[0]?.body.idProperty).toBeUndefined();
    expect(found.size).toBe(185);
    expect(found.get('11')).toEqual({ id: '11', properties: { name: 'n11', city: null } });
    expect(found.has('10')).toBe(false);
  });

  it.each([
    ['resolves the ids of merged records', 'resolve', ['new', 'new', 'other']],
    ['has forgotten them', 'gone', [null, null, 'other']],
  ] as const)('returns a merged record under the requested id when HubSpot %s', async (_, mergedIds, expected) => {
    const { client, createRecords, merge } = createSandboxPortal({ sandbox: { assumed: { mergedIds } } });
    const ids = await createRecords(
      'companies',
      ['one', 'two', 'other'].map((name) => ({ name })),
    );
    const id = await merge('companies', ids[0] ?? '', ids[1] ?? '');
    const found = await client.objects.read('companies', { ids, properties: ['name'] });
    const names = ids
      .map((requested) => found.get(requested))
      .map((record) => (record?.id === id ? 'new' : record?.properties['name']));
    expect(names.map((name) => name ?? null)).toEqual(expected);
  });

  it('keys records that were read by email by the lower-case email', async () => {
    const { client, calls } = createStubPortal(({ body }) =>
      json(200, { results: body.inputs.map(({ id }) => ({ id: '5', properties: { email: id }, ...at })) }),
    );
    const found = await client.objects.read('contacts', {
      ids: ['Ada@Firm.Example', 'ada@firm.example '],
      idProperty: 'email',
      properties: ['lastname'],
    });
    expect([...found.keys()]).toEqual(['ada@firm.example']);
    expect(calls[0]?.body).toMatchObject({
      idProperty: 'email',
      properties: ['email', 'hs_additional_emails', 'lastname'],
      inputs: [{ id: 'ada@firm.example' }],
    });
  });

  it('returns a contact under each requested address, secondary ones too', async () => {
    const properties = { email: 'main@firm.example', hs_additional_emails: 'Old@Firm.example;older@firm.example' };
    const { client } = createStubPortal(() => json(200, { results: [{ id: '5', properties, ...at }] }));
    const requested = ['OLD@firm.example', 'main@firm.example', 'none@firm.example'];
    const found = await client.objects.read('contacts', { ids: requested, idProperty: 'email', properties: [] });
    expect([...found].map(([key, { id }]) => [key, id])).toEqual([
      ['main@firm.example', '5'],
      ['old@firm.example', '5'],
    ]);
  });

  it('keys records by the requested key', async () => {
    const { client } = createStubPortal(() => json(200, { results: [{ id: '5', properties: { key: 'a-1' }, ...at }] }));
    const found = await client.objects.read('companies', { ids: ['A-1', 'A-2'], idProperty: 'key', properties: [] });
    expect([...found].map(([key, { id }]) => [key, id])).toEqual([['A-1', '5']]);
  });

  it('throws when HubSpot fails for another reason than a missing record', async () => {
    const errors = [{ status: 'error', category: 'INTERNAL_ERROR', message: 'x' }];
    const { client } = createStubPortal(() => json(207, { results: [], errors }));
    expect(await rejection(client.objects.read('companies', { ids: ['1'], properties: [] }))).toMatchObject({
      message: 'POST /crm/v3/objects/companies/batch/read failed with status 207 (INTERNAL_ERROR)',
    });
  });

  it('throws when HubSpot rejects the batch', async () => {
    const { client } = createStubPortal(() => json(403, { category: 'MISSING_SCOPES', message: 'x' }));
    expect(await rejection(client.objects.read('companies', { ids: ['1'], properties: [] }))).toMatchObject({
      status: 403,
      category: 'MISSING_SCOPES',
    });
  });
});

describe('objects.list', () => {
  const pages = [100, 100, 30].map((count, page) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${page * 100 + index + 1}`,
      properties: { domain: null },
      ...at,
    })),
  );

  it('reads all pages up to the short last one', async () => {
    const { client, calls } = createStubPortal(({ query }) => {
      const page = Number(query.get('after') ?? 0);
      const hasNext = page + 1 < pages.length;
      return json(200, { results: pages[page], ...(hasNext && { paging: { next: { after: `${page + 1}` } } }) });
    });
    const sizes: number[] = [];
    for await (const records of client.objects.list('companies', { properties: ['domain'] }))
      sizes.push(records.length);
    expect(sizes).toEqual([100, 100, 30]);
    expect(calls.map(({ query }) => [query.get('limit'), query.get('after'), query.getAll('properties')])).toEqual([
      ['100', null, ['domain']],
      ['100', '1', ['domain']],
      ['100', '2', ['domain']],
    ]);
  });

  it('yields nothing for an empty portal', async () => {
    const { client } = createStubPortal(() => json(200, { results: [] }));
    const sizes: number[] = [];
    for await (const records of client.objects.list('contacts', { properties: [] })) sizes.push(records.length);
    expect(sizes).toEqual([]);
  });

  it('throws when the paging cursor does not advance', async () => {
    const { client } = createStubPortal(() => json(200, { results: pages[0], paging: { next: { after: '1' } } }));
    const walk = client.objects.list('companies', { properties: [] });
    await walk.next();
    expect(await rejection(walk.next())).toMatchObject({ kind: 'answer', code: 'CURSOR_STANDS_STILL' });
  });

  it('stops between pages when its caller cancels', async () => {
    const controller = new AbortController();
    const { client, calls } = createStubPortal(() =>
      json(200, { results: pages[0], paging: { next: { after: '1' } } }),
    );
    const walk = async (): Promise<void> => {
      for await (const _records of client.objects.list('companies', { properties: [], signal: controller.signal })) {
        controller.abort();
      }
    };
    expect(await rejection(walk())).toMatchObject({ kind: 'cancelled' });
    expect(calls).toHaveLength(1);
  });
});
