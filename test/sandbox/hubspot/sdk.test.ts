import { serve, type ServerType } from '@hono/node-server';
import { Client } from '@hubspot/api-client';
import type { AddressInfo } from 'node:net';
import { createHubSpotSandbox } from '../../../sandbox/hubspot/hubspot-sandbox.ts';

let server: ServerType;
let client: Client;
const sandbox = createHubSpotSandbox();
const { portalId, token } = sandbox.createPortal({ name: 'For the SDK' });

beforeAll(async () => {
  const port = await new Promise<number>((resolve) => {
    server = serve({ fetch: (request) => sandbox.fetch(request), port: 0 }, (info: AddressInfo) => resolve(info.port));
  });
  client = new Client({ accessToken: token, basePath: `http://127.0.0.1:${port}` });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => sandbox.reset());

const property = (name: string, groupName: string) =>
  ({ name, label: name, type: 'string', fieldType: 'text', groupName, hasUniqueValue: true }) as never;

describe('@hubspot/api-client against the sandbox HubSpot', () => {
  it('creates, reads, updates, lists and archives companies', async () => {
    const { basicApi, batchApi } = client.crm.companies;
    const created = await basicApi.create({ properties: { name: 'Acme', domain: 'acme.example' }, associations: [] });
    expect(created.createdAt).toBeInstanceOf(Date);
    const batch = await batchApi.create({ inputs: [{ properties: { name: 'B' } }, { properties: { name: 'C' } }] });
    expect(batch.status).toBe('COMPLETE');
    expect(batch.results).toHaveLength(2);
    await basicApi.update(created.id, { properties: { city: 'Bern' } });
    const read = await basicApi.getById(created.id, ['city', 'phone']);
    expect(read.properties).toMatchObject({ city: 'Bern', phone: null });
    const page = await basicApi.getPage(2);
    expect(page.results).toHaveLength(2);
    const rest = await basicApi.getPage(2, page.paging?.next?.after);
    expect(rest.results).toHaveLength(1);
    await batchApi.archive({ inputs: [{ id: created.id }] });
    await expect(basicApi.getById(created.id)).rejects.toMatchObject({
      code: 404,
      body: { category: 'OBJECT_NOT_FOUND' },
    });
  });

  it('upserts with trace ids and reads results, new, numErrors and errors of a 207', async () => {
    const { batchApi } = client.crm.contacts;
    const inputs = ['ada@acme.example', 'nonsense'].map((id, i) => ({
      id,
      idProperty: 'email',
      objectWriteTraceId: `t${i}`,
      properties: { lastname: 'L' },
    }));
    const answer = await batchApi.upsertWithHttpInfo({ inputs });
    expect(answer.httpStatusCode).toBe(207);
    expect(answer.data).toMatchObject({ numErrors: 1, errors: [{ context: { objectWriteTraceId: ['t1'] } }] });
    expect(answer.data.results).toMatchObject([{ _new: true, properties: { email: 'ada@acme.example' } }]);
    const again = await batchApi.upsert({ inputs: inputs.slice(0, 1) });
    expect(again.results).toMatchObject([{ _new: false }]);
    await expect(
      batchApi.upsert({ inputs: inputs.slice(1).map(({ objectWriteTraceId: _, ...rest }) => rest) }),
    ).rejects.toMatchObject({
      code: 400,
      body: { category: 'VALIDATION_ERROR', errors: [{ code: 'INVALID_EMAIL' }] },
    });
  });

  it('reads batches with unknown ids, and conflicts', async () => {
    const { basicApi, batchApi } = client.crm.contacts;
    const { id } = await basicApi.create({ properties: { email: 'ada@acme.example' }, associations: [] });
    const read = await batchApi.read({
      inputs: [{ id }, { id: '42' }],
      properties: ['email'],
      propertiesWithHistory: [],
    });
    expect(read).toMatchObject({
      results: [{ id }],
      errors: [{ category: 'OBJECT_NOT_FOUND', context: { ids: ['42'] } }],
    });
    const taken = { inputs: [{ properties: { email: 'ada@acme.example' } }] };
    await expect(batchApi.create(taken)).rejects.toMatchObject({
      code: 409,
      body: { message: `Contact already exists. Existing ID: ${id}` },
    });
    const update = await batchApi.update({ inputs: [{ id, properties: { city: 'Bern' } }] });
    expect(update.results[0]?.properties['city']).toBe('Bern');
  });

  it('searches', async () => {
    const { batchApi, searchApi } = client.crm.companies;
    await batchApi.create({
      inputs: ['a', 'b', 'c'].map((name) => ({ properties: { name, domain: `${name}.example` } })),
    });
    const filters = [{ propertyName: 'domain', operator: 'IN' as never, values: ['a.example', 'c.example'] }];
    const found = await searchApi.doSearch({ filterGroups: [{ filters }], properties: ['domain'], limit: 1 });
    expect(found).toMatchObject({
      total: 2,
      results: [{ properties: { domain: 'a.example' } }],
      paging: { next: { after: '1' } },
    });
  });

  it('defines properties and groups', async () => {
    const { coreApi, groupsApi, batchApi } = client.crm.properties;
    await groupsApi.create('companies', { name: 'ours', label: 'Ours' });
    const created = await coreApi.create('companies', property('our_key', 'ours'));
    expect(created).toMatchObject({ name: 'our_key', hasUniqueValue: true, groupName: 'ours' });
    expect((await coreApi.getByName('companies', 'our_key')).createdAt).toBeInstanceOf(Date);
    expect((await coreApi.getAll('companies')).results.length).toBeGreaterThan(30);
    expect((await groupsApi.getAll('companies')).results.map(({ name }) => name)).toContain('ours');
    const read = await batchApi.read('companies', { archived: false, inputs: [{ name: 'our_key' }] });
    expect(read.results).toHaveLength(1);
    await expect(coreApi.create('companies', property('our_key', 'ours'))).rejects.toMatchObject({
      code: 409,
      body: { subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS' },
    });
    await coreApi.archive('companies', 'our_key');
  });

  it('reads schemas', async () => {
    sandbox.configure(portalId, { requiredProperties: { companies: ['city'] } });
    const { coreApi } = client.crm.schemas;
    const schema = await coreApi.getById('companies');
    expect(schema).toMatchObject({ name: 'COMPANY', requiredProperties: ['city'], labels: { plural: 'Companies' } });
    expect(schema.properties[0]?.createdAt).toBeInstanceOf(Date);
    expect((await coreApi.getAll()).results).toEqual([]);
    sandbox.configure(portalId, { requiredProperties: {} });
  });

  it('associates contacts and companies', async () => {
    const company = await client.crm.companies.basicApi.create({ properties: { name: 'Acme' }, associations: [] });
    const contact = await client.crm.contacts.basicApi.create({ properties: { lastname: 'L' }, associations: [] });
    const { batchApi, basicApi } = client.crm.associations.v4;
    const pair = { _from: { id: contact.id }, to: { id: company.id } };
    const linked = await batchApi.createDefault('contacts', 'companies', { inputs: [pair] });
    const ids = linked.results.map(({ associationSpec }) => associationSpec.associationTypeId);
    expect(new Set(ids)).toEqual(new Set([279, 280]));
    const types = [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 1 }];
    const primary = await batchApi.create('contacts', 'companies', { inputs: [{ ...pair, types }] });
    expect(primary.results).toMatchObject([{ labels: ['Primary'], toObjectId: company.id }]);
    const read = await batchApi.getPage('contacts', 'companies', { inputs: [{ id: contact.id }] });
    expect(read.results[0]?._from.id).toBe(contact.id);
    expect(read.results[0]?.to[0]?.associationTypes.map(({ typeId }) => typeId)).toEqual([1, 279]);
    const page = await basicApi.getPage('companies', company.id, 'contacts');
    expect(page.results.map(({ toObjectId }) => toObjectId)).toEqual([contact.id]);
    await batchApi.archive('contacts', 'companies', { inputs: [{ _from: pair._from, to: [pair.to] }] });
    expect((await basicApi.getPage('companies', company.id, 'contacts')).results).toEqual([]);
  });

  it('defines association labels', async () => {
    const { definitionsApi } = client.crm.associations.v4.schema;
    const made = await definitionsApi.create('contacts', 'companies', { label: 'Pays', name: 'pays' });
    expect(made.results).toMatchObject([{ category: 'USER_DEFINED', typeId: 1, label: 'Pays' }, { typeId: 2 }]);
    expect((await definitionsApi.getAll('contacts', 'companies')).results).toContainEqual(made.results[0]);
  });

  it('reads associations of deals, and creates notes of contacts', async () => {
    const { deals, companies, contacts, objects } = client.crm;
    const company = await companies.basicApi.create({ properties: { name: 'Acme' }, associations: [] });
    const contact = await contacts.basicApi.create({ properties: { lastname: 'L' }, associations: [] });
    const spec = (associationTypeId: number) => [
      { associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId },
    ];
    const deal = await deals.basicApi.create({
      properties: { dealname: 'D', dealstage: 'closedwon' },
      associations: [{ to: { id: company.id }, types: spec(5) }],
    });
    const page = await deals.basicApi.getPage(10, undefined, ['hs_is_closed_won'], undefined, ['companies']);
    expect(page.results).toMatchObject([{ id: deal.id, properties: { hs_is_closed_won: 'true' } }]);
    expect(page.results[0]?.associations?.['companies']?.results).toMatchObject([
      { id: company.id, type: 'deal_to_company' },
      { id: company.id, type: 'deal_to_company_unlabeled' },
    ]);
    await objects.notes.basicApi.create({
      properties: { hs_timestamp: '2026-11-21T10:00:00Z', hs_note_body: 'Hello' },
      associations: [{ to: { id: contact.id }, types: spec(202) }],
    });
    const notes = await client.crm.associations.v4.basicApi.getPage('contacts', contact.id, 'notes');
    expect(notes.results).toMatchObject([{ associationTypes: [{ typeId: 201 }] }]);
    expect((await client.crm.pipelines.pipelinesApi.getAll('deals')).results).toMatchObject([{ id: 'default' }]);
  });

  it('merges contacts', async () => {
    const { basicApi } = client.crm.contacts;
    const [a, b] = [
      await basicApi.create({ properties: { email: 'a@acme.example' }, associations: [] }),
      await basicApi.create({ properties: { email: 'b@acme.example' }, associations: [] }),
    ];
    const merged = await basicApi.merge({ primaryObjectId: a.id, objectIdToMerge: b.id });
    expect(merged.createdAt).toBeInstanceOf(Date);
    expect((await basicApi.getById(a.id)).id).toBe(merged.id);
  });

  it('creates lists, and reads their members and owners', async () => {
    const { lists, owners, companies } = client.crm;
    const { id } = await companies.basicApi.create({ properties: { name: 'Acme' }, associations: [] });
    const { list } = await lists.listsApi.create({ name: 'Ours', objectTypeId: '0-2', processingType: 'MANUAL' });
    const changed = await lists.membershipsApi.add(list.listId, [id]);
    expect(changed.recordsIdsAdded).toEqual([id]);
    const members = await lists.membershipsApi.getPage(list.listId);
    expect(members.results).toMatchObject([{ recordId: id, membershipTimestamp: expect.any(Date) }]);
    expect((await lists.listsApi.getById(list.listId)).list).toMatchObject({ name: 'Ours', size: 1 });
    expect((await lists.listsApi.doSearch({ query: 'our' })).lists).toHaveLength(1);
    const page = await owners.ownersApi.getPage(undefined, undefined, 2);
    const [owner] = page.results;
    expect((await owners.ownersApi.getById(Number(owner?.id))).email).toBe(owner?.email);
    expect(page.paging?.next?.after).toBeDefined();
  });
});
