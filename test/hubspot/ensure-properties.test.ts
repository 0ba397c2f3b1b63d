import { managedProperties, propertyGroup } from '../../src/hubspot/managed-properties.ts';
import { createSandboxPortal } from '../helpers/sandbox-portal.ts';
import { createStubPortal, json, rejection } from './stub-portal.ts';
import type { StubCall, StubPortal } from './stub-portal.ts';

interface Known {
  name: string;
  label: string;
  type: string;
  fieldType: string;
  hasUniqueValue?: boolean;
  options?: readonly { value: string }[];
}

const exists = (): Response =>
  json(409, {
    status: 'error',
    category: 'OBJECT_ALREADY_EXISTS',
    subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    message: 'x',
  });

/** A portal with these properties. `hidden` ones are created by another process after the list was read. */
function createPropertyPortal(known: Known[], hidden: Known[] = []): StubPortal & { creations: string[] } {
  const groups: string[] = [];
  const creations: string[] = [];
  const path = '/crm/v3/properties/companies';
  const answer = (call: StubCall): Response => {
    if (call.method === 'GET' && call.path === path) return json(200, { results: known });
    if (call.method === 'GET' && call.path === `${path}/groups`)
      return json(200, { results: groups.map((name) => ({ name })) });
    if (call.method === 'POST' && call.path === `${path}/groups`) {
      if (groups.includes(call.body.name)) return exists();
      groups.push(call.body.name);
      return json(201, call.body);
    }
    if (call.method === 'POST' && call.path === path) {
      creations.push(call.body.name);
      if (hidden.some(({ name }) => name === call.body.name)) return exists();
      known.push(call.body as unknown as Known);
      return json(201, call.body);
    }
    const named = [...known, ...hidden].find(({ name }) => call.path === `${path}/${name}`);
    return named === undefined ? json(404, { category: 'OBJECT_NOT_FOUND' }) : json(200, named);
  };
  return { ...createStubPortal(answer), creations };
}

const request = { group: propertyGroup, properties: managedProperties.companies };
const key = 'prospect_sync_company_key';

describe('properties.ensure', () => {
  it('creates the group and missing properties, and nothing on the second call', async () => {
    const { client, calls, creations } = createPropertyPortal([]);
    const names = managedProperties.companies.map(({ name }) => name);
    expect(await client.properties.ensure('companies', request)).toEqual({ created: names, findings: [] });
    expect(calls.find(({ path, method }) => method === 'POST' && path.endsWith('/groups'))?.body).toEqual({
      name: 'prospect_sync',
      label: 'Prospect sync',
    });
    expect(calls.find(({ body }) => body.name === key)?.body).toEqual({
      name: key,
      label: 'Company key',
      type: 'string',
      fieldType: 'text',
      hasUniqueValue: true,
      groupName: 'prospect_sync',
    });
    const before = calls.length;
    expect(await client.properties.ensure('companies', request)).toEqual({ created: [], findings: [] });
    expect(calls.length - before).toBe(1);
    expect(creations).toEqual(names);
  });

  it('lets calls at the same time take turns, so that HubSpot refuses none of them', async () => {
    const { sandbox, portalId, client } = createSandboxPortal();
    const wanted = { group: propertyGroup, properties: managedProperties.companies };
    const results = await Promise.all([1, 2, 3].map(() => client.properties.ensure('companies', wanted)));
    const count = managedProperties.companies.length;
    expect(results.map(({ created }) => created.length)).toEqual([count, 0, 0]);
    const entries = sandbox.journal(portalId).entries();
    expect(entries.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it('gives a boolean property its two options', async () => {
    const { client, calls } = createPropertyPortal([]);
    const properties = managedProperties.contacts.filter(({ fieldType }) => fieldType === 'booleancheckbox');
    await client.properties.ensure('companies', { group: propertyGroup, properties });
    expect(calls.at(-1)?.body).toMatchObject({
      name: 'prospect_sync_client_deliverable',
      type: 'enumeration',
      fieldType: 'booleancheckbox',
      options: [
        { label: 'Yes', value: 'true', displayOrder: 0, hidden: false },
        { label: 'No', value: 'false', displayOrder: 1, hidden: false },
      ],
    });
  });

  it('accepts a property that another process creates at the same time', async () => {
    const hidden = [{ ...managedProperties.companies[0] }];
    const { client } = createPropertyPortal([], hidden);
    const { created } = await client.properties.ensure('companies', request);
    expect(created).toEqual(managedProperties.companies.slice(1).map(({ name }) => name));
  });

  it.each([
    [
      'another type',
      { name: key, label: 'x', type: 'number', fieldType: 'number', hasUniqueValue: true },
      'PROPERTY_TYPE_DIFFERS',
    ],
    ['values that are not unique', { name: key, label: 'x', type: 'string', fieldType: 'text' }, 'PROPERTY_NOT_UNIQUE'],
  ])('rejects a property with %s, and creates nothing', async (_what, property, code) => {
    const { client, creations } = createPropertyPortal([property]);
    expect(await rejection(client.properties.ensure('companies', request))).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^GET /crm/v3/properties/companies contains .*\\(${code}: ${key}\\); .*doctor. for details$`),
      ),
      kind: 'answer',
      code,
      property: key,
    });
    expect(creations).toEqual([]);
  });

  it('rejects a property that another process created with another definition', async () => {
    const { client } = createPropertyPortal([], [{ name: key, label: 'x', type: 'string', fieldType: 'text' }]);
    expect(await rejection(client.properties.ensure('companies', request))).toMatchObject({
      code: 'PROPERTY_NOT_UNIQUE',
      property: key,
    });
  });

  it('rejects an enumeration without the required options', async () => {
    const name = 'prospect_sync_client_deliverable';
    const options = [{ value: 'true' }];
    const { client } = createPropertyPortal([{ name, label: 'x', type: 'enumeration', fieldType: 'select', options }]);
    const properties = managedProperties.contacts.filter((property) => property.name === name);
    expect(await rejection(client.properties.ensure('companies', { group: propertyGroup, properties }))).toMatchObject({
      code: 'PROPERTY_OPTION_MISSING',
      property: name,
    });
  });

  it('reports a property whose field type differs only in the display', async () => {
    const status = { name: 'prospect_sync_status', label: 'x', type: 'string', fieldType: 'textarea' };
    const { client } = createPropertyPortal([status]);
    const { findings } = await client.properties.ensure('companies', request);
    expect(findings).toEqual([{ code: 'FIELD_TYPE_DIFFERS', property: 'prospect_sync_status' }]);
  });

  it('creates nothing without permission, and names all missing properties', async () => {
    const known = [{ ...managedProperties.companies[0] }];
    const { client, creations } = createPropertyPortal(known);
    const error = await rejection(client.properties.ensure('companies', { ...request, create: false }));
    expect(error).toMatchObject({ kind: 'answer', code: 'PROPERTY_MISSING' });
    expect(error.property?.split(', ')).toEqual(managedProperties.companies.slice(1).map(({ name }) => name));
    expect(error.message).toContain('run `prospect-sync doctor` for details');
    expect(creations).toEqual([]);
  });

  it('uses createProperties of the client when a call does not set it', async () => {
    const { client } = createStubPortal(() => json(200, { results: [] }), { createProperties: false });
    expect(await rejection(client.properties.ensure('companies', request))).toMatchObject({ code: 'PROPERTY_MISSING' });
  });

  it('requires mapped properties to exist on their own object type', async () => {
    const { client, creations } = createPropertyPortal([
      { name: 'domain', label: 'x', type: 'string', fieldType: 'text' },
    ]);
    const mustExist = [
      { type: 'companies', name: 'domain' },
      { type: 'companies', name: key },
      { type: 'companies', name: 'segment' },
      { type: 'contacts', name: 'email' },
    ] as const;
    expect(await rejection(client.properties.ensure('companies', { ...request, mustExist }))).toMatchObject({
      code: 'PROPERTY_MISSING',
      property: 'segment',
    });
    expect(creations).toEqual([]);
    await client.properties.ensure('companies', { ...request, mustExist: mustExist.slice(0, 2) });
    expect(creations).toContain(key);
  });

  it.each([
    ['PROPERTY_READ_ONLY', { type: 'string', modificationMetadata: { readOnlyValue: true } }],
    ['PROPERTY_TYPE_DIFFERS', { type: 'date' }],
    ['PROPERTY_OPTION_MISSING', { type: 'enumeration', options: [{ value: 'other' }] }],
  ])('rejects all mapped properties that cannot be written as %s, and creates nothing', async (code, portals) => {
    const property = { label: 'x', fieldType: 'text', ...portals };
    const { client, creations } = createPropertyPortal(['one', 'two', 'read'].map((name) => ({ name, ...property })));
    const holds = { kind: 'text', words: ['status'], from: 'slot.status' } as const;
    const mustExist = [
      { type: 'companies', name: 'one', holds },
      { type: 'companies', name: 'two', holds },
      { type: 'companies', name: 'read' },
    ] as const;
    for (const call of ['ensure', 'check'] as const) {
      expect(await rejection(client.properties[call]('companies', { ...request, mustExist }))).toMatchObject({
        kind: 'answer',
        code,
        property: 'one, two',
      });
    }
    expect(creations).toEqual([]);
  });

  it('accepts an enumeration when the mapped value may be one of its options', async () => {
    const options = [{ value: 'RETAIL' }];
    const { client } = createPropertyPortal([{ name: 'a', label: 'x', type: 'enumeration', fieldType: 'x', options }]);
    const holds = { kind: 'text', words: null, from: 'company.industry' } as const;
    const mustExist = [{ type: 'companies', name: 'a', holds }] as const;
    expect((await client.properties.ensure('companies', { ...request, mustExist })).created).toContain(key);
  });
});

describe('managedProperties', () => {
  it('have names and a number of unique values that HubSpot accepts', () => {
    for (const properties of Object.values(managedProperties)) {
      const names = properties.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,99}$/);
      expect(properties.filter((property) => 'hasUniqueValue' in property)).toHaveLength(1);
    }
  });
});
