import { createStubPortal, json, rejection } from './stub-portal.ts';

describe('account', () => {
  it('returns the portal that the token belongs to', async () => {
    const { client, calls } = createStubPortal(() =>
      json(200, {
        portalId: 123,
        accountType: 'DEVELOPER_TEST',
        timeZone: 'Europe/Berlin',
        uiDomain: 'x',
        dataHostingLocation: 'eu1',
      }),
    );
    expect(await client.account()).toEqual({
      portalId: 123,
      accountType: 'DEVELOPER_TEST',
      timeZone: 'Europe/Berlin',
      dataHostingLocation: 'eu1',
    });
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /account-info/v3/details']);
  });

  it.each([json(200, { portalId: 'abc' }), new Response('hello')])(
    'rejects an answer without a portal id',
    async (response) => {
      const { client } = createStubPortal(() => response);
      expect(await rejection(client.account())).toMatchObject({ kind: 'answer', code: 'UNREADABLE_ANSWER' });
    },
  );
});
