import type { HubSpotAssumptions } from '../../../../sandbox/hubspot/hubspot-assumptions.ts';
import { createHubSpotSandbox, type PortalRequest } from '../../../../sandbox/hubspot/hubspot-sandbox.ts';

const companies = '/crm/v3/objects/companies';
const search = `${companies}/search`;
const links = '/crm/v4/associations/contacts/companies/batch/read';

function openLimited(settings: Partial<PortalRequest>, assumed: Partial<HubSpotAssumptions> = {}) {
  let now = Date.parse('2026-11-21T10:00:00.000Z');
  const sandbox = createHubSpotSandbox({ clock: () => new Date(now), assumed });
  const { portalId, token } = sandbox.createPortal({ name: 'Limited', ...settings });
  const ask = async (path: string, key = token) => {
    const method = path.includes('/batch/') || path.endsWith('/search') ? 'POST' : 'GET';
    const body = method === 'POST' ? '{}' : null;
    const headers = { authorization: `Bearer ${key}` };
    const response = await sandbox.fetch(new Request(`https://api.hubapi.test${path}`, { method, headers, body }));
    const limits = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-hubspot-ratelimit')));
    return {
      status: response.status,
      limits,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const statuses = async (calls: number, path = companies, key = token) => {
    const seen: number[] = [];
    for (let call = 0; call < calls; call += 1) seen.push((await ask(path, key)).status);
    return seen;
  };
  const letThrough = async (calls: number, path = companies, key = token) =>
    (await statuses(calls, path, key)).filter((status) => status !== 429).length;
  const pass = (ms: number) => {
    now += ms;
  };
  const otherKey = () => sandbox.createToken({ portalId, scopes: ['crm.objects.companies.read'] });
  return { sandbox, portalId, ask, letThrough, pass, otherKey };
}

describe('rate limits', () => {
  it.each([
    ['free', 0, 100],
    ['professional', 0, 190],
    ['enterprise', 0, 190],
    ['professional', 1, 250],
    ['enterprise', 2, 250],
  ] as const)('plan %s with %d increases: %d calls in any ten seconds', async (plan, increases, burst) => {
    const { letThrough, pass } = openLimited({ plan, increases });
    expect(await letThrough(burst - 1)).toBe(burst - 1);
    pass(9_000);
    expect(await letThrough(5)).toBe(1);
    pass(1_000);
    expect(await letThrough(burst + 5)).toBe(burst - 1);
    pass(10_000);
    expect(await letThrough(burst + 5)).toBe(burst);
  });

  it('returns the remaining calls with every answer, also for refusals and unknown paths', async () => {
    const { ask } = openLimited({ plan: 'professional', rates: { burst: 3 } });
    const expectedHeaders = (left: number) => ({
      'x-hubspot-ratelimit-max': '3',
      'x-hubspot-ratelimit-remaining': String(left),
      'x-hubspot-ratelimit-interval-milliseconds': '10000',
      'x-hubspot-ratelimit-secondly': '1',
      'x-hubspot-ratelimit-secondly-remaining': '0',
      'x-hubspot-ratelimit-daily': '625000',
      'x-hubspot-ratelimit-daily-remaining': String(625_000 - 3 + left),
    });
    const paths = [companies, '/crm/objects/2024-01/companies', `${companies}/1`, companies];
    const seen = [];
    for (const path of paths) seen.push(await ask(path));
    expect(seen.map(({ status, limits }) => [status, limits])).toEqual([
      [200, expectedHeaders(2)],
      [404, expectedHeaders(1)],
      [404, expectedHeaders(0)],
      [429, expectedHeaders(0)],
    ]);
    expect(seen[3]?.headers.get('retry-after')).toBeNull();
    expect(seen[3]?.body).toEqual({
      status: 'error',
      message: 'You have reached your ten_secondly_rolling limit.',
      errorType: 'RATE_LIMIT',
      correlationId: expect.any(String),
      policyName: 'TEN_SECONDLY_ROLLING',
      requestId: expect.any(String),
    });
  });

  it('counts the burst by token, and the day by portal from midnight in its time zone', async () => {
    const { ask, letThrough, otherKey, pass } = openLimited({ rates: { burst: 4, daily: 6 } });
    const other = otherKey();
    expect([await letThrough(9), await letThrough(9, companies, other)]).toEqual([4, 2]);
    expect((await ask(companies, other)).body).toMatchObject({
      message: 'You have reached your daily limit.',
      policyName: 'DAILY',
    });
    // 11 o'clock in Berlin: 13 hours to midnight.
    pass(13 * 3_600_000 - 1);
    expect(await letThrough(1)).toBe(0);
    pass(1);
    expect(await letThrough(1)).toBe(1);
  });

  it('allows five searches of all tokens per second, without headers', async () => {
    const { ask, letThrough, pass, otherKey } = openLimited({ plan: 'enterprise' });
    expect([await letThrough(3, search), await letThrough(9, search, otherKey())]).toEqual([3, 2]);
    const refused = await ask(search);
    expect([refused.status, refused.limits, refused.body['policyName']]).toEqual([429, {}, 'SECONDLY']);
    expect(refused.body['message']).toBe('You have reached your secondly limit.');
    expect((await ask(companies)).limits['x-hubspot-ratelimit-remaining']).toBe(String(190 - 3 - 1));
    pass(1_000);
    expect((await ask(search)).limits).toEqual({});
    expect(await letThrough(9, '/crm/objects/2026-09/companies/search')).toBe(4);
  });

  it('has no limits without a plan', async () => {
    const { ask, letThrough } = openLimited({});
    expect(await letThrough(300)).toBe(300);
    expect((await ask(companies)).limits).toMatchObject({
      'x-hubspot-ratelimit-max': '1000000',
      'x-hubspot-ratelimit-remaining': '1000000',
    });
  });

  it('applies a changed subscription to earlier calls', async () => {
    const { sandbox, portalId, letThrough, pass } = openLimited({ plan: 'free' });
    await letThrough(100);
    sandbox.configure(portalId, { plan: 'professional' });
    expect(await letThrough(200)).toBe(90);
    sandbox.configure(portalId, { rates: { burst: 50 } });
    expect(await letThrough(1)).toBe(0);
    pass(10_000);
    expect(await letThrough(60)).toBe(50);
    sandbox.configure(portalId, { plan: 'none', rates: {} });
    expect(await letThrough(60)).toBe(60);
  });

  it('starts again after a reset', async () => {
    const { sandbox, portalId, letThrough } = openLimited({ rates: { daily: 3 } });
    await letThrough(3);
    sandbox.reset(portalId);
    expect(await letThrough(9)).toBe(3);
  });

  it.each([
    ['free', 0, 100],
    ['professional', 0, 150],
    ['enterprise', 0, 150],
    ['enterprise', 1, 200],
  ] as const)('counts associations of the plan %s with %i increases separately', async (plan, increases, burst) => {
    const { ask, letThrough } = openLimited({ plan, increases });
    expect(await letThrough(burst + 1, links)).toBe(burst);
    expect((await ask(links)).limits).toMatchObject({ 'x-hubspot-ratelimit-max': String(burst) });
    // The general limit of the token is untouched.
    expect((await ask(companies)).status).toBe(200);
  });

  it('refuses associations after their own limit of a day, and nothing else', async () => {
    const { ask, letThrough } = openLimited({ plan: 'professional', rates: { associationDaily: 3 } });
    expect(await letThrough(9, links)).toBe(3);
    expect((await ask(links)).body).toMatchObject({ policyName: 'DAILY' });
    expect((await ask(companies)).status).toBe(200);
  });

  it('can count associations towards the general limit', async () => {
    const { letThrough } = openLimited({ plan: 'professional' }, { associationLimits: 'general' });
    expect([await letThrough(191, links), await letThrough(1)]).toEqual([190, 0]);
  });

  it('can exclude searches from the burst, count refused calls, and send Retry-After', async () => {
    const assumed = { searchCountsTowardBurst: false, refusedCallsCount: true, rateLimitRetryAfter: true };
    const { ask, letThrough, pass } = openLimited({ rates: { burst: 5, search: 5 } }, assumed);
    expect([await letThrough(5, search), await letThrough(6)]).toEqual([5, 5]);
    pass(4_500);
    const refused = await ask(companies);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
    pass(5_500);
    // The two that were refused are still within ten seconds.
    expect(await letThrough(5)).toBe(4);
  });
});
