import { createHubSpotApp } from '../../../sandbox/hubspot/hubspot-app.ts';
import { allScopes } from '../../../sandbox/hubspot/scopes.ts';
import { openPortal } from './hubspot-harness.ts';

const { routes } = createHubSpotApp({ accessOf: () => undefined, newCorrelationId: () => '' });
const places: Record<string, string> = {
  type: 'contacts',
  from: 'contacts',
  to: 'companies',
  email: 'a%40a.example',
};
const calls = [
  ...new Set(
    routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => {
        const type = path.includes('/pipelines/') ? 'deals' : 'contacts';
        const filled = path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, (_, name: string) =>
          name === 'type' ? type : (places[name] ?? '1'),
        );
        return `${method} ${filled}`;
      }),
  ),
].map((call) => call.split(' ') as [string, string]);
const free = /^\/account-info\//;

describe('scopes', () => {
  it('are required by every route except account information, on every path', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const none = sandbox.createToken({ portalId, scopes: [] });
    const forgotten: string[] = [];
    for (const [method, path] of calls.filter((call) => !free.test(call[1]))) {
      const { status, body } = await callWith(none, method, path, method === 'GET' ? undefined : {});
      // What is not built is told to everybody.
      const isAsked = status === 403 && Reflect.get(body, 'category') === 'MISSING_SCOPES';
      if (!isAsked && status !== 501) forgotten.push(`${method} ${path}: ${status}`);
    }
    expect(forgotten).toEqual([]);
    expect(calls.length).toBeGreaterThan(100);
  });

  it('in a refusal are known and sufficient', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const refused: string[] = [];
    const unknown = new Set<string>();
    for (const [method, path] of calls) {
      const held = new Set<string>();
      for (let round = 0; round < 5; round += 1) {
        const token = sandbox.createToken({ portalId, scopes: [...held] });
        const { status, body } = await callWith(token, method, path, method === 'GET' ? undefined : {});
        if (status !== 403) break;
        if (round === 4) refused.push(`${method} ${path}`);
        const named = body.errors[0].context['requiredGranularScopes'] ?? [];
        held.add(named[0] ?? '');
        for (const scope of named) if (!allScopes.includes(scope)) unknown.add(scope);
      }
    }
    expect([refused, [...unknown]]).toEqual([[], []]);
  });

  it.each(['/account-info/v3/details', '/account-info/2026-03/details', '/account-info/2026-09/details'])(
    'are not asked for by %s',
    async (path) => {
      const { sandbox, portalId, callWith } = openPortal();
      const none = sandbox.createToken({ portalId, scopes: [] });
      expect((await callWith(none, 'GET', path)).status).toBe(200);
    },
  );
});
