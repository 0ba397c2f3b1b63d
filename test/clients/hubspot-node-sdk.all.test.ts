/**
 * HubSpot's own Node SDK against the sandbox over HTTP, used as its README and its type definitions say, with its limiter and its
 * retries. What is expected here comes from there, and not from the sandbox.
 */
import { AssociationTypes, Client, DEFAULT_LIMITER_OPTIONS } from '@hubspot/api-client';
import { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/AssociationSpec.js';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/contacts/models/Filter.js';
import type { SimplePublicObject } from '@hubspot/api-client/lib/codegen/crm/contacts/models/SimplePublicObject.js';
import {
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import { faultPresets } from '../../sandbox/hubspot/fault-presets.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';
import { until } from '../helpers/until.ts';

const sandbox = createHubSpotSandbox({ searchLagMs: 300 });
const { portalId, token } = sandbox.createPortal({ name: 'For the Node SDK', plan: 'professional' });
const people = Array.from({ length: 500 }, (_, i) => `person${i}@clients.example`);

let server: Awaited<ReturnType<typeof serveFetch>>;
let client: Client;
let contacts: SimplePublicObject[];
let companies: string[];

beforeAll(async () => {
  server = await serveFetch((request) => sandbox.fetch(request));
  client = new Client({
    accessToken: token,
    basePath: server.url,
    // The default is for 100 calls in 10 seconds; this account has 190.
    limiterOptions: { ...DEFAULT_LIMITER_OPTIONS, minTime: 1000 / 18 },
    numberOfApiCallRetries: 3,
  });
  contacts = [];
  for (const emails of inHundreds(people)) {
    const inputs = emails.map((email, i) => ({ properties: { email, lastname: `Person ${i}`, city: 'Bern' } }));
    contacts.push(...(await client.crm.contacts.batchApi.create({ inputs })).results);
  }
  companies = [];
  for (const names of inHundreds(people.map((_, i) => `Company ${i}`))) {
    const { results } = await client.crm.companies.batchApi.create({
      inputs: names.map((name) => ({ properties: { name } })),
    });
    companies.push(...results.map(({ id }) => id));
  }
});
afterAll(() => server.close());

function inHundreds<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / 100) }, (_, i) => items.slice(i * 100, i * 100 + 100));
}

const idOf = (email: string) => contacts.find(({ properties }) => properties['email'] === email)?.id ?? '';
/** The company that belongs to a contact: both have the same place. */
const companyOf = (email: string) =>
  at(
    companies,
    contacts.findIndex(({ properties }) => properties['email'] === email),
  );
const at = (ids: readonly string[], i: number) => ids[i] ?? '';

describe('the Node SDK of HubSpot', () => {
  it('creates 500 contacts, and pages through all of them with getAll and getPage', async () => {
    expect(new Set(contacts.map(({ id }) => id)).size).toBe(500);
    expect(contacts[0]?.createdAt).toBeInstanceOf(Date);
    const all = await client.crm.contacts.getAll(100, undefined, ['email', 'city']);
    expect(all.map(({ properties }) => properties['email'] ?? '').toSorted()).toEqual(people.toSorted());
    expect(new Set(all.map(({ properties }) => properties['city']))).toEqual(new Set(['Bern']));
    const page = await client.crm.contacts.basicApi.getPage(10);
    const next = await client.crm.contacts.basicApi.getPage(10, page.paging?.next?.after);
    expect(new Set([...page.results, ...next.results].map(({ id }) => id)).size).toBe(20);
  });

  it('upserts by email: 500 contacts that exist and 10 that are new', async () => {
    const { batchApi } = client.crm.contacts;
    const added = Array.from({ length: 10 }, (_, i) => `new${i}@clients.example`);
    const isNew = new Map<string | null | undefined, boolean>();
    for (const emails of inHundreds([...people, ...added])) {
      const inputs = emails.map((id) => ({ id, idProperty: 'email', properties: { email: id, jobtitle: 'Buyer' } }));
      const { results } = await batchApi.upsert({ inputs });
      for (const { properties, _new } of results) isNew.set(properties['email'], _new);
    }
    expect([...isNew.values()].filter((one) => !one)).toHaveLength(500);
    expect(added.every((email) => isNew.get(email) === true)).toBe(true);
    const read = await batchApi.read({
      inputs: added.map((id) => ({ id })),
      idProperty: 'email',
      properties: ['jobtitle'],
      propertiesWithHistory: [],
    });
    await batchApi.archive({ inputs: read.results.map(({ id }) => ({ id })) });
    expect(await client.crm.contacts.getAll()).toHaveLength(500);
  });

  it('upserts companies by a unique property of its own', async () => {
    await client.crm.properties.coreApi.create('companies', {
      name: 'clients_key',
      label: 'Key',
      groupName: 'companyinformation',
      type: PropertyCreateTypeEnum.String,
      fieldType: PropertyCreateFieldTypeEnum.Text,
      hasUniqueValue: true,
    });
    const keyed = (id: string, name: string) => ({ id, idProperty: 'clients_key', properties: { name } });
    const { batchApi } = client.crm.companies;
    const first = await batchApi.upsert({ inputs: [keyed('k1', 'One'), keyed('k2', 'Two')] });
    expect(first.results.map(({ _new }) => _new)).toEqual([true, true]);
    const second = await batchApi.upsert({ inputs: [keyed('k1', 'Uno')] });
    expect(second.results).toMatchObject([{ _new: false, properties: { name: 'Uno' } }]);
    const byKey = await client.crm.companies.basicApi.getById('k2', ['name'], [], [], false, 'clients_key');
    expect(byKey.properties['name']).toBe('Two');
    await batchApi.archive({ inputs: first.results.map(({ id }) => ({ id })) });
  });

  it('reads 500 contacts by id in batches, and none that does not exist', async () => {
    const found = new Map<string, string | null | undefined>();
    for (const part of inHundreds(contacts)) {
      const inputs = part.map(({ id }) => ({ id }));
      const read = await client.crm.contacts.batchApi.read({
        inputs,
        properties: ['email'],
        propertiesWithHistory: [],
      });
      for (const { id, properties } of read.results) found.set(id, properties['email']);
    }
    expect(contacts.filter(({ id, properties }) => found.get(id) !== properties['email'])).toEqual([]);
    const none = { inputs: [{ id: '1' }], properties: [], propertiesWithHistory: [] };
    const missing = await client.crm.contacts.batchApi.read(none);
    expect(missing).toMatchObject({ results: [], numErrors: 1, errors: [{ category: 'OBJECT_NOT_FOUND' }] });
  });

  it('searches as the README shows: filter groups, sorts, properties, limit and after', async () => {
    const filters = [{ propertyName: 'email', operator: FilterOperatorEnum.ContainsToken, value: '*@clients.example' }];
    const request = { filterGroups: [{ filters }], sorts: ['-email'], properties: ['email', 'createdate'], limit: 200 };
    const { searchApi } = client.crm.contacts;
    const search = (after: string) => searchApi.doSearch({ ...request, after });
    let page = await until(async () => {
      const first = await search('0');
      return first.total === 500 && first;
    });
    const emails: (string | null | undefined)[] = [];
    for (;;) {
      emails.push(...page.results.map(({ properties }) => properties['email']));
      const after = page.paging?.next?.after;
      if (after === undefined) break;
      page = await search(after);
    }
    expect(emails).toEqual(people.toSorted().toReversed());
    const one = { filters: [{ propertyName: 'email', operator: FilterOperatorEnum.Eq, value: at(people, 7) }] };
    const found = await searchApi.doSearch({ filterGroups: [one], limit: 100 });
    expect(found.results.map(({ id }) => id)).toEqual([idOf(at(people, 7))]);
  });

  it('associates 500 contacts with companies, labels one, reads them from both sides and removes one', async () => {
    const { batchApi, basicApi } = client.crm.associations.v4;
    const inputs = contacts.map(({ id }, i) => ({ _from: { id }, to: { id: at(companies, i) } }));
    const made = await batchApi.createDefault('contacts', 'companies', { inputs });
    expect(made.status).toBe('COMPLETE');
    const contactToCompany: number = AssociationTypes.contactToCompany;
    const forward = made.results.filter(
      ({ associationSpec }) => associationSpec.associationTypeId === contactToCompany,
    );
    expect(new Set(forward.map(({ _from }) => _from.id)).size).toBe(500);

    const read = await batchApi.getPage('contacts', 'companies', { inputs: contacts.map(({ id }) => ({ id })) });
    const linked = new Map(read.results.map(({ _from, to }) => [_from.id, to.map(({ toObjectId }) => toObjectId)]));
    expect(contacts.filter(({ id }, i) => linked.get(id)?.join() !== companies[i])).toEqual([]);

    const contact = idOf(at(people, 0));
    const extra = companyOf(at(people, 1));
    const labelled = await basicApi.create('companies', extra, 'contacts', contact, [
      {
        associationCategory: AssociationSpecAssociationCategoryEnum.HubspotDefined,
        associationTypeId: AssociationTypes.companyToContact,
      },
    ]);
    expect(labelled).toMatchObject({ fromObjectId: extra, toObjectId: contact });
    const both = await basicApi.getPage('contact', contact, 'company', undefined, 100);
    expect(both.results).toHaveLength(2);
    await basicApi.archive('companies', extra, 'contacts', contact);
    expect((await basicApi.getPage('contact', contact, 'company')).results).toHaveLength(1);
    const again = await basicApi.createDefault('contacts', contact, 'companies', extra);
    expect(again.results.length).toBeGreaterThan(0);
    const withLinks = await client.crm.contacts.basicApi.getById(contact, [], [], ['companies', 'tickets']);
    expect(withLinks.associations?.['companies']?.results.map(({ id }) => id)).toEqual(expect.arrayContaining([extra]));
  });

  it('keeps a list of 500 contacts', async () => {
    const { listsApi, membershipsApi } = client.crm.lists;
    const { list } = await listsApi.create({ name: 'SDK users', objectTypeId: '0-1', processingType: 'MANUAL' });
    const ids = contacts.map(({ id }) => id);
    expect((await membershipsApi.add(list.listId, ids)).recordsIdsAdded).toHaveLength(500);
    const members: string[] = [];
    let after: string | undefined;
    do {
      const page = await membershipsApi.getPage(list.listId, after, undefined, 100);
      members.push(...page.results.map(({ recordId }) => recordId));
      after = page.paging?.next?.after;
    } while (after !== undefined);
    expect(members.toSorted()).toEqual(ids.toSorted());
    expect((await listsApi.getByName('SDK users', '0-1')).list).toMatchObject({ listId: list.listId, size: 500 });
    const change = { recordIdsToAdd: [], recordIdsToRemove: ids.slice(0, 20) };
    expect((await membershipsApi.addAndRemove(list.listId, change)).recordIdsRemoved).toHaveLength(20);
    expect((await listsApi.getById(list.listId)).list.size).toBe(480);
    expect((await listsApi.doSearch({ query: 'SDK' })).lists.map(({ name }) => name)).toEqual(['SDK users']);
  });

  it('throws errors with code and body: not found, taken, invalid', async () => {
    const { basicApi, batchApi } = client.crm.contacts;
    await expect(basicApi.getById('1')).rejects.toMatchObject({ code: 404, body: { category: 'OBJECT_NOT_FOUND' } });
    const taken = { properties: { email: at(people, 3) } };
    await expect(basicApi.create(taken)).rejects.toMatchObject({
      code: 409,
      body: { category: 'CONFLICT', message: `Contact already exists. Existing ID: ${idOf(at(people, 3))}` },
    });
    await expect(basicApi.update(idOf(at(people, 4)), taken)).rejects.toMatchObject({
      code: 400,
      body: { category: 'VALIDATION_ERROR' },
    });
    const inputs = Array.from({ length: 101 }, (_, i) => ({ properties: { lastname: `${i}` } }));
    await expect(batchApi.create({ inputs })).rejects.toMatchObject({ code: 400 });
  });

  it('returns the row errors of a batch that carries write trace ids', async () => {
    const inputs = ['good@clients.example', 'no address'].map((email, i) => ({
      objectWriteTraceId: `row-${i}`,
      properties: { email },
    }));
    const answer = await client.crm.contacts.batchApi.create({ inputs });
    expect(answer).toMatchObject({
      results: [{ properties: { email: 'good@clients.example' } }],
      numErrors: 1,
      errors: [{ category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['row-1'] } }],
    });
    await client.crm.contacts.basicApi.archive(answer.results[0]?.id ?? '');
  });

  it('retries after a server error and after the limit of searches', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    const faults = sandbox.faults(portalId);
    const countFound = async () => (await client.crm.companies.searchApi.doSearch({ query: 'Company 77' })).total;
    await until(async () => (await countFound()) === 1);
    faults.add({ ...faultPresets.secondly_limit, path: '*/search', times: 1 });
    expect(await countFound()).toBe(1);
    faults.add({ status: 500, body: { status: 'error' }, method: 'GET', path: '/crm/v3/objects/contacts/', times: 1 });
    expect((await client.crm.contacts.basicApi.getById(idOf(at(people, 5)))).id).toBe(idOf(at(people, 5)));
    const statuses = sandbox
      .journal(portalId)
      .entries()
      .slice(-4)
      .map(({ status }) => status);
    expect(statuses).toEqual([429, 200, 500, 200]);
    logged.mockRestore();
  });

  it('sends requests that it does not wrap, and returns every answer', async () => {
    const body = {
      filters: [{ propertyName: 'associations.company', operator: 'EQ', value: companyOf(at(people, 9)) }],
      properties: ['email'],
    };
    const link = { _from: { id: idOf(at(people, 9)) }, to: { id: companyOf(at(people, 9)) } };
    await client.crm.associations.v4.batchApi.createDefault('contacts', 'companies', { inputs: [link] });
    const found = await until(async () => {
      const search = await client.apiRequest({ method: 'POST', path: '/crm/v3/objects/contacts/search', body });
      const page = (await search.json()) as { total: number };
      return page.total > 0 && page;
    });
    expect(found).toMatchObject({ total: 1, results: [{ properties: { email: at(people, 9) } }] });
    const details = await client.apiRequest({ path: '/account-info/v3/details' });
    expect(await details.json()).toMatchObject({ portalId });
    expect((await client.apiRequest({ path: '/crm/v3/objects/contacts/1' })).status).toBe(404);
  });

  it('merges pairs of contacts, which earlier ids still find, and stays below the limits of the account by its limiter', async () => {
    const { contacts: api, associations } = client.crm;
    // Its limiter sends 19 requests a second.
    const count = 250;
    const made: { id: string }[] = [];
    for (const part of inHundreds(Array.from({ length: 2 * count }, (_, i) => `pair${i}@merged.example`)))
      made.push(...(await api.batchApi.create({ inputs: part.map((email) => ({ properties: { email } })) })).results);
    const [first, second] = [at(companies, 0), at(companies, 1)];
    const inputs = made.map(({ id }, i) => ({ _from: { id }, to: { id: i % 2 === 0 ? first : second } }));
    for (const part of inHundreds(inputs))
      await associations.v4.batchApi.createDefault('contacts', 'companies', { inputs: part });
    const pairs = Array.from({ length: count }, (_, i) => [made[2 * i]?.id ?? '', made[2 * i + 1]?.id ?? ''] as const);
    const merged = await Promise.all(
      pairs.map(([primaryObjectId, objectIdToMerge]) => api.basicApi.merge({ primaryObjectId, objectIdToMerge })),
    );
    const ids = merged.map(({ id }) => id);
    const found = new Set<string>();
    for (const part of inHundreds(pairs.flat())) {
      const read = { inputs: part.map((id) => ({ id })), properties: [], propertiesWithHistory: [] };
      for (const { id } of (await api.batchApi.read(read)).results) found.add(id);
    }
    expect(found).toEqual(new Set(ids));
    expect((await api.basicApi.getById(pairs[0]?.[1] ?? '')).id).toBe(ids[0]);
    expect(await api.getAll()).toHaveLength(500 + count);
    const links = await associations.v4.basicApi.getPage('contacts', at(ids, 0), 'companies');
    expect(links.results.map(({ toObjectId }) => toObjectId).toSorted()).toEqual([first, second].toSorted());
    const refused = sandbox.journal(portalId).entries({ status: 429 });
    // Another test injects one. On a busy machine, delayed calls arrive within one second, and the SDK repeats them.
    expect(refused.filter(({ fault_id, code }) => fault_id === null && code !== 'SECONDLY')).toEqual([]);
    for (const part of inHundreds(ids)) await api.batchApi.archive({ inputs: part.map((id) => ({ id })) });
  });
});
