// Several batches at once, for every function that sends batches.
import type { HubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { at, createStubPortal, json, rejection } from './stub-portal.ts';
import type { StubCall } from './stub-portal.ts';

function answer({ path, body }: StubCall): Response {
  if (path.endsWith('/archive')) return new Response(null, { status: 204 });
  if (path.endsWith('/associations/contacts/companies/batch/read')) {
    return json(200, { results: body.inputs.map(({ id }) => ({ from: { id }, to: [{ toObjectId: `1${id}` }] })) });
  }
  if (path.endsWith('/associations/contacts/companies/batch/create')) {
    const results = body.inputs.map(({ from, to }) => ({ fromObjectId: from.id, toObjectId: to.id, labels: [] }));
    return json(201, { results });
  }
  if (path.includes('/associations/')) return json(200, { results: body.inputs });
  return json(200, { results: body.inputs.map((input) => toRecord(input)) });
}

/** The fields that the answers of all reads and writes have in common. */
function toRecord({ id, properties }: Partial<StubCall['body']['inputs'][number]>) {
  return { id: id ?? properties?.['name'], properties: properties ?? { name: id }, ...at };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);
const rows = (count: number) => ids(count).map((id) => ({ id, properties: { name: id } }));
const types = [{ category: 'HUBSPOT_DEFINED', typeId: 1 }] as const;
const pairs = (count: number) => ids(count).map((fromId) => ({ fromId, toId: '7', types }));

const operations: readonly [string, (client: HubSpotClient, signal?: AbortSignal) => Promise<unknown>][] = [
  ['read', ({ objects }, signal) => objects.read('companies', { ids: ids(950), properties: ['name'], signal })],
  ['update', ({ objects }, signal) => objects.update('companies', rows(950), signal)],
  ['upsert', ({ objects }, signal) => objects.upsert('companies', 'name', rows(950), signal)],
  ['create', ({ objects }, signal) => objects.create('companies', rows(950), signal)],
  ['archive', ({ objects }, signal) => objects.archive('companies', ids(950), signal)],
  ['associate', ({ associations }, signal) => associations.associate('contacts', 'companies', pairs(9_500), signal)],
  ['label', ({ associations }, signal) => associations.label('contacts', 'companies', pairs(9_500), signal)],
  ['read links', ({ associations }, signal) => associations.read('contacts', 'companies', ids(9_500), signal)],
];

describe.each(operations)('%s in ten batches', (_name, run) => {
  it('sends several batches at once, up to the configured concurrency', async () => {
    let inFlight = 0;
    let most = 0;
    const { client, calls } = createStubPortal(
      async (call, index) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        // The first answers arrive last.
        for (let turn = 0; turn < 12 - index; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        return answer(call);
      },
      { budget: { concurrency: 4 } },
    );
    await run(client);
    expect(calls).toHaveLength(10);
    expect(most).toBe(4);
  });

  it('throws the first error after the requests in flight have ended, and sends no more', async () => {
    let inFlight = 0;
    const { client, calls } = createStubPortal(
      async (call, index) => {
        if (index === 1) return json(401, { category: 'INVALID_AUTHENTICATION' });
        inFlight += 1;
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        return answer(call);
      },
      { budget: { concurrency: 4 } },
    );
    expect(await rejection(run(client))).toMatchObject({ status: 401 });
    expect(calls.length).toBeLessThanOrEqual(6);
    const before = calls.length;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(before);
    expect(inFlight).toBe(0);
  });

  it('stops when its caller cancels', async () => {
    const controller = new AbortController();
    const { client } = createStubPortal(
      (call, index) => {
        if (index === 2) controller.abort();
        return answer(call);
      },
      { budget: { concurrency: 2 } },
    );
    expect(await rejection(run(client, controller.signal))).toMatchObject({ kind: 'cancelled' });
  });
});

describe('the results of several batches', () => {
  it('have the order of the inputs', async () => {
    const { client } = createStubPortal(async (call, index) => {
      for (let turn = 0; turn < 12 - index; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return answer(call);
    });
    const results = await client.objects.update('companies', rows(950));
    expect(results.map((result) => result.ok && result.id)).toEqual(ids(950));
    const found = await client.objects.read('companies', { ids: ids(950), properties: ['name'] });
    expect(new Set(found.keys())).toEqual(new Set(ids(950)));
    const linked = await client.associations.read('contacts', 'companies', ids(2_500));
    expect(linked.get('2400')).toEqual([{ id: '12400', types: [] }]);
  });

  it('contain rows of the same key that were sent one after the other', async () => {
    const open: string[] = [];
    const { client } = createStubPortal(async (call) => {
      open.push(`begin ${call.body.inputs[0]?.properties['name']}`);
      await new Promise((resolve) => setImmediate(resolve));
      open.push(`end ${call.body.inputs[0]?.properties['name']}`);
      return answer(call);
    });
    const inputs = ['v1', 'v2', 'v3'].map((name) => ({ id: '1', properties: { name } }));
    await client.objects.update('companies', inputs);
    expect(open).toEqual(['begin v1', 'end v1', 'begin v2', 'end v2', 'begin v3', 'end v3']);
  });
});
