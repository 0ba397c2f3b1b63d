import { operations } from '../../../src/service/contract/index.ts';
import { toRoute, watchFetch, type WatchedCall } from '../../../src/worker/telemetry/calls.ts';

describe('toRoute', () => {
  it.each(Object.values(operations).map(({ path }) => path))('keeps the fixed parts of %s', (path) => {
    expect(toRoute(path.replaceAll(/\{\w+\}/g, '3f2a-1'))).toBe(path.replaceAll(/\{\w+\}/g, '{id}'));
  });

  it.each([
    ['/crm/v3/objects/contacts/jane@doe.example', '/crm/v3/objects/contacts/{id}'],
    ['/crm/objects/2026-03/companies/batch/upsert', '/crm/objects/2026-03/companies/batch/upsert'],
    ['/crm/v3/objects/companies/doe', '/crm/v3/objects/companies/{id}'],
    ['/account-info/v3/details', '/account-info/v3/details'],
  ])('keeps nothing of a record in %s', (path, route) => {
    expect(toRoute(path)).toBe(route);
  });
});

describe('watchFetch', () => {
  it('passes method and route to its watchers, the first one outermost, and returns the answer', async () => {
    const seen: [string, WatchedCall][] = [];
    const watch = (name: string) => (call: WatchedCall, send: () => Promise<Response>) => {
      seen.push([name, call]);
      return send();
    };
    const answer = new Response('{}', { status: 201 });
    const fetch = watchFetch('hubspot', () => Promise.resolve(answer), [watch('outer'), watch('inner')]);
    const request = new Request('https://hubspot.example/crm/v3/objects/contacts/42?idProperty=email', {
      method: 'PATCH',
      body: '{"email":"jane@doe.example"}',
    });
    expect(await fetch(request)).toBe(answer);
    const call = { system: 'hubspot', method: 'PATCH', route: '/crm/v3/objects/contacts/{id}' };
    expect(seen).toEqual([
      ['outer', call],
      ['inner', call],
    ]);
  });
});
