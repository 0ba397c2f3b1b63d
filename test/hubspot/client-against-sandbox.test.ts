import { COMPANY_KEY, CONTACT_KEY, managedProperties, propertyGroup } from '../../src/hubspot/managed-properties.ts';
import type { CrmRecord } from '../../src/hubspot/hubspot-record.ts';
import { apiVersions } from '../../src/hubspot/hubspot-api-versions.ts';
import type { ApiVersion } from '../../src/hubspot/hubspot-api-versions.ts';
import type { HubSpotSandboxOptions } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createSandboxPortal } from '../helpers/sandbox-portal.ts';
import { rejection } from './stub-portal.ts';

function portalsOn(version: ApiVersion) {
  const versions = { objects: version, associations: version, properties: version, lists: version, account: version };

  const createPortal = (sandbox: HubSpotSandboxOptions = {}) =>
    createSandboxPortal({ sandbox, portal: { accountType: 'DEVELOPER_TEST' }, client: { versions } });

  async function createReadyPortal(options: HubSpotSandboxOptions = {}) {
    const portal = createPortal(options);
    await portal.ensureProperties();
    return portal;
  }

  return { createPortal, createReadyPortal };
}

async function collect(pages: AsyncIterable<CrmRecord[]>): Promise<CrmRecord[]> {
  const records: CrmRecord[] = [];
  for await (const page of pages) records.push(...page);
  return records;
}

const companies = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `company-${index}`,
    properties: { name: `Company ${index}`, domain: `company-${index}.example` },
  }));

const contacts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `contact-${index}`,
    properties: { email: `Person-${index}@Firm.Example`, lastname: `Name ${index}` },
  }));

describe.each(apiVersions)('createHubSpotClient against the sandbox on %s paths', (version) => {
  const { createPortal, createReadyPortal } = portalsOn(version);

  it('creates its properties once', async () => {
    const { client, sandbox, portalId } = createPortal();
    const request = { group: propertyGroup, properties: managedProperties.contacts };
    const names = request.properties.map(({ name }) => name);
    expect(await client.properties.ensure('contacts', request)).toEqual({ created: names, findings: [] });
    expect(await client.properties.ensure('contacts', request)).toEqual({ created: [], findings: [] });
    expect(
      sandbox
        .journal(portalId)
        .entries()
        .filter(({ method }) => method === 'POST'),
    ).toHaveLength(1 + names.length);
  });

  it('creates properties correctly when two processes run at once', async () => {
    const { client } = createPortal();
    const request = { group: propertyGroup, properties: managedProperties.companies };
    const results = await Promise.all([
      client.properties.ensure('companies', request),
      client.properties.ensure('companies', request),
    ]);
    expect(results.flatMap(({ created }) => created).sort()).toEqual(request.properties.map(({ name }) => name).sort());
  });

  it('creates records by key, then updates the same records', async () => {
    const { client } = await createReadyPortal();
    const first = await client.objects.upsert('companies', COMPANY_KEY, companies(250));
    expect(first.every((result) => result.ok && result.created)).toBe(true);
    const again = await client.objects.upsert('companies', COMPANY_KEY, companies(250));
    expect(again).toEqual(first.map((result) => ({ ...result, created: false })));
    const records = await collect(client.objects.list('companies', { properties: [COMPANY_KEY] }));
    expect(records).toHaveLength(250);
    const idOf = new Map(records.map(({ id, properties }) => [properties[COMPANY_KEY], id]));
    expect(first.map((result) => result.ok && result.id)).toEqual(companies(250).map(({ id }) => idOf.get(id)));
  });

  it.each([true, false])('fails only the invalid row of 250 (trace ids echoed: %s)', async (echoTraceIds) => {
    const { client } = await createReadyPortal({ assumed: { echoTraceIds } });
    const inputs = companies(250);
    inputs[137] = { id: 'company-137', properties: { name: 'x', domain: 'x.example', no_such_property: '1' } as never };
    const results = await client.objects.upsert('companies', COMPANY_KEY, inputs);
    expect(results.flatMap(({ ok }, index) => (ok ? [] : [index]))).toEqual([137]);
    expect(results[137]).toMatchObject({ error: { code: 'PROPERTY_DOESNT_EXIST', property: 'no_such_property' } });
    expect(await collect(client.objects.list('companies', { properties: [] }))).toHaveLength(249);
  });

  it('isolates the contact whose email is taken, because of which HubSpot rejects the batch', async () => {
    const { client, sandbox, portalId } = await createReadyPortal();
    await client.objects.create('contacts', [{ properties: { email: 'person-61@firm.example' } }]);
    const before = sandbox.journal(portalId).entries().length;
    const results = await client.objects.upsert('contacts', CONTACT_KEY, contacts(100));
    expect(results.flatMap(({ ok }, index) => (ok ? [] : [index]))).toEqual([61]);
    expect(results[61]).toMatchObject({ error: { status: 409, category: 'CONFLICT' } });
    expect(JSON.stringify(results[61])).not.toContain('@');
    expect(await collect(client.objects.list('contacts', { properties: [] }))).toHaveLength(100);
    expect(sandbox.journal(portalId).entries().length - before).toBeLessThanOrEqual(17);
  });

  it('returns the company of a domain, and all of them when there are several', async () => {
    const { client } = await createReadyPortal();
    const created = await client.objects.create(
      'companies',
      ['one.example', 'Two.example', 'two.example'].map((domain) => ({ properties: { domain } })),
    );
    const ids = created.map((result) => (result.ok ? result.id : ''));
    const found = await client.objects.findByDomain('companies', ['ONE.example', 'two.example', 'none.example'], []);
    expect([...found].map(([domain, records]) => [domain, records.map(({ id }) => id).sort()])).toEqual([
      ['one.example', ids.slice(0, 1)],
      ['two.example', ids.slice(1).sort()],
    ]);
    await client.objects.update('companies', [{ id: ids[0] ?? '', properties: { [COMPANY_KEY]: 'key-1' } }]);
    const adopted = await client.objects.upsert('companies', COMPANY_KEY, [
      { id: 'key-1', properties: { name: 'One' } },
    ]);
    expect(adopted).toEqual([{ ok: true, id: ids[0], created: false, isResent: false }]);
  });

  it('rejects an upsert by domain, which is not unique', async () => {
    const { client } = await createReadyPortal();
    expect(await rejection(client.objects.upsert('companies', 'domain', companies(20)))).toMatchObject({
      status: 400,
      code: 'NON_UNIQUE_ID_PROPERTY',
      property: 'domain',
    });
  });

  it('reads by key, email and record id, and leaves out missing records', async () => {
    const { client } = await createReadyPortal();
    const written = await client.objects.upsert('contacts', CONTACT_KEY, contacts(120));
    const ids = written.map((result) => (result.ok ? result.id : ''));
    const byEmail = await client.objects.read('contacts', {
      ids: ['PERSON-7@firm.example', 'nobody@firm.example'],
      idProperty: 'email',
      properties: ['lastname'],
    });
    expect([...byEmail.keys()]).toEqual(['person-7@firm.example']);
    const requested = [...contacts(120).map(({ id }) => id), 'contact-x'];
    const byKey = await client.objects.read('contacts', {
      ids: requested,
      idProperty: CONTACT_KEY,
      properties: ['lastname'],
    });
    expect([...byKey.keys()].sort()).toEqual(requested.slice(0, -1).sort());
    expect(byKey.get('contact-119')?.properties).toMatchObject({ lastname: 'Name 119' });
    const byId = await client.objects.read('contacts', { ids: [...ids, '1'], properties: ['lastname'] });
    expect(byId.size).toBe(120);
    await client.objects.archive('contacts', ids.slice(0, 110));
    expect((await client.objects.read('contacts', { ids, properties: [] })).size).toBe(10);
  });

  it('writes a repeated key twice, the last row last', async () => {
    const { client } = await createReadyPortal();
    const inputs = ['a', 'b', 'A'].map((id, index) => ({ id, properties: { name: `v${index}` } }));
    const results = await client.objects.upsert('companies', COMPANY_KEY, inputs);
    expect(results.map((result) => result.ok && result.created)).toEqual([true, true, false]);
    const found = await client.objects.read('companies', { ids: ['a'], idProperty: COMPANY_KEY, properties: ['name'] });
    expect(found.get('a')?.properties['name']).toBe('v2');
  });

  it('searches page by page', async () => {
    const { client } = await createReadyPortal();
    await client.objects.upsert('companies', COMPANY_KEY, companies(450));
    const filterGroups = [[{ propertyName: COMPANY_KEY, operator: 'HAS_PROPERTY' }]] as const;
    const sizes: number[] = [];
    for await (const page of client.objects.search('companies', { filterGroups, properties: ['domain'] })) {
      sizes.push(page.length);
    }
    expect(sizes).toEqual([200, 200, 50]);
    const domains = companies(450).map((company) => company.properties.domain);
    expect((await client.objects.findByDomain('companies', domains, ['name'])).size).toBe(450);
  });

  it('links contacts to their company, also when it is repeated', async () => {
    const { client } = await createReadyPortal();
    const [company] = await client.objects.upsert('companies', COMPANY_KEY, companies(1));
    const people = await client.objects.upsert('contacts', CONTACT_KEY, contacts(3));
    const companyId = company?.ok ? company.id : '';
    const pairs = people.map((result) => ({ fromId: result.ok ? result.id : '', toId: companyId }));
    const stranger = { fromId: '1', toId: companyId };
    expect(await client.associations.associate('contacts', 'companies', pairs)).toEqual(
      pairs.map(() => ({ ok: true })),
    );
    const again = await client.associations.associate('contacts', 'companies', [...pairs, stranger]);
    expect(again.map(({ ok }) => ok)).toEqual([true, true, true, false]);
    const linked = await client.associations.read('companies', 'contacts', [companyId]);
    expect(
      linked
        .get(companyId)
        ?.map(({ id }) => id)
        .toSorted(),
    ).toEqual(pairs.map(({ fromId }) => fromId).sort());
    expect((await client.associations.read('contacts', 'companies', ['1'])).size).toBe(0);
  });

  it('requests only paths of its version', async () => {
    const { client, sandbox, portalId } = await createReadyPortal();
    await client.account();
    await client.objects.findByDomain('companies', ['one.example'], []);
    await client.associations.read('contacts', 'companies', ['1']);
    await client.lists.get('1');
    const paths = sandbox
      .journal(portalId)
      .entries()
      .map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => /\/v[34]\//.test(path))).toHaveLength(version === 'legacy' ? paths.length : 0);
    expect(paths.filter((path) => path.includes(`/${version}/`))).toHaveLength(version === 'legacy' ? 0 : paths.length);
  });

  it('makes a company the primary one, and keeps the other links', async () => {
    const { client } = await createReadyPortal();
    const made = await client.objects.upsert('companies', COMPANY_KEY, companies(2));
    const [person] = await client.objects.upsert('contacts', CONTACT_KEY, contacts(1));
    const fromId = person?.ok ? person.id : '';
    const ids = made.map((result) => (result.ok ? result.id : ''));
    const links = ids.map((toId, index) => ({
      fromId,
      toId,
      types: (index === 0 ? [279, 1] : [279]).map((typeId) => ({ category: 'HUBSPOT_DEFINED', typeId }) as const),
    }));
    expect(await client.associations.label('contacts', 'companies', links)).toEqual([{ ok: true }, { ok: true }]);
    const linked = (await client.associations.read('contacts', 'companies', [fromId])).get(fromId) ?? [];
    expect(
      new Map(linked.map(({ id, types }) => [id, types.map(({ typeId }) => typeId).toSorted((a, b) => a - b)])),
    ).toEqual(
      new Map([
        [ids[0], [1, 279]],
        [ids[1], [279]],
      ]),
    );
  });

  it('reads open deals, their companies, and the members of a list', async () => {
    const { client, send } = await createReadyPortal();
    const made = await client.objects.upsert('companies', COMPANY_KEY, companies(150));
    const ids = made.map((result) => (result.ok ? result.id : ''));
    const stages = ['contractsent', 'closedwon'];
    const dealIds: string[] = [];
    for (const [index, dealstage] of stages.entries()) {
      const deal = { properties: { dealname: 'D', dealstage } };
      const { id } = await send<{ id: string }>('POST', '/crm/v3/objects/deals', deal);
      dealIds.push(id);
      const inputs = [{ from: { id }, to: { id: ids[index] } }];
      await send('POST', '/crm/v4/associations/deals/companies/batch/associate/default', { inputs });
    }
    const filterGroups = [[{ propertyName: 'hs_is_closed', operator: 'EQ', value: 'false' }]] as const;
    const open = await collect(client.objects.search('deals', { filterGroups, properties: ['dealstage'] }));
    expect(open.map(({ id }) => id)).toEqual(dealIds.slice(0, 1));
    expect(await collect(client.objects.list('deals', { properties: ['dealstage'] }))).toHaveLength(2);
    const owners = await client.associations.read('deals', 'companies', dealIds);
    expect(dealIds.map((id) => owners.get(id)?.map((company) => company.id))).toEqual([[ids[0]], [ids[1]]]);

    const list = { name: 'No', objectTypeId: '0-2', processingType: 'MANUAL' };
    const { list: created } = await send<{ list: { listId: string } }>('POST', '/crm/v3/lists', list);
    await send('PUT', `/crm/v3/lists/${created.listId}/memberships/add`, ids.slice(0, 130));
    expect(await client.lists.get(created.listId)).toEqual({ name: 'No', objects: 'companies' });
    expect(await client.lists.get('999')).toBeUndefined();
    const members: string[][] = [];
    for await (const page of client.lists.members(created.listId)) members.push(page);
    expect(members.map((page) => page.length)).toEqual([100, 30]);
    expect(new Set(members.flat())).toEqual(new Set(ids.slice(0, 130)));
  });

  it('finds a contact by an address that a merge made secondary', async () => {
    const { client, send } = await createReadyPortal({ assumed: { readBySecondaryEmail: 'found' } });
    const made = await client.objects.create(
      'contacts',
      ['main@firm.example', 'old@firm.example'].map((email) => ({ properties: { email } })),
    );
    const [kept, merged] = made.map((result) => (result.ok ? result.id : ''));
    await send('POST', '/crm/v3/objects/contacts/merge', { primaryObjectId: kept, objectIdToMerge: merged });
    const requested = { ids: ['OLD@firm.example'], idProperty: 'email', properties: ['email'] };
    const found = await client.objects.read('contacts', requested);
    expect(found.get('old@firm.example')?.properties['email']).toBe('main@firm.example');
  });

  it('returns the id of the record that already has the address', async () => {
    const { client } = await createReadyPortal();
    const [taken] = await client.objects.create('contacts', [{ properties: { email: 'ada@firm.example' } }]);
    const [refused] = await client.objects.create('contacts', [{ properties: { email: 'ada@firm.example' } }]);
    expect(refused).toMatchObject({ ok: false, error: { status: 409, existingId: taken?.ok ? taken.id : '' } });
  });

  it('writes nothing to another portal than the expected one', async () => {
    const { sandbox, portalId, connect } = createPortal();
    const client = connect({ portal: { id: portalId + 1 } });
    const rejected = await rejection(
      client.properties.ensure('companies', { group: propertyGroup, properties: managedProperties.companies }),
    );
    expect(rejected).toMatchObject({
      code: 'WRONG_PORTAL',
      portal: { expected: `${portalId + 1}`, found: `${portalId}` },
    });
    expect(
      sandbox
        .journal(portalId)
        .entries()
        .filter(({ method }) => method !== 'GET'),
    ).toEqual([]);
  });

  it('returns the portal of its token', async () => {
    const { client, portalId } = createPortal();
    expect(await client.account()).toMatchObject({ portalId, accountType: 'DEVELOPER_TEST' });
  });

  it('reports an invalid token and a missing scope', async () => {
    const { connect, connectWithScopes } = createPortal();
    expect(await rejection(connect({ token: 'pat-wrong' }).account())).toMatchObject({
      status: 401,
      category: 'INVALID_AUTHENTICATION',
    });
    const reader = connectWithScopes(['crm.objects.companies.read']);
    expect(await rejection(reader.objects.create('companies', [{ properties: { name: 'x' } }]))).toMatchObject({
      status: 403,
      category: 'MISSING_SCOPES',
    });
  });

  it('does not repeat a create whose answer was lost, and repeats an upsert without a second record', async () => {
    const { client, sandbox, portalId } = await createReadyPortal();
    sandbox
      .faults(portalId)
      .add({ method: 'POST', path: /\/batch\/(create|upsert)$/, commit: true, reset: true, times: 1 });
    expect(await rejection(client.objects.create('companies', [{ properties: { name: 'x' } }]))).toMatchObject({
      kind: 'connection',
      code: 'ECONNRESET',
    });
    expect(await collect(client.objects.list('companies', { properties: [] }))).toHaveLength(1);
    sandbox.faults(portalId).add({ method: 'POST', path: /\/batch\/upsert$/, commit: true, reset: true, times: 1 });
    const results = await client.objects.upsert('companies', COMPANY_KEY, companies(3));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await collect(client.objects.list('companies', { properties: [] }))).toHaveLength(4);
  });
});
