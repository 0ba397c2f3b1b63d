import { openPortal } from './hubspot-harness.ts';

const statuses = '/communication-preferences/v4/statuses';
const email = 'ada@acme.example';

interface Status {
  status: string;
  subscriptionId: number;
  setStatusSuccessReason?: string;
  wideStatusType?: string;
}

function preferring(options: Parameters<typeof openPortal>[0] = {}) {
  const portal = openPortal(options);
  const results = (answer: { body: unknown }) => (answer.body as { results: Status[] }).results;
  const statesOf = async (address: string) =>
    results(await portal.call('GET', `${statuses}/${address}?channel=EMAIL`)).map(({ status }) => status);
  const unsubscribe = (address: string) => portal.call('POST', `${statuses}/${address}/unsubscribe-all?channel=EMAIL`);
  const typeIds = async () =>
    results(await portal.call('GET', `${statuses}/${email}?channel=EMAIL`)).map(({ subscriptionId }) => subscriptionId);
  const set = (subscriptionId: number | undefined, statusState: string, more: object = {}, path = statuses) =>
    portal.call('POST', `${path}/${email}`, { channel: 'EMAIL', statusState, subscriptionId, ...more });
  const optOutOf = async (id: string) => {
    const { body } = await portal.call('GET', `/crm/v3/objects/contacts/${id}?properties=hs_email_optout`);
    return (body.properties as Record<string, string | null>)['hs_email_optout'];
  };
  return { ...portal, results, statesOf, unsubscribe, typeIds, set, optOutOf };
}

describe('communication preferences', () => {
  it('lists the subscription types', async () => {
    const { call, typeIds } = preferring();
    const { status, body } = await call('GET', '/communication-preferences/v4/definitions');
    expect(status).toBe(200);
    expect(body.results.map(({ name }) => name)).toContain('Marketing Information');
    expect(body.results.map(({ id }) => Number(id))).toEqual(await typeIds());
  });

  it('unsubscribes an address from everything permanently, also without a contact', async () => {
    const { results, call, statesOf, unsubscribe, typeIds, set } = preferring();
    expect(await statesOf(email)).toEqual(['NOT_SPECIFIED', 'NOT_SPECIFIED', 'NOT_SPECIFIED']);
    expect(results(await call('GET', `${statuses}/${email}/unsubscribe-all?channel=EMAIL`))).toEqual([]);
    const first = await unsubscribe(email);
    expect(first.status).toBe(200);
    expect(results(first)[0]).toMatchObject({
      status: 'UNSUBSCRIBED',
      setStatusSuccessReason: 'UNSUBSCRIBE_FROM_ALL_OCCURRED',
    });
    expect(await statesOf(email.toUpperCase())).toEqual(['UNSUBSCRIBED', 'UNSUBSCRIBED', 'UNSUBSCRIBED']);
    expect(results(await call('GET', `${statuses}/${email}/unsubscribe-all?channel=EMAIL`))).toMatchObject([
      { status: 'UNSUBSCRIBED', wideStatusType: 'PORTAL_WIDE' },
    ]);
    expect(results(await unsubscribe(email))[0]).toMatchObject({ setStatusSuccessReason: 'NO_STATUS_CHANGE' });
    const [typeId] = await typeIds();
    for (const state of ['SUBSCRIBED', 'NOT_SPECIFIED']) expect((await set(typeId, state)).status).toBe(400);
    expect(await statesOf(email)).toEqual(['UNSUBSCRIBED', 'UNSUBSCRIBED', 'UNSUBSCRIBED']);
    expect(await statesOf('other@acme.example')).toEqual(['NOT_SPECIFIED', 'NOT_SPECIFIED', 'NOT_SPECIFIED']);
  });

  it('sets the opt-out of the contact with the address, and search finds it', async () => {
    const { create, call, search, unsubscribe, optOutOf } = preferring();
    const [before, secondary] = await create(
      'contacts',
      { email: 'Ada@acme.example' },
      { email: 'b@acme.example', hs_additional_emails: 'c@acme.example' },
    );
    for (const address of [email, 'c@acme.example', 'later@acme.example']) await unsubscribe(address);
    const [later, changed] = await create('contacts', { email: 'later@acme.example' }, { lastname: 'L' });
    expect(await Promise.all([before, secondary, later].map(optOutOf))).toEqual(['true', null, 'true']);
    const optedOut = {
      filterGroups: [{ filters: [{ propertyName: 'hs_email_optout', operator: 'EQ', value: 'true' }] }],
    };
    expect((await search('contacts', optedOut)).body.results.map(({ id }) => id)).toEqual([before, later]);
    await call('PATCH', `/crm/v3/objects/contacts/${changed}`, { properties: { email: 'free@acme.example' } });
    await call('PATCH', `/crm/v3/objects/contacts/${later}`, { properties: { email: 'new@acme.example' } });
    expect(await Promise.all([changed, later].map(optOutOf))).toEqual([null, null]);
    const direct = await call('PATCH', `/crm/v3/objects/contacts/${before}`, {
      properties: { hs_email_optout: 'false' },
    });
    expect(direct.status).toBe(400);
  });

  it('sets one subscription type and keeps the others', async () => {
    const { statesOf, set, typeIds, results, create, optOutOf } = preferring();
    const [id] = await create('contacts', { email });
    const [first, second] = await typeIds();
    const legalBasis = { legalBasis: 'CONSENT_WITH_NOTICE', legalBasisExplanation: 'asked' };
    expect(results(await set(first, 'SUBSCRIBED', legalBasis))).toMatchObject([
      { status: 'SUBSCRIBED', ...legalBasis },
    ]);
    expect(results(await set(second, 'UNSUBSCRIBED'))).toMatchObject([
      { status: 'UNSUBSCRIBED', setStatusSuccessReason: 'REQUESTED_CHANGE_OCCURRED' },
    ]);
    expect(await statesOf(email)).toEqual(['SUBSCRIBED', 'UNSUBSCRIBED', 'NOT_SPECIFIED']);
    expect((await set(second, 'SUBSCRIBED')).status).toBe(400);
    expect(await optOutOf(id)).toBeNull();
  });

  it('allows subscribing again when that is assumed', async () => {
    const { set, typeIds, results } = preferring({ assumed: { resubscribing: 'allowed' } });
    const [first] = await typeIds();
    await set(first, 'UNSUBSCRIBED');
    expect(results(await set(first, 'SUBSCRIBED'))).toMatchObject([{ setStatusSuccessReason: 'RESUBSCRIBE_OCCURRED' }]);
  });

  it('requires a legal basis only on legacy paths of accounts with GDPR settings', async () => {
    const { set, typeIds } = preferring({ assumed: { gdpr: true } });
    const [first] = await typeIds();
    expect((await set(first, 'UNSUBSCRIBED')).status).toBe(400);
    expect((await set(first, 'UNSUBSCRIBED', { legalBasis: 'NON_GDPR' })).status).toBe(200);
    const dated = '/communication-preferences/2026-09/statuses';
    expect((await set(first, 'UNSUBSCRIBED', {}, dated)).status).toBe(200);
  });

  it('refuses other channels, unknown types, and invalid addresses', async () => {
    const { call, set } = preferring();
    for (const query of ['', '?channel=SMS']) {
      expect((await call('GET', `${statuses}/${email}${query}`)).status).toBe(400);
      expect((await call('POST', `${statuses}/${email}/unsubscribe-all${query}`)).status).toBe(400);
    }
    expect((await set(1, 'UNSUBSCRIBED')).status).toBe(400);
    expect((await set(1, 'GONE')).status).toBe(400);
    expect((await call('GET', `${statuses}/nobody?channel=EMAIL`)).status).toBe(400);
    expect((await call('POST', `${statuses}/batch/unsubscribe-all`, { inputs: [email] })).status).toBe(501);
  });

  it.each([
    [['communication_preferences.read'], 200, 403],
    [['communication_preferences.write'], 403, 200],
    [['communication_preferences.read_write'], 200, 200],
    [['crm.objects.contacts.write'], 403, 403],
  ])('opens with the scopes %j', async (scopes, reading, writing) => {
    const { sandbox, portalId, callWith } = preferring();
    const token = sandbox.createToken({ portalId, scopes });
    expect((await callWith(token, 'GET', `${statuses}/${email}?channel=EMAIL`)).status).toBe(reading);
    expect((await callWith(token, 'GET', '/communication-preferences/v4/definitions')).status).toBe(reading);
    expect((await callWith(token, 'POST', `${statuses}/${email}/unsubscribe-all?channel=EMAIL`)).status).toBe(writing);
  });
});
