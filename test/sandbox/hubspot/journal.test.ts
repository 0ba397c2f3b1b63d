import { openPortal } from './hubspot-harness.ts';

describe('journal of a portal', () => {
  it.each([
    [
      '/communication-preferences/2026-09/statuses/jo%40a.example/unsubscribe-all?channel=EMAIL',
      '/communication-preferences/2026-09/statuses/{email}/unsubscribe-all?channel=EMAIL',
    ],
    ['/communication-preferences/2026-09/statuses/jo', '/communication-preferences/2026-09/statuses/{email}'],
    [
      '/communication-preferences/2026-09/statuses/batch/read',
      '/communication-preferences/2026-09/statuses/batch/read',
    ],
    ['/communication-preferences/v3/status/email/jo@a.example', '/communication-preferences/v3/status/email/{email}'],
    ['/crm/v3/objects/contacts/jo%2540a.example?idProperty=email', '/crm/v3/objects/contacts/{email}?idProperty=email'],
    ['/crm/v3/objects/contacts?x=1&after=jo%40a.example', '/crm/v3/objects/contacts?x=1&after={email}'],
  ])('stores no email address of %s', async (path, kept) => {
    const { sandbox, portalId, call } = openPortal();
    await call('GET', path);
    expect(sandbox.journal(portalId).entries()).toMatchObject([{ path: kept }]);
  });

  it('stores the reason of a refusal', async () => {
    const { sandbox, portalId, call } = openPortal();
    sandbox.configure(portalId, { rates: { burst: 1 } });
    await call('GET', '/crm/v3/objects/contacts/1');
    await call('GET', '/crm/v3/objects/contacts/1');
    expect(sandbox.journal(portalId).entries()).toMatchObject([
      { status: 404, code: 'OBJECT_NOT_FOUND' },
      { status: 429, code: 'TEN_SECONDLY_ROLLING' },
    ]);
  });
});
