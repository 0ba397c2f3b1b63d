import * as fc from 'fast-check';
import { versionOf } from '../../../sandbox/hubspot/api-versions.ts';
import { openPortal } from './hubspot-harness.ts';

const bases = [
  ['legacy', '/crm/v3/objects'],
  ['2026-03', '/crm/objects/2026-03'],
  ['2026-09', '/crm/objects/2026-09'],
] as const;

function openDemanding(options: Parameters<typeof openPortal>[0] = {}) {
  const portal = openPortal(options);
  portal.sandbox.configure(portal.portalId, { requiredProperties: { companies: ['city', 'not_there'] } });
  return portal;
}

describe('versionOf', () => {
  it('knows two dates, and returns legacy for paths without a date', () => {
    const segment = fc.stringMatching(/^[a-z-]{1,12}$/);
    const date = fc.constantFrom('2026-03', '2026-09', '2025-09', '2026-10', '2027-03');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 2 }), date, fc.boolean(), (before, at, more) => {
        const path = `/${before.join('/')}/${at}${more ? '/companies/1' : ''}`;
        expect(versionOf(path)).toBe(at === '2026-03' || at === '2026-09' ? at : undefined);
      }),
    );
    expect(versionOf('/crm/v3/objects/contacts/2025-01')).toBe('legacy');
  });
});

describe('versions', () => {
  it.each([
    ['/crm/v3/objects/companies', '/crm/objects/DATE/companies'],
    ['/crm/v3/properties/companies/name', '/crm/properties/DATE/companies/name'],
    ['/crm-object-schemas/v3/schemas/companies', '/crm-object-schemas/DATE/schemas/companies'],
    ['/account-info/v3/details', '/account-info/DATE/details'],
  ])('answers %s on every supported date, and on no other', async (legacy, dated) => {
    const { call } = openPortal();
    const { status, body } = await call('GET', legacy);
    expect(status).toBe(200);
    for (const date of ['2026-03', '2026-09']) {
      expect(await call('GET', dated.replace('DATE', date))).toEqual({ status: 200, body });
    }
    for (const date of ['2025-09', '2026-06', '2027-03']) {
      expect(await call('GET', dated.replace('DATE', date))).toMatchObject({
        status: 404,
        body: { message: 'resource not found' },
      });
    }
  });

  it('answers associations on dated paths, those of one record below objects', async () => {
    const { call, create } = openPortal();
    const [company] = await create('companies', { name: 'A' });
    const [contact] = await create('contacts', { email: 'a@a.example' });
    const inputs = [{ from: { id: contact }, to: { id: company } }];
    const path = '/crm/associations/2026-09/contacts/companies/batch/associate/default';
    expect((await call('POST', path, { inputs })).status).toBe(200);
    const links = await call('GET', `/crm/objects/2026-09/contacts/${contact}/associations/companies`);
    expect(links.body.results.map(({ toObjectId }) => toObjectId)).toEqual([company]);
    expect((await call('GET', `/crm/v4/objects/contacts/${contact}/associations/companies`)).body).toEqual(links.body);
  });
});

describe('required properties', () => {
  it.each(bases.slice(1))('are enforced on %s, but not on legacy paths', async (_, base) => {
    const { call } = openDemanding();
    expect((await call('POST', '/crm/v3/objects/companies', { properties: { name: 'A' } })).status).toBe(201);
    const { status, body } = await call('POST', `${base}/companies`, { properties: { name: 'A' } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ code: 'MISSING_REQUIRED_PROPERTY', context: { propertyName: ['city'] } }]);
    expect((await call('POST', `${base}/companies`, { properties: { name: 'A', city: 'B' } })).status).toBe(201);
  });

  it('refuse only the row of a batch that lacks them', async () => {
    const { call, unique } = openDemanding();
    await unique('companies', 'our_key');
    const row = (id: string, properties: object) => ({ id, idProperty: 'our_key', properties, objectWriteTraceId: id });
    const upsert = (inputs: object[]) => call('POST', '/crm/objects/2026-09/companies/batch/upsert', { inputs });
    const { status, body } = await upsert([row('a', { name: 'A' }), row('b', { name: 'B', city: 'C' })]);
    expect([status, body.results.length, body.errors.length]).toEqual([200, 1, 1]);
    expect(body.errors[0].context).toEqual({ objectWriteTraceId: ['a'] });
    expect(body.errors[0].message).toContain('MISSING_REQUIRED_PROPERTY');
    // Written once, it may be left out, but not be cleared.
    expect((await upsert([row('b', { name: 'B2' })])).body).not.toHaveProperty('errors');
    expect((await upsert([row('b', { city: '' })])).status).toBe(200);
    expect((await upsert([row('b', { city: '' })])).body.errors).toHaveLength(1);
  });

  it('can be enforced from 2026-09 on only', async () => {
    const { call } = openDemanding({ assumed: { requiredSince: '2026-09' } });
    const statuses = bases.map(
      async ([, base]) => (await call('POST', `${base}/companies`, { properties: { name: 'A' } })).status,
    );
    expect(await Promise.all(statuses)).toEqual([201, 201, 400]);
  });

  it('stay after a reset', async () => {
    const { sandbox, portalId, call } = openDemanding();
    sandbox.reset(portalId);
    expect((await call('POST', '/crm/objects/2026-09/companies', { properties: { name: 'A' } })).status).toBe(400);
  });
});

describe('partial failures', () => {
  const inputs = [
    { properties: { name: 'A' }, objectWriteTraceId: '1' },
    { properties: { nothing: 'B' }, objectWriteTraceId: '2' },
  ];

  it.each([
    ['legacy', '/crm/v3/objects', 207],
    ['2026-03', '/crm/objects/2026-03', 207],
    ['2026-09', '/crm/objects/2026-09', 200],
  ])('%s', async (_, base, expected) => {
    const { call } = openPortal();
    const { status, body } = await call('POST', `${base}/companies/batch/create`, { inputs });
    expect([status, body.results.length, Reflect.get(body, 'numErrors')]).toEqual([expected, 1, 1]);
  });

  it('can also be 207 on 2026-09', async () => {
    const { call } = openPortal({ assumed: { partialFailureStatus: 207 } });
    expect((await call('POST', '/crm/objects/2026-09/companies/batch/create', { inputs })).status).toBe(207);
  });
});
