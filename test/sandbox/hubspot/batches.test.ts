import { openPortal, properties } from './hubspot-harness.ts';

const traced = <T extends object>(inputs: T[]) => inputs.map((input, i) => ({ ...input, objectWriteTraceId: `t${i}` }));
const named = (count: number) => Array.from({ length: count }, (_, i) => ({ properties: { name: `C${i}` } }));
const count = async (portal: ReturnType<typeof openPortal>, type: string) => (await portal.search(type, {})).body.total;

describe('batch create', () => {
  it('creates 100 and refuses 101, 0 and a body that is not a batch', async () => {
    const { batch, call } = openPortal();
    const { status, body } = await batch('companies', 'create', named(100));
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'COMPLETE', startedAt: expect.any(String), completedAt: expect.any(String) });
    expect(body.results).toHaveLength(100);
    expect(body).not.toHaveProperty('numErrors');
    for (const inputs of [named(101), []]) {
      expect(await batch('companies', 'create', inputs)).toMatchObject({
        status: 400,
        body: { category: 'VALIDATION_ERROR' },
      });
    }
    expect((await call('POST', '/crm/v3/objects/companies/batch/create', '{"inputs":')).status).toBe(400);
    expect((await call('POST', '/crm/v3/objects/companies/batch/create', {})).status).toBe(400);
  });

  it('returns results in another order than the inputs, the same for the same seed', async () => {
    const orderOf = async (seed: number) =>
      properties(await openPortal({ seed }).batch('companies', 'create', named(30))).map(({ name }) => name);
    const order = await orderOf(1);
    expect(order).not.toEqual(named(30).map((input) => input.properties.name));
    expect(await orderOf(1)).toEqual(order);
    expect(await orderOf(2)).not.toEqual(order);
  });

  it('refuses the whole batch for one bad row unless every input has a trace id of its own', async () => {
    const portal = openPortal();
    const inputs = [...named(2), { properties: { name: 'X', missing: '1' } }];
    const same = inputs.map((input) => ({ ...input, objectWriteTraceId: 'same' }));
    const partly = inputs.map((input, i) => (i === 0 ? input : { ...input, objectWriteTraceId: `t${i}` }));
    for (const untraced of [inputs, same, partly]) {
      const { status, body } = await portal.batch('companies', 'create', untraced);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        status: 'error',
        category: 'VALIDATION_ERROR',
        errors: [
          {
            message: 'Property "missing" does not exist',
            code: 'PROPERTY_DOESNT_EXIST',
            context: { propertyName: ['missing'] },
          },
        ],
      });
    }
    expect(await count(portal, 'companies')).toBe(0);
  });

  it('writes valid rows and reports invalid ones by trace id in a 207', async () => {
    const portal = openPortal();
    const { status, body } = await portal.batch(
      'companies',
      'create',
      traced([...named(2), { properties: { name: 'X', missing: '1' } }]),
    );
    expect(status).toBe(207);
    expect(body).toMatchObject({ status: 'COMPLETE', numErrors: 1 });
    expect(body.results).toHaveLength(2);
    const [error] = body.errors;
    expect(error).toMatchObject({
      status: 'error',
      category: 'VALIDATION_ERROR',
      context: { objectWriteTraceId: ['t2'] },
    });
    expect(Object.keys(error).sort()).toEqual(['category', 'context', 'message', 'status']);
    const details = JSON.parse(error.message.slice('Property values were not valid: '.length));
    expect(details).toEqual([
      {
        isValid: false,
        message: 'Property "missing" does not exist',
        error: 'PROPERTY_DOESNT_EXIST',
        name: 'missing',
        localizedErrorMessage: 'Property "missing" does not exist',
        portalId: portal.portalId,
      },
    ]);
    expect(await count(portal, 'companies')).toBe(2);
  });

  it('refuses the whole batch with 409 for a taken email, also with trace ids, and names only the first', async () => {
    const portal = openPortal();
    const [first] = await portal.create('contacts', { email: 'a@acme.example' }, { email: 'b@acme.example' });
    const inputs = ['c', 'a', 'b'].map((name) => ({ properties: { email: `${name}@acme.example` } }));
    for (const batch of [inputs, traced(inputs)]) {
      const { status, body } = await portal.batch('contacts', 'create', batch);
      expect(status).toBe(409);
      expect(body).toMatchObject({ message: `Contact already exists. Existing ID: ${first}`, category: 'CONFLICT' });
    }
    expect(await count(portal, 'contacts')).toBe(2);
  });

  it('refuses an email that occurs twice in the batch', async () => {
    const portal = openPortal();
    const inputs = ['a@acme.example', 'A@ACME.example'].map((email) => ({ properties: { email } }));
    expect((await portal.batch('contacts', 'create', inputs)).status).toBe(409);
    expect(await count(portal, 'contacts')).toBe(0);
  });

  it.each([
    [
      'in the words of a conflict',
      { uniqueConflict: 'per-row' },
      'CONFLICT',
      'Contact already exists. Existing ID: OWNER',
    ],
    ['like single writes', { batchEmailConflict: 'value' }, 'VALIDATION_ERROR', ' OWNER already has that value.'],
  ] as const)('fails only the row of a taken email %s when that is assumed', async (_, assumed, category, words) => {
    const portal = openPortal({ assumed });
    const [owner] = await portal.create('contacts', { email: 'a@acme.example' });
    const inputs = traced(['a', 'b'].map((name) => ({ properties: { email: `${name}@acme.example` } })));
    const { status, body } = await portal.batch('contacts', 'create', inputs);
    expect(status).toBe(207);
    const message = expect.stringContaining(words.replace('OWNER', owner)) as string;
    expect(body.errors).toMatchObject([{ category, message, context: { objectWriteTraceId: ['t0'] } }]);
  });

  it('fails only the row with a taken value of a custom unique property', async () => {
    const portal = openPortal();
    await portal.unique('companies', 'our_key');
    const [owner] = await portal.create('companies', { name: 'A', our_key: 'K1' });
    const inputs = [{ properties: { name: 'B', our_key: 'k1' } }, { properties: { name: 'C', our_key: 'k2' } }];
    expect((await portal.batch('companies', 'create', inputs)).status).toBe(400);
    const { status, body } = await portal.batch('companies', 'create', traced(inputs));
    expect(status).toBe(207);
    expect(body.results).toHaveLength(1);
    const { message, ...error } = body.errors[0];
    expect(error).toEqual({
      status: 'error',
      category: 'VALIDATION_ERROR',
      context: { objectWriteTraceId: ['t0'] },
    });
    expect(message).toMatch(
      new RegExp(`propertyName=our_key, value=k1} on \\d+\\. ${owner} already has that value\\.$`),
    );
  });

  it('can say so in the details of a validation error', async () => {
    const portal = openPortal({ assumed: { customUniqueConflict: 'validation' } });
    await portal.unique('companies', 'our_key');
    const [owner] = await portal.create('companies', { name: 'A', our_key: 'k1' });
    const { body } = await portal.batch('companies', 'create', [{ properties: { name: 'B', our_key: 'k1' } }]);
    const [detail] = JSON.parse(body.message.slice('Property values were not valid: '.length));
    expect(detail).toMatchObject({
      error: 'UNIQUE_VALUE_CONFLICT',
      name: 'our_key',
      message: expect.stringContaining(`${owner} already has that value.`),
      errorTokens: { existingObjectId: [owner] },
    });
  });

  it('can refuse such a value like a taken email, and compare case', async () => {
    const portal = openPortal({ assumed: { customUniqueConflict: 'conflict', uniqueIgnoresCase: false } });
    await portal.unique('companies', 'our_key');
    await portal.create('companies', { name: 'A', our_key: 'K1' }, { name: 'B', our_key: 'k1' });
    const { status, body } = await portal.batch(
      'companies',
      'create',
      traced([{ properties: { name: 'C', our_key: 'k1' } }]),
    );
    expect(status).toBe(409);
    expect(body.message).toMatch(/^Company already exists\. Existing ID: \d+$/);
  });
});

describe('batch update', () => {
  it('updates records by id and by a custom unique property', async () => {
    const portal = openPortal();
    await portal.unique('companies', 'our_key');
    const [a, b] = await portal.create('companies', { name: 'A' }, { name: 'B', our_key: 'k' });
    const inputs = [
      { id: a, properties: { city: 'Bern' } },
      { id: 'k', idProperty: 'our_key', properties: { city: 'Basel' } },
    ];
    const { status, body } = await portal.batch('companies', 'update', inputs);
    expect(status).toBe(200);
    const cities = Object.fromEntries(body.results.map((result) => [result.id, result.properties.city]));
    expect(cities).toEqual({ [a]: 'Bern', [b]: 'Basel' });
    expect(body.results[0]).not.toHaveProperty('new');
  });

  it('reports missing records in a 207, with or without trace ids', async () => {
    const portal = openPortal();
    const [a] = await portal.create('contacts', { lastname: 'A' });
    const inputs = [a, '42'].map((id) => ({ id, properties: { city: 'Bern' } }));
    const message = 'Could not get some CONTACT objects, they may be deleted or not exist. Check that ids are valid.';
    const plain = await portal.batch('contacts', 'update', inputs);
    expect(plain.status).toBe(207);
    expect(plain.body.errors).toEqual([
      { status: 'error', category: 'OBJECT_NOT_FOUND', message, context: { ids: ['42'] } },
    ]);
    const { body } = await portal.batch('contacts', 'update', traced(inputs));
    expect(body.errors[0].context).toEqual({ ids: ['42'], objectWriteTraceId: ['t1'] });
    expect(body.results).toHaveLength(1);
  });

  it('refuses the whole batch for duplicate ids, also with trace ids', async () => {
    const portal = openPortal();
    const [a] = await portal.create('companies', { name: 'A' });
    const inputs = ['X', 'Y'].map((name) => ({ id: a, properties: { name } }));
    for (const batch of [inputs, traced(inputs)]) {
      const { status, body } = await portal.batch('companies', 'update', batch);
      expect(status).toBe(400);
      expect(body).toEqual({
        status: 'error',
        message: `Duplicate IDs found in batch input: [${a}]. IDs must be unique`,
        correlationId: expect.any(String),
        context: { ids: [a] },
        category: 'VALIDATION_ERROR',
      });
    }
    expect((await portal.call('GET', `/crm/v3/objects/companies/${a}`)).body.properties.name).toBe('A');
  });

  it('refuses updates by email with idProperty, and ignores them without', async () => {
    const portal = openPortal();
    await portal.create('contacts', { email: 'a@acme.example' });
    const input = { id: 'a@acme.example', properties: { city: 'Bern' } };
    const refused = await portal.batch('contacts', 'update', [{ ...input, idProperty: 'email' }]);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'Unable to perform update/upsert by non-unique 0-1 property' },
    });
    const silent = await portal.batch('contacts', 'update', [input]);
    expect(silent).toMatchObject({ status: 200, body: { results: [] } });
    const { body } = await portal.search('contacts', { properties: ['city'] });
    expect(body.results[0].properties.city).toBeNull();
  });

  it('can be configured to update by email', async () => {
    const portal = openPortal({ assumed: { batchUpdateByEmail: 'allowed', batchUpdateOfUnknownKind: 'not-found' } });
    await portal.create('contacts', { email: 'a@acme.example' });
    const input = { id: 'a@acme.example', properties: { city: 'Bern' } };
    expect((await portal.batch('contacts', 'update', [{ ...input, idProperty: 'email' }])).body.results).toHaveLength(
      1,
    );
    expect((await portal.batch('contacts', 'update', [input])).status).toBe(207);
  });

  it('refuses an email that another contact has', async () => {
    const portal = openPortal();
    const [a, b] = await portal.create('contacts', { email: 'a@acme.example' }, { email: 'b@acme.example' });
    const { status, body } = await portal.batch('contacts', 'update', [
      { id: b, properties: { email: 'a@acme.example' } },
    ]);
    expect(status).toBe(409);
    expect(body.message).toContain(a);
    expect(
      (await portal.batch('contacts', 'update', [{ id: a, properties: { email: 'a@acme.example' } }])).status,
    ).toBe(200);
  });
});

describe('batch upsert', () => {
  it('creates and updates by a custom unique property, and reports which', async () => {
    const portal = openPortal();
    await portal.unique('companies', 'our_key');
    const [a] = await portal.create('companies', { name: 'A', our_key: 'k1' });
    const inputs = ['k1', 'k2'].map((id) => ({
      id,
      idProperty: 'our_key',
      properties: { name: `name ${id}`, our_key: id },
    }));
    const { status, body } = await portal.batch('companies', 'upsert', inputs);
    expect(status).toBe(200);
    const byKey = Object.fromEntries(body.results.map((result) => [result.properties.our_key, result]));
    expect(byKey['k1']).toMatchObject({ id: a, new: false, properties: { name: 'name k1' } });
    expect(byKey['k2']).toMatchObject({ new: true, properties: { name: 'name k2' } });
    expect(body.results[0]).not.toHaveProperty('objectWriteTraceId');
    const again = await portal.batch('companies', 'upsert', inputs);
    expect(again.body.results.map((result) => result.new)).toEqual([false, false]);
    expect(await count(portal, 'companies')).toBe(2);
  });

  it('sets the key of a new record when the properties do not contain it', async () => {
    const portal = openPortal();
    await portal.unique('companies', 'our_key');
    await portal.batch('companies', 'upsert', [{ id: 'k1', idProperty: 'our_key', properties: { name: 'A' } }]);
    expect((await portal.call('GET', '/crm/v3/objects/companies/k1?idProperty=our_key')).status).toBe(200);
  });

  it('upserts contacts by email, converted to lower case', async () => {
    const portal = openPortal();
    const upsert = (id: string) =>
      portal.batch('contacts', 'upsert', [{ id, idProperty: 'email', properties: { email: id, firstname: 'Ada' } }]);
    const first = await upsert('Ada@Acme.Example');
    expect(first.body.results).toMatchObject([{ new: true, properties: { email: 'ada@acme.example' } }]);
    expect((await upsert('ADA@acme.example')).body.results).toMatchObject([
      { new: false, id: first.body.results[0].id },
    ]);
  });

  it.each(['domain', 'hs_object_id', undefined])('refuses the non-unique idProperty %s', async (idProperty) => {
    const { batch, portalId } = openPortal();
    const { status, body } = await batch('companies', 'upsert', [
      { id: 'acme.example', idProperty, properties: { name: 'A' } },
    ]);
    expect(status).toBe(400);
    const property = idProperty ?? 'hs_object_id';
    expect(body).toMatchObject({
      message: `Unable to perform update/upsert by non-unique 0-2 property ${property} in portal ID ${portalId}`,
      category: 'VALIDATION_ERROR',
    });
  });

  it('refuses ids that differ only in case, also with trace ids', async () => {
    const portal = openPortal();
    const inputs = ['a@acme.example', 'A@acme.example'].map((id) => ({ id, idProperty: 'email', properties: {} }));
    const { status, body } = await portal.batch('contacts', 'upsert', traced(inputs));
    expect(status).toBe(400);
    expect(body.message).toBe('Duplicate IDs found in batch input: [a@acme.example]. IDs must be unique');
  });

  it('finds a contact by a secondary email and keeps its primary email', async () => {
    const portal = openPortal();
    const [id] = await portal.create('contacts', { email: 'a@acme.example', hs_additional_emails: 'b@acme.example' });
    const input = { id: 'b@acme.example', idProperty: 'email', properties: { email: 'b@acme.example', city: 'Bern' } };
    expect((await portal.batch('contacts', 'upsert', [input])).body.results).toMatchObject([{ id, new: false }]);
    const { body } = await portal.call('GET', `/crm/v3/objects/contacts/${id}?properties=email,city`);
    expect(body.properties).toMatchObject({ email: 'a@acme.example', city: 'Bern' });
    const strict = openPortal({ assumed: { upsertBySecondaryEmail: 'conflict' } });
    await strict.create('contacts', { email: 'a@acme.example', hs_additional_emails: 'b@acme.example' });
    expect((await strict.batch('contacts', 'upsert', [input])).status).toBe(409);
  });

  it('echoes trace ids of successful rows when that is assumed', async () => {
    const portal = openPortal({ assumed: { echoTraceIds: true } });
    const input = { id: 'a@acme.example', idProperty: 'email', properties: {}, objectWriteTraceId: 't' };
    expect((await portal.batch('contacts', 'upsert', [input])).body.results[0].objectWriteTraceId).toBe('t');
  });

  it('keeps the modified date of unchanged records when that is assumed', async () => {
    for (const unchangedWriteMovesModifiedDate of [true, false]) {
      let now = Date.parse('2026-11-21T10:00:00Z');
      const portal = openPortal({ clock: () => new Date(now), assumed: { unchangedWriteMovesModifiedDate } });
      const input = { id: 'a@acme.example', idProperty: 'email', properties: { city: 'Bern' } };
      const first = await portal.batch('contacts', 'upsert', [input]);
      now += 1000;
      const second = await portal.batch('contacts', 'upsert', [input]);
      const moved = first.body.results[0].updatedAt !== second.body.results[0].updatedAt;
      expect(moved).toBe(unchangedWriteMovesModifiedDate);
    }
  });
});

describe('batch read', () => {
  it('reads by id and by unique property, and reports unknown ids in a 207', async () => {
    const portal = openPortal();
    const [a] = await portal.create('contacts', { email: 'a@acme.example', city: 'Bern' });
    const byId = await portal.batch('contacts', 'read', [{ id: a }, { id: '42' }, { id: '43' }], {
      properties: ['city'],
    });
    expect(byId.status).toBe(207);
    expect(byId.body.results).toMatchObject([{ id: a, properties: { city: 'Bern' } }]);
    expect(byId.body).toMatchObject({
      numErrors: 1,
      errors: [{ category: 'OBJECT_NOT_FOUND', context: { ids: ['42', '43'] } }],
    });
    const byEmail = await portal.batch('contacts', 'read', [{ id: 'A@acme.example' }], { idProperty: 'email' });
    expect(byEmail).toMatchObject({
      status: 200,
      body: { results: [{ id: a, properties: { email: 'a@acme.example' } }] },
    });
  });

  it('refuses 101 ids, 51 ids with history, and a property that is not unique', async () => {
    const { batch } = openPortal();
    expect(
      (
        await batch(
          'companies',
          'read',
          Array.from({ length: 101 }, (_, i) => ({ id: `${i}` })),
        )
      ).status,
    ).toBe(400);
    expect((await batch('companies', 'read', [{ id: 'acme.example' }], { idProperty: 'domain' })).status).toBe(400);
    const ids = Array.from({ length: 51 }, (_, i) => ({ id: `${i}` }));
    const withHistory = { propertiesWithHistory: ['name'] };
    expect((await batch('companies', 'read', ids, withHistory)).status).toBe(400);
    expect((await batch('companies', 'read', ids.slice(1), withHistory)).status).not.toBe(400);
  });

  it('returns who wrote each value of a property, newest first, without writes of the same value', async () => {
    const { batch, create, sandbox, portalId } = openPortal({ clock: () => new Date('2026-11-21T10:00:00.000Z') });
    const [id] = await create('companies', { name: 'Acme' });
    await batch('companies', 'update', [{ id, properties: { name: 'Acme' } }]);
    expect(sandbox.editRecord(portalId, { objectType: 'companies', id, properties: { name: 'Edited' } })).toBe(true);
    expect(sandbox.editRecord(portalId, { objectType: 'companies', id: '1', properties: { name: 'x' } })).toBe(false);
    const timestamp = '2026-11-21T10:00:00.000Z';
    const user = { sourceType: 'CRM_UI', sourceId: 'userId:28604240', updatedByUserId: 28604240 };
    const read = await batch('companies', 'read', [{ id }], { propertiesWithHistory: ['name', 'nonsense'] });
    expect(read.body.results[0]).toMatchObject({
      propertiesWithHistory: {
        name: [
          { value: 'Edited', timestamp, ...user },
          { value: 'Acme', timestamp, sourceType: 'INTEGRATION', sourceId: expect.any(String) },
        ],
      },
    });
  });
});

describe('batch archive', () => {
  it('archives records and ignores unknown ids', async () => {
    const portal = openPortal();
    const [a] = await portal.create('companies', { name: 'A' }, { name: 'B' });
    expect((await portal.batch('companies', 'archive', [{ id: a }, { id: '42' }])).status).toBe(204);
    expect(await count(portal, 'companies')).toBe(1);
    expect((await portal.batch('companies', 'read', [{ id: a }])).body.results).toEqual([]);
  });
});
