import { createStubPortal, json, rejection } from './stub-portal.ts';

const stamps = { status: 'COMPLETE', startedAt: '2026-11-21T12:00:00.000Z', completedAt: '2026-11-21T12:00:00.000Z' };
const associationSpec = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 };

describe('associations.associate', () => {
  it('links pairs with the default type, each pair once, 1,000 per request', async () => {
    const { client, calls } = createStubPortal(({ body }) =>
      json(200, {
        ...stamps,
        results: body.inputs.map(({ from, to }) => ({ from, to, associationSpec })).toReversed(),
      }),
    );
    const pairs = Array.from({ length: 1200 }, (_, index) => ({ fromId: `${index}`, toId: '7' }));
    const results = await client.associations.associate('contacts', 'companies', [...pairs, ...pairs]);
    expect(results).toHaveLength(2400);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(calls.map(({ path, body }) => [path, body.inputs.length])).toEqual([
      ['/crm/v4/associations/contacts/companies/batch/associate/default', 1000],
      ['/crm/v4/associations/contacts/companies/batch/associate/default', 200],
    ]);
    expect(calls[0]?.body.inputs[1]).toEqual({ from: { id: '1' }, to: { id: '7' } });
  });

  it.each([200, 207])('fails the pairs that are missing in a %i with errors', async (status) => {
    const { client } = createStubPortal(({ body }) =>
      json(status, {
        ...stamps,
        results: body.inputs.slice(1).map(({ from, to }) => ({ from, to, associationSpec })),
        numErrors: 1,
        errors: [{ status: 'error', category: 'OBJECT_NOT_FOUND', message: 'x' }],
      }),
    );
    const pairs = ['1', '2', '3'].map((fromId) => ({ fromId, toId: '7' }));
    expect(await client.associations.associate('contacts', 'companies', pairs)).toMatchObject([
      { ok: false, error: { category: 'OBJECT_NOT_FOUND', status } },
      { ok: true },
      { ok: true },
    ]);
  });

  it('does not take the answer of the other direction for that of a pair with exchanged ids', async () => {
    const inverse = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 280 };
    const { client } = createStubPortal(({ body }) => {
      const written = body.inputs.filter(({ from }) => from.id === '1');
      const results = written.flatMap(({ from, to }) => [
        { from, to, associationSpec },
        { from: to, to: from, associationSpec: inverse },
      ]);
      const errors = [{ status: 'error', category: 'OBJECT_NOT_FOUND', message: 'x' }];
      return json(207, { ...stamps, results, numErrors: 1, errors });
    });
    const pairs = [
      { fromId: '1', toId: '7' },
      { fromId: '7', toId: '1' },
    ];
    const results = await client.associations.associate('contacts', 'companies', pairs);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('finds the pair because of which HubSpot rejects the batch', async () => {
    const { client } = createStubPortal(({ body }) =>
      body.inputs.some(({ from }) => from.id === '2')
        ? json(400, { status: 'error', category: 'VALIDATION_ERROR', message: 'x' })
        : json(200, { ...stamps, results: [] }),
    );
    const pairs = ['1', '2', '3'].map((fromId) => ({ fromId, toId: '7' }));
    const results = await client.associations.associate('contacts', 'companies', pairs);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
  });
});

describe('associations.label', () => {
  // The first custom label of a portal has the same number as HubSpot's primary company; 931 is a label of HubSpot.
  const types = [
    { category: 'HUBSPOT_DEFINED', typeId: 1 },
    { category: 'HUBSPOT_DEFINED', typeId: 931 },
    { category: 'USER_DEFINED', typeId: 1 },
  ] as const;
  const links = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ fromId: `${index}`, toId: '7', types }));
  const written = (inputs: { from: { id: string }; to: { id: string } }[]) =>
    inputs.map(({ from, to }) => {
      return { fromObjectTypeId: '0-1', fromObjectId: from.id, toObjectTypeId: '0-2', toObjectId: to.id, labels: [] };
    });

  it('sends the given types with their categories, 1,000 pairs per request', async () => {
    const { client, calls } = createStubPortal(({ body }) => json(201, { ...stamps, results: written(body.inputs) }));
    const results = await client.associations.label('contacts', 'companies', links(1200));
    expect(results).toHaveLength(1200);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(calls.map(({ path, body }) => [path, body.inputs.length])).toEqual([
      ['/crm/v4/associations/contacts/companies/batch/create', 1000],
      ['/crm/v4/associations/contacts/companies/batch/create', 200],
    ]);
    expect(calls[0]?.body.inputs[1]).toEqual({
      from: { id: '1' },
      to: { id: '7' },
      types: [
        { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 1 },
        { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 931 },
        { associationCategory: 'USER_DEFINED', associationTypeId: 1 },
      ],
    });
  });

  it.each([200, 201, 207])('fails the pairs that are missing in a %i with errors', async (status) => {
    const errors = [{ status: 'error', category: 'OBJECT_NOT_FOUND', message: 'x' }];
    const { client } = createStubPortal(({ body }) =>
      json(status, { ...stamps, results: written(body.inputs.slice(1)), numErrors: 1, errors }),
    );
    expect(await client.associations.label('contacts', 'companies', links(3))).toMatchObject([
      { ok: false, error: { category: 'OBJECT_NOT_FOUND', status } },
      { ok: true },
      { ok: true },
    ]);
  });
});

describe('associations.read', () => {
  const types = [
    { category: 'HUBSPOT_DEFINED', typeId: 2 },
    { category: 'USER_DEFINED', typeId: 2 },
  ];

  it('returns the linked ids, reads all pages of a record, and leaves out records without links', async () => {
    const { client, calls } = createStubPortal(({ body }) => {
      const results = body.inputs.flatMap(({ id, after }) => {
        if (id === '3') return [];
        const next = id === '2' && after === undefined ? { paging: { next: { after: 'more' } } } : {};
        const toObjectId = after === undefined ? 10 + Number(id) : 99;
        const associationTypes = types.map((type) => ({ ...type, label: null }));
        return [{ from: { id }, to: [{ toObjectId, associationTypes }], ...next }];
      });
      const subCategory = 'crm.associations.NO_ASSOCIATIONS_FOUND';
      const errors = [
        { status: 'error', category: 'OBJECT_NOT_FOUND', subCategory, message: 'x', context: { fromObjectId: ['3'] } },
      ];
      return json(207, { ...stamps, results, numErrors: 1, errors });
    });
    const linked = await client.associations.read('companies', 'contacts', ['1', '2', '3', '1']);
    expect([...linked]).toEqual([
      ['1', [{ id: '11', types }]],
      [
        '2',
        [
          { id: '12', types },
          { id: '99', types },
        ],
      ],
    ]);
    expect(calls.map(({ path, body }) => [path, body.inputs])).toEqual([
      ['/crm/v4/associations/companies/contacts/batch/read', [{ id: '1' }, { id: '2' }, { id: '3' }]],
      ['/crm/v4/associations/companies/contacts/batch/read', [{ id: '2', after: 'more' }]],
    ]);
  });

  it('throws when HubSpot fails for another reason than missing links', async () => {
    const errors = [{ status: 'error', category: 'INTERNAL_ERROR', message: 'x' }];
    const { client } = createStubPortal(() => json(207, { ...stamps, results: [], errors }));
    expect(await rejection(client.associations.read('companies', 'contacts', ['1']))).toMatchObject({ status: 207 });
  });
});
