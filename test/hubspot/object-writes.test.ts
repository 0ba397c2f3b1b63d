import * as fc from 'fast-check';

import { at, createStubPortal, json, rejection } from './stub-portal.ts';
import type { StubBody, StubCall } from './stub-portal.ts';

type StubInput = StubBody['inputs'][number];

const stamps = { status: 'COMPLETE', startedAt: at.createdAt, completedAt: at.createdAt };

/** HubSpot's result for an input: the written properties with lower-case email, no trace id, and a record id. */
function toResult(input: StubInput): Record<string, unknown> {
  const properties = { ...input.properties };
  if (properties['email'] !== undefined) properties['email'] = properties['email'].toLowerCase();
  return { id: `9${input.id.replaceAll(/\D/g, '')}`, properties, new: Number(input.id.at(-1)) % 2 === 0, ...at };
}

function toRowError(input: StubInput): Record<string, unknown> {
  const message = `Property values were not valid: [{"isValid":false,"message":"${input.properties['email']} is bad","error":"INVALID_EMAIL","name":"email"}]`;
  return {
    status: 'error',
    category: 'VALIDATION_ERROR',
    message,
    context: { objectWriteTraceId: [input.objectWriteTraceId] },
  };
}

/** Answers as documented: 207 when a row is invalid, and results in another order. */
function answerRows({ body }: StubCall, isBad: (input: StubInput) => boolean, status = 207): Response {
  const results = body.inputs
    .filter((input) => !isBad(input))
    .map(toResult)
    .toReversed();
  const errors = body.inputs.filter(isBad).map(toRowError);
  return json(errors.length > 0 ? status : 200, {
    ...stamps,
    results,
    ...(errors.length > 0 && { numErrors: errors.length, errors }),
  });
}

const contacts = (count: number): { id: string; properties: Record<string, string> }[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `Key${index}`,
    properties: { email: `Person${index}@Firm.Example`, lastname: `Name${index}` },
  }));

describe('objects.upsert', () => {
  it('sends batches of 100 with a unique trace id on each input', async () => {
    const { client, calls } = createStubPortal((call) => answerRows(call, () => false));
    await client.objects.upsert('contacts', 'prospect_sync_contact_key', contacts(250));
    await client.objects.upsert('contacts', 'prospect_sync_contact_key', contacts(1));
    expect(calls.map(({ path, body }) => [path, body.inputs.length])).toEqual([
      ['/crm/v3/objects/contacts/batch/upsert', 100],
      ['/crm/v3/objects/contacts/batch/upsert', 100],
      ['/crm/v3/objects/contacts/batch/upsert', 50],
      ['/crm/v3/objects/contacts/batch/upsert', 1],
    ]);
    const inputs = calls.flatMap(({ body }) => body.inputs);
    expect(new Set(inputs.map((input) => input.objectWriteTraceId)).size).toBe(251);
    expect(inputs[0]).toEqual({
      id: 'Key0',
      idProperty: 'prospect_sync_contact_key',
      objectWriteTraceId: 'call-1-0',
      properties: { email: 'Person0@Firm.Example', lastname: 'Name0', prospect_sync_contact_key: 'Key0' },
    });
  });

  it('sends the given trace ids, and a new one where a trace id repeats', async () => {
    const { client, calls } = createStubPortal((call) => answerRows(call, ({ id }) => id === 'Key1'));
    const traceIds = ['order/1#company', 'order/2#company', 'order/2#company', undefined];
    const inputs = contacts(4).map((input, index) => ({ ...input, traceId: traceIds[index] }));
    const results = await client.objects.upsert('contacts', 'prospect_sync_contact_key', inputs);
    expect(calls[0]?.body.inputs.map((input) => input.objectWriteTraceId)).toEqual([
      'order/1#company',
      'order/2#company',
      'call-1-2',
      'call-1-3',
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true, true]);
    expect(results[1]).toMatchObject({ error: { traceIds: ['order/2#company'] } });
  });

  it('matches results by email although HubSpot lower-cases it', async () => {
    const inputs = ['Ada1@Firm.Example', 'BOB2@firm.example'].map((id) => ({ id, properties: { lastname: 'X' } }));
    const { client } = createStubPortal(({ body }) => {
      const results = body.inputs.map(toResult).map((result, index) => ({
        ...result,
        properties: { email: body.inputs[index]?.id.toLowerCase() },
      }));
      return json(200, { ...stamps, results: results.toReversed() });
    });
    const results = await client.objects.upsert('contacts', 'email', inputs);
    expect(results).toMatchObject([{ id: '91' }, { id: '92' }]);
  });

  it.each([207, 200])('fails only the rows that a %i names in its errors', async (status) => {
    const bad = new Set(['Key3', 'Key120']);
    const { client, calls } = createStubPortal((call) => answerRows(call, ({ id }) => bad.has(id), status));
    const results = await client.objects.upsert('contacts', 'prospect_sync_contact_key', contacts(150));
    expect(results.flatMap(({ ok }, index) => (ok ? [] : [index]))).toEqual([3, 120]);
    expect(results[3]).toMatchObject({
      ok: false,
      error: {
        message: `POST /crm/v3/objects/contacts/batch/upsert failed with status ${status} (INVALID_EMAIL: email)`,
        category: 'VALIDATION_ERROR',
        code: 'INVALID_EMAIL',
        property: 'email',
        traceIds: ['call-1-3'],
      },
    });
    expect(JSON.stringify(results)).not.toMatch(/person3|name3/i);
    expect(calls).toHaveLength(2);
  });

  it('matches any mixture of results and errors to their inputs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(60), { minLength: 1 }),
        fc.func(fc.boolean()),
        fc.boolean(),
        async (numbers, isBadNumber, hasEcho) => {
          const inputs = numbers.map((number) => ({ id: `Key${number}`, properties: { lastname: 'Same' } }));
          const isBad = ({ id }: StubInput): boolean => isBadNumber(id);
          const { client } = createStubPortal(({ body }) => {
            const results = body.inputs
              .filter((input) => !isBad(input))
              .map((input) => ({
                ...toResult(input),
                ...(hasEcho && { objectWriteTraceId: input.objectWriteTraceId }),
              }));
            return json(207, {
              ...stamps,
              results: results.toReversed(),
              errors: body.inputs.filter(isBad).map(toRowError),
            });
          });
          const results = await client.objects.upsert('companies', 'prospect_sync_company_key', inputs);
          const outcomes = results.map((result) => (result.ok ? result.id : 'failed'));
          expect(outcomes).toEqual(numbers.map((number) => (isBadNumber(`Key${number}`) ? 'failed' : `9${number}`)));
        },
      ),
    );
  });

  it('fails the rows that the answer leaves out', async () => {
    const { client } = createStubPortal(({ body }) =>
      json(200, { ...stamps, results: body.inputs.slice(2).map(toResult) }),
    );
    const results = await client.objects.upsert('companies', 'prospect_sync_company_key', contacts(4));
    expect(results.map((result) => (result.ok ? result.id : result.error.code))).toEqual([
      'ROW_NOT_ANSWERED',
      'ROW_NOT_ANSWERED',
      '92',
      '93',
    ]);
  });

  it('fails the rows without an outcome when an error names no row', async () => {
    const { client } = createStubPortal(({ body }) => {
      const errors = [{ status: 'error', category: 'CONFLICT', message: 'x' }];
      return json(207, { ...stamps, results: body.inputs.slice(1).map(toResult), errors });
    });
    const results = await client.objects.upsert('companies', 'prospect_sync_company_key', contacts(3));
    expect(results).toMatchObject([{ ok: false, error: { category: 'CONFLICT' } }, { ok: true }, { ok: true }]);
  });

  it.each([
    ['no JSON', () => new Response('<html>', { status: 200 })],
    ['no results', () => json(200, { status: 'COMPLETE' })],
    ['results without ids', () => json(200, { results: [{ properties: {} }] })],
    ['null', () => json(200, null)],
  ])('rejects an answer with %s', async (_what, respond) => {
    const { client } = createStubPortal(respond);
    expect(await rejection(client.objects.upsert('companies', 'k', contacts(1)))).toMatchObject({
      message: 'POST /crm/v3/objects/companies/batch/upsert returned an unusable answer (UNREADABLE_ANSWER)',
      kind: 'answer',
      status: 200,
    });
  });

  it('sends nothing when there are no rows', async () => {
    const { client, calls } = createStubPortal(() => json(200, {}));
    expect(await client.objects.upsert('companies', 'k', [])).toEqual([]);
    expect(calls).toHaveLength(0);
  });
});

describe('objects.update', () => {
  it('updates by record id', async () => {
    const { client, calls } = createStubPortal(({ body }) =>
      json(200, {
        ...stamps,
        results: body.inputs.map((input) => ({ id: input.id, properties: {}, ...at })).toReversed(),
      }),
    );
    const inputs = ['11', '12', '13'].map((id) => ({ id, properties: { name: 'Same' } }));
    expect(await client.objects.update('companies', inputs)).toEqual(
      ['11', '12', '13'].map((id) => ({ ok: true, id, created: false, isResent: false })),
    );
    expect(calls[0]?.path).toBe('/crm/v3/objects/companies/batch/update');
    expect(calls[0]?.body.inputs[1]).toEqual({
      id: '12',
      objectWriteTraceId: 'call-1-1',
      properties: { name: 'Same' },
    });
  });

  it('fails the record that an error names by its id', async () => {
    const { client } = createStubPortal(() =>
      json(207, {
        ...stamps,
        results: [{ id: '11', properties: {}, ...at }],
        errors: [{ status: 'error', category: 'OBJECT_NOT_FOUND', message: 'x', context: { ids: ['12'] } }],
      }),
    );
    const inputs = ['11', '12', '13'].map((id) => ({ id, properties: {} }));
    const results = await client.objects.update('companies', inputs);
    expect(results.map((result) => (result.ok ? result.id : (result.error.category ?? result.error.code)))).toEqual([
      '11',
      'OBJECT_NOT_FOUND',
      'ROW_NOT_ANSWERED',
    ]);
  });

  it('assigns the only remaining result to the only remaining row, because a merged record has another id', async () => {
    const { client } = createStubPortal(() =>
      json(200, { ...stamps, results: ['77', '11'].map((id) => ({ id, properties: {}, ...at })) }),
    );
    const inputs = ['11', '12'].map((id) => ({ id, properties: {} }));
    expect(await client.objects.update('companies', inputs)).toMatchObject([{ id: '11' }, { id: '77' }]);
  });
});

describe('objects.create', () => {
  const inputs = contacts(3).map(({ properties }) => ({ properties }));

  it('matches results to inputs by their values', async () => {
    const { client } = createStubPortal(({ body }) =>
      json(201, {
        ...stamps,
        results: body.inputs.map((input, index) => toResult({ ...input, id: `${index}` })).toReversed(),
      }),
    );
    expect(await client.objects.create('contacts', inputs)).toEqual(
      ['90', '91', '92'].map((id) => ({ ok: true, id, created: true, isResent: false })),
    );
  });

  it('matches results by trace id when HubSpot has changed the values', async () => {
    const { client } = createStubPortal(({ body }) => {
      const results = body.inputs.map(({ objectWriteTraceId }, index) => {
        return { id: `9${index}`, objectWriteTraceId, properties: { phone: '+49 30 1' }, ...at };
      });
      return json(201, { ...stamps, results: results.toReversed() });
    });
    const phones = ['030-1', '030/1', '0301'].map((phone) => ({ properties: { phone } }));
    expect(await client.objects.create('contacts', phones)).toMatchObject([{ id: '90' }, { id: '91' }, { id: '92' }]);
  });
});

describe('objects.archive', () => {
  it('sends each id once, 100 per request', async () => {
    const { client, calls } = createStubPortal(() => new Response(null, { status: 204 }));
    const ids = Array.from({ length: 120 }, (_, index) => `${index}`);
    await client.objects.archive('companies', [...ids, ...ids]);
    expect(calls.map(({ path, body }) => [path, body.inputs.length])).toEqual([
      ['/crm/v3/objects/companies/batch/archive', 100],
      ['/crm/v3/objects/companies/batch/archive', 20],
    ]);
  });
});
