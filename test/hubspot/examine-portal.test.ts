import { defaultRateLimits } from '../../src/hubspot/rate-limiter.ts';
import { examinePortal, type Examination } from '../../src/hubspot/examine-portal.ts';
import { checkLimits, checkVersions } from '../../src/hubspot/portal-checks.ts';
import type { Check } from '../../src/hubspot/portal-checks.ts';
import { managedProperties, propertyGroup } from '../../src/hubspot/managed-properties.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { toMappedProperties } from '../../src/delivery/mapping/written-content.ts';
import { defaultVersions } from '../../src/hubspot/hubspot-api-versions.ts';
import type { PortalRequest } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createSandboxPortal } from '../helpers/sandbox-portal.ts';

const usual: Examination = {
  portal: {},
  versions: defaultVersions,
  createProperties: true,
  writes: true,
  mustExist: [
    { type: 'companies', name: 'domain' },
    { type: 'contacts', name: 'email' },
  ],
  filled: { companies: ['name', 'domain'], contacts: ['email'] },
  owners: [],
  readsDeals: false,
  readsLists: false,
  writesLists: false,
  unsubscribes: false,
};

const createPortal = (portal: Partial<PortalRequest> = {}) =>
  createSandboxPortal({ portal: { accountType: 'DEVELOPER_TEST', ...portal } });

async function readOwner({ send }: ReturnType<typeof createPortal>, archived: boolean): Promise<string> {
  const { results } = await send<{ results: { id: string }[] }>('GET', `/crm/v3/owners?archived=${archived}`);
  return results[0]?.id ?? '';
}

const problems = (checks: readonly Check[]) =>
  checks.filter(({ state }) => state === 'problem').map(({ check, message }) => `${check}: ${message}`);
const find = (checks: readonly Check[], name: string) => checks.find(({ check }) => check === name);

describe('examinePortal', () => {
  it('names the properties that the first run creates, changes nothing, and finds everything in place after it', async () => {
    const { client, sandbox, portalId, ensureProperties } = createPortal({ plan: 'professional' });
    const first = await examinePortal(client, usual);
    expect(problems(first)).toEqual([]);
    expect(find(first, 'HubSpot')?.message).toBe(`portal ${portalId}, DEVELOPER_TEST, Europe/Berlin`);
    const names = managedProperties.companies.map(({ name }) => name).join(', ');
    expect(find(first, 'companies: own properties')).toMatchObject({
      state: 'ok',
      message: `the first run creates ${names}`,
    });
    expect(find(first, 'companies: unique properties')?.message).toBe('0 of 10 used');
    await ensureProperties();
    const writes = () =>
      sandbox
        .journal(portalId)
        .entries()
        .filter(({ method, path, status }) => method === 'POST' && !path.includes('/batch/read') && status < 400)
        .length;
    const before = writes();
    const second = await examinePortal(client, usual);
    expect(find(second, 'contacts: own properties')).toMatchObject({ state: 'ok', message: 'all exist' });
    expect(find(second, 'companies: unique properties')?.message).toBe('1 of 10 used');
    expect(writes()).toBe(before);
  });

  it('lists missing properties with all details when it may not create them', async () => {
    const { client, sandbox, portalId } = createPortal();
    const checks = await examinePortal(client, { ...usual, createProperties: false });
    expect(find(checks, 'companies: own properties')).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/^missing: prospect_sync_company_key \(string as text, unique\), /),
    });
    expect(find(checks, 'contacts: own properties')?.message).toContain(
      'prospect_sync_client_deliverable (enumeration as booleancheckbox with true and false)',
    );
    const paths = sandbox.journal(portalId).entries();
    expect(paths.filter(({ method, path }) => method === 'POST' && path.includes('/properties/'))).toEqual([]);
  });

  it('reports configured properties that the portal does not have', async () => {
    const { client } = createPortal();
    const mustExist = [...usual.mustExist, { type: 'companies', name: 'segment_2026' } as const];
    expect(problems(await examinePortal(client, { ...usual, mustExist }))).toEqual([
      'companies: mapped properties: not in the portal: segment_2026. Create them, or remove them from the mapping',
    ]);
    const named = [{ type: 'contacts', name: 'dnc', setting: 'replies.classes' } as const];
    expect(problems(await examinePortal(client, { ...usual, mustExist: named }))).toEqual([
      'contacts: mapped properties: not in the portal: dnc. Create it, or change replies.classes',
    ]);
  });

  it('reports mapped properties that cannot be written, with a remedy, and enumerations that accept only their options', async () => {
    const { client } = createPortal();
    const founded = { name: 'founded_d', label: 'x', type: 'datetime', fieldType: 'date' } as const;
    await client.properties.ensure('companies', { group: propertyGroup, properties: [founded] });
    const field = (from: string) => ({ from, transform: null, policy: 'always' }) as const;
    const companies = {
      hs_object_id: field('company.id'),
      industry: field('company.industry'),
      lifecyclestage: field('slot.status'),
      founded_d: field('company.name'),
    };
    const mustExist = toMappedProperties({ companies: { ...defaultMapping.companies, ...companies }, contacts: {} });
    const checks = await examinePortal(client, { ...usual, mustExist });
    expect(find(checks, 'companies: mapped properties')).toEqual({
      check: 'companies: mapped properties',
      state: 'problem',
      message: [
        'hs_object_id is read-only: remove it from the mapping',
        'industry takes only its options, by internal name: HubSpot rejects a record with another company.industry. To allow others, map it to a text property, or add options in HubSpot',
        'lifecyclestage has none of the values of slot.status as an option: map it to a text property, or add options in HubSpot',
        'founded_d is of type datetime and cannot hold company.name, a text: map it to a text property',
      ].join('; '),
    });
    const { industry } = companies;
    const warned = await examinePortal(client, {
      ...usual,
      mustExist: toMappedProperties({ companies: { industry }, contacts: defaultMapping.contacts }),
    });
    expect(find(warned, 'companies: mapped properties')?.state).toBe('warning');
    expect(find(warned, 'contacts: mapped properties')).toMatchObject({ state: 'ok', message: 'all exist' });
  });

  // Every scope of every feature, taken away alone.
  const everyScope = [
    'crm.objects.companies.read',
    'crm.objects.companies.write',
    'crm.schemas.companies.read',
    'crm.schemas.companies.write',
    'crm.objects.contacts.read',
    'crm.objects.contacts.write',
    'crm.schemas.contacts.read',
    'crm.schemas.contacts.write',
    'crm.lists.read',
    'crm.lists.write',
    'crm.objects.deals.read',
    'crm.objects.owners.read',
    'communication_preferences.write',
  ];
  // HubSpot lets a token that may read objects read their properties too.
  const replaceable = ['crm.schemas.companies.read', 'crm.schemas.contacts.read'];
  const everything = { readsDeals: true, readsLists: true, writesLists: true, unsubscribes: true };

  it.each(everyScope.filter((scope) => !replaceable.includes(scope)))('names the missing scope %s', async (missing) => {
    const portal = createPortal();
    const owners = [await readOwner(portal, false)];
    const reader = portal.connectWithScopes(everyScope.filter((scope) => scope !== missing));
    const checks = await examinePortal(reader, { ...usual, ...everything, owners });
    const named = checks
      .filter(({ state, message }) => state !== 'ok' && message.includes(missing))
      .map(({ check }) => check);
    expect(named[0]).toBe(missing === 'crm.objects.owners.read' ? 'owners' : 'scopes');
    const others = everyScope.filter((scope) => scope !== missing);
    const scopes = find(checks, 'scopes')?.message ?? '';
    expect(others.filter((scope) => scopes.includes(scope) && !missing.includes(scope))).toEqual([]);
  });

  it('needs no scope for writing where records are only read', async () => {
    const { connectWithScopes } = createPortal();
    const reader = connectWithScopes(['crm.objects.companies.read', 'crm.schemas.companies.read']);
    expect(problems(await examinePortal(reader, { ...usual, writes: false }))).toEqual([]);
  });

  it('reports owners of the mapping that do not exist or have left', async () => {
    const portal = createPortal();
    const { client } = portal;
    const [active, left] = [await readOwner(portal, false), await readOwner(portal, true)];
    expect(problems(await examinePortal(client, { ...usual, owners: [active] }))).toEqual([]);
    expect(
      problems(await examinePortal(client, { ...usual, owners: [active, left, '7', 'anna@example.com'] })),
    ).toEqual([
      `owners: the mapping assigns ${left}, 7, anna@example.com, and no active owner has this id. Owner ids are in the settings of HubSpot, under Users`,
    ]);
  });

  it('does not report a used-up daily limit as a missing scope', async () => {
    const { client, sandbox, portalId } = createPortal();
    await examinePortal(client, usual);
    const headers = { 'x-hubspot-ratelimit-daily': '1000', 'x-hubspot-ratelimit-daily-remaining': '0' };
    const body = { errorType: 'RATE_LIMIT', policyName: 'DAILY', message: 'x' };
    sandbox.faults(portalId).add({ path: /objects/, status: 429, body, headers, times: 99 });
    const checks = await examinePortal(client, usual);
    expect(problems(checks)).toEqual([]);
    expect(find(checks, 'scopes')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^not all could be checked: .*DAILY/),
    });
  });

  it('reports all missing scopes together', async () => {
    const { connectWithScopes } = createPortal();
    const reader = connectWithScopes(['crm.objects.companies.read']);
    const checks = await examinePortal(reader, { ...usual, readsLists: true, readsDeals: true });
    expect(find(checks, 'scopes')).toMatchObject({
      state: 'problem',
      message:
        'missing: crm.objects.companies.write, crm.schemas.companies.write, crm.objects.contacts.read, crm.objects.contacts.write, crm.schemas.contacts.read or crm.objects.contacts.read, crm.lists.read, crm.objects.deals.read; HubSpot does not report the granted scopes. Add them to the app of the token in HubSpot',
    });
  });

  it('stops when the portal is another one or the token is invalid', async () => {
    const { client, connect, sandbox, portalId } = createPortal();
    expect(problems(await examinePortal(client, { ...usual, portal: { id: 7 } }))).toEqual([
      expect.stringContaining(`(WRONG_PORTAL: expected 7, found ${portalId}); check hubspot.token`),
    ]);
    expect(sandbox.journal(portalId).entries()).toHaveLength(1);
    const refused = await examinePortal(connect({ token: 'pat-wrong' }), usual);
    expect(refused).toHaveLength(1);
    expect(problems(refused)[0]).toMatch(/^HubSpot: .*status 401.*rejects the token: check hubspot\.token$/);
  });

  it('reports a managed property with the wrong type, and one that differs only in the display', async () => {
    const { client } = createPortal();
    const changed = managedProperties.companies.map((property) =>
      property.name === 'prospect_sync_status'
        ? ({ ...property, type: 'number', fieldType: 'number' } as const)
        : property,
    );
    await client.properties.ensure('companies', { group: propertyGroup, properties: changed });
    expect(problems(await examinePortal(client, usual))).toEqual([
      'companies: own properties: prospect_sync_status should be string as text (PROPERTY_TYPE_DIFFERS)',
    ]);
  });

  it('reports that ten properties already have unique values', async () => {
    const { client } = createPortal();
    const properties = Array.from({ length: 10 }, (_, index) => {
      return { name: `unique_${index}`, label: 'x', type: 'string', fieldType: 'text', hasUniqueValue: true } as const;
    });
    await client.properties.ensure('contacts', { group: propertyGroup, properties });
    const checks = await examinePortal(client, usual);
    expect(find(checks, 'contacts: unique properties')).toEqual({
      check: 'contacts: unique properties',
      state: 'problem',
      message: '10 of 10 used, and one more is needed',
    });
    expect(find(checks, 'contacts: own properties')?.state).toBe('problem');
    expect(find(checks, 'companies: own properties')?.state).toBe('ok');
  });

  describe.each(['2026-03', '2026-09'] as const)('with objects on version %s', (objects) => {
    const versions = { ...defaultVersions, objects };
    const required = ['name', 'cost_center', 'domain', 'hubspot_owner_id'];
    const costCenter = { name: 'cost_center', label: 'x', type: 'string', fieldType: 'text' } as const;
    const demanding = async () => {
      const portal = createPortal({ requiredProperties: { companies: required } });
      await portal.client.properties.ensure('companies', { group: propertyGroup, properties: [costCenter] });
      return { ...portal, dated: portal.connect({ versions: { objects } }) };
    };

    it('reports required properties that the mapping does not fill', async () => {
      const { dated } = await demanding();
      const checks = await examinePortal(dated, { ...usual, versions });
      expect(problems(checks)).toEqual([
        'companies: required properties: HubSpot would reject new records, because the mapping does not fill cost_center, hubspot_owner_id',
      ]);
      expect(find(checks, 'contacts: required properties')).toMatchObject({ state: 'ok', message: 'none' });
      const record = { name: 'A', domain: 'a.example', cost_center: '7', hubspot_owner_id: '1' };
      const write = async (properties: Record<string, string>) =>
        (await dated.objects.create('companies', [{ properties }])).map(({ ok }) => ok);
      const { cost_center: _, ...lacking } = record;
      expect([await write(lacking), await write(record)]).toEqual([[false], [true]]);
    });

    it('accepts required properties that the mapping fills, whatever the version of properties', async () => {
      const { connect } = await demanding();
      const filled = { ...usual.filled, companies: required };
      for (const properties of ['legacy', objects] as const) {
        const dated = { ...versions, properties };
        const checks = await examinePortal(connect({ versions: dated }), { ...usual, versions: dated, filled });
        expect(problems(checks)).toEqual([]);
        expect(find(checks, 'companies: required properties')).toMatchObject({
          state: 'ok',
          message: 'name, cost_center, domain, hubspot_owner_id',
        });
      }
    });

    it('warns when the token must not read the schemas', async () => {
      const { connectWithScopes } = await demanding();
      const scopes = ['crm.objects.companies.read', 'crm.schemas.contacts.read'];
      const narrow = connectWithScopes(scopes, { versions: { objects } });
      const checks = await examinePortal(narrow, { ...usual, versions, createProperties: false });
      expect(find(checks, 'companies: required properties')).toMatchObject({
        state: 'warning',
        message: expect.stringMatching(/^cannot be read: .*MISSING_SCOPES: crm\.schemas\.companies\.read\)/),
      });
      expect(find(checks, 'contacts: required properties')?.state).toBe('ok');
    });
  });

  it('does not check required properties on legacy paths, where HubSpot requires none', async () => {
    const { client } = createPortal({ requiredProperties: { companies: ['city'] } });
    const checks = await examinePortal(client, usual);
    expect(checks.filter(({ check }) => check.endsWith('required properties'))).toEqual([]);
    expect(await client.objects.create('companies', [{ properties: { name: 'A' } }])).toMatchObject([{ ok: true }]);
  });
});

describe('checkVersions', () => {
  it('warns half a year before HubSpot ends the support of a version', () => {
    const versions = { ...defaultVersions, lists: '2026-09' } as const;
    const states = (day: string) =>
      checkVersions({ versions, now: new Date(day) }).map(({ check, state }) => `${check} ${state}`);
    expect(states('2026-11-21')).toEqual([
      'API of objects ok',
      'API of associations warning',
      'API of properties ok',
      'API of lists ok',
      'API of account ok',
    ]);
    const [objects] = checkVersions({ versions, now: new Date('2027-10-01') });
    expect(objects).toMatchObject({ state: 'warning', message: 'legacy, unsupported since 2027-09-01' });
  });
});

describe('checkLimits', () => {
  it('warns when only the reserve of the daily limit is left', () => {
    const daily = { max: 1000, remaining: 100 };
    expect(checkLimits({ burst: null, daily }, defaultRateLimits)).toEqual([
      { check: 'calls in 10 seconds', state: 'ok', message: 'HubSpot reports no limit' },
      {
        check: 'calls of the day',
        state: 'warning',
        message: '1000 allowed, 100 left; this is within the reserve of 100: bulk work waits until the next day',
      },
    ]);
  });
});
