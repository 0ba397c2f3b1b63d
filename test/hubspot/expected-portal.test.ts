import { at, createStubPortal, json, rejection } from './stub-portal.ts';
import type { StubCall } from './stub-portal.ts';
import type { HubSpotClientOptions } from '../../src/hubspot/hubspot-client.ts';

/** A portal with id 7 of type STANDARD. */
function createPortal(portal: HubSpotClientOptions['portal'], options: Partial<HubSpotClientOptions> = {}) {
  return createStubPortal(answer, { portal, ...options });
}

function answer({ path, body }: StubCall): Response {
  if (path.startsWith('/account-info/')) return json(200, { portalId: 7, accountType: 'STANDARD' });
  return json(200, { results: body.inputs.map(({ id }) => ({ id, properties: {}, ...at })) });
}

const rows = [{ id: '1', properties: { name: 'x' } }];
const paths = (calls: readonly StubCall[]) => calls.map(({ path }) => path);

describe('createHubSpotClient with an expected portal', () => {
  it.each([
    [{ id: 8 }, 'WRONG_PORTAL', 'expected 8, found 7'],
    [{ type: 'SANDBOX' }, 'WRONG_PORTAL_TYPE', 'expected SANDBOX, found STANDARD'],
    [{ id: 7, type: 'DEVELOPER_TEST' }, 'WRONG_PORTAL_TYPE', 'expected DEVELOPER_TEST, found STANDARD'],
  ] as const)(
    'rejects every kind of write to a portal that is not %j, and sends none',
    async (portal, code, numbers) => {
      const { client, calls } = createPortal(portal);
      const pairs = [{ fromId: '1', toId: '2' }];
      const writes = [
        () => client.objects.update('companies', rows),
        () => client.objects.upsert('companies', 'key', rows),
        () => client.objects.create('companies', rows),
        () => client.objects.archive('companies', ['1']),
        () => client.associations.associate('contacts', 'companies', pairs),
        () =>
          client.associations.label('contacts', 'companies', [
            { fromId: '1', toId: '2', types: [{ category: 'HUBSPOT_DEFINED', typeId: 1 }] },
          ]),
      ];
      for (const write of writes) {
        expect(await rejection(write())).toMatchObject({
          kind: 'answer',
          code,
          message: expect.stringMatching(
            new RegExp(
              `^GET /account-info/v3/details returned another .*\\(${code}: ${numbers}\\); check hubspot.token and hubspot`,
            ),
          ),
        });
      }
      expect(paths(calls)).toEqual(['/account-info/v3/details']);
    },
  );

  it('rejects reads from another portal too', async () => {
    const { client, calls } = createPortal({ id: 8 });
    const read = client.objects.read('companies', { ids: ['1'], properties: [] });
    expect(await rejection(read)).toMatchObject({ code: 'WRONG_PORTAL' });
    expect(paths(calls)).toEqual(['/account-info/v3/details']);
  });

  it('reads the account once for concurrent writes, and again after an hour', async () => {
    let now = 0;
    const { client, calls } = createPortal({ id: 7 }, { clock: () => now });
    const requested = () => paths(calls).filter((path) => path.startsWith('/account-info/')).length;
    await Promise.all([client.objects.update('companies', rows), client.objects.update('contacts', rows)]);
    now += 3_500_000;
    await client.objects.update('companies', rows);
    expect(requested()).toBe(1);
    now += 200_000;
    await client.objects.update('companies', rows);
    expect(requested()).toBe(2);
    expect(calls).toHaveLength(6);
  });

  it('reads the account again after a failed attempt', async () => {
    let isDown = true;
    const { client } = createStubPortal((call) => (isDown ? json(503, {}) : answer(call)), { portal: { id: 7 } });
    expect(await rejection(client.objects.update('companies', rows))).toMatchObject({ status: 503 });
    isDown = false;
    expect(await client.objects.update('companies', rows)).toMatchObject([{ ok: true }]);
  });

  it('cancels one waiting caller without cancelling the others', async () => {
    const account = Promise.withResolvers<Response>();
    const { client } = createStubPortal(
      (call) => (call.path.startsWith('/account-info/') ? account.promise : answer(call)),
      { portal: { id: 7 } },
    );
    const controller = new AbortController();
    const cancelled = rejection(client.objects.update('companies', rows, controller.signal));
    const other = client.objects.update('companies', rows);
    controller.abort();
    expect(await cancelled).toMatchObject({ kind: 'cancelled' });
    account.resolve(json(200, { portalId: 7, accountType: 'STANDARD' }));
    expect(await other).toMatchObject([{ ok: true }]);
  });

  it('does not read the account when no portal is expected', async () => {
    const { client, calls } = createPortal({});
    await client.objects.update('companies', rows);
    expect(paths(calls)).toEqual(['/crm/v3/objects/companies/batch/update']);
  });
});
