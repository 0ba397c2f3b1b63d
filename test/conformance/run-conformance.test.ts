import type { Fetch } from '../../src/base/http/http-answer.ts';
import { UnreachableError } from '../../conformance/probe/caller.ts';
import { catalogue } from '../../conformance/check-catalogue.ts';
import type { CreatedResource } from '../../conformance/probe/created-resources.ts';
import type { Check } from '../../conformance/probe/check.ts';
import { describeLeft } from '../../conformance/report.ts';
import { KeyRefusedError, ServiceAbsentError, type CheckResult } from '../../conformance/run-conformance.ts';
import { breaching, checksOf, closeDeployments, createDeployment, idsWith, run } from './conformance-harness.ts';

const profiles = /^profiles\.(?:create$|poll)/;

afterEach(closeDeployments);

describe('runConformance', () => {
  it('passes every check of a deployment that follows the specification, without notes', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const results = await run({ fetch, apiKey, wait });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results.flatMap(({ notes }) => notes)).toEqual([]);
    const controlled = catalogue.filter(({ needs }) => needs !== undefined);
    expect(idsWith(results, 'not checked')).toEqual(controlled.map(({ id }) => id));
    expect(results.find(({ id }) => id === 'outputs.quota')?.reason).toBe(
      'needs an order whose 20 outputs may be used up',
    );
    expect(results.map(({ id }) => id)).toEqual([...catalogue.map(({ id }) => id), 'clean-up']);
  });

  it('reports nothing as left behind', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    await run({ fetch, apiKey, wait }, { checks: checksOf(/^(?:blacklists|profiles|assignments)/) });
    expect(await namesIn(fetch, apiKey)).toEqual([]);
  });

  it('prints no key, no address and no data of the service', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const garbled = breaching(fetch, 'GET', /./, ({ body }) => ({ body: { ...body, 'jane@doe.example': 'Jane Doe' } }));
    const results = await run({ fetch: garbled, apiKey, wait }, { checks: checksOf(/^(?!entries)/) });
    const output = JSON.stringify(results);
    expect(output).not.toContain(apiKey);
    expect(output).not.toContain('@');
    expect(output).not.toContain('Jane');
  });
});

describe('runConformance with allowed: read', () => {
  it('sends only GET requests', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    await fetch(post('/api/v1/blacklists', apiKey, { name: 'ours' }));
    const methods = new Set<string>();
    const watched: Fetch = (request) => {
      methods.add(request.method);
      return fetch(request);
    };
    const results = await run({ fetch: watched, apiKey, wait }, { allowed: 'read' });
    expect([...methods]).toEqual(['GET']);
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(await namesIn(fetch, apiKey)).toEqual(['ours']);
    expect(results.find(({ id }) => id === 'blacklists.create')).toMatchObject({
      result: 'left out',
      reason: 'not with --read-only',
    });
  });

  it('reads the pages of an existing blacklist', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const created = await fetch(post('/api/v1/blacklists', apiKey, { name: 'ours' }));
    const { id } = (await created.json()) as { id: string };
    await fetch(
      post(`/api/v1/blacklists/${id}/entries`, apiKey, { entries: [{ company_name: 'A' }, { company_name: 'B' }] }),
    );
    const results = await run(
      { fetch, apiKey, wait },
      { allowed: 'read', checks: checksOf(/^(?:blacklists|entries)/) },
    );
    expect(idsWith(results, 'passed')).toEqual(expect.arrayContaining(['entries.page-size', 'entries.page-overlap']));
  });
});

describe('runConformance with allowed: write', () => {
  it('leaves no profile, order or blacklist behind', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const posted = new Set<string>();
    const watched: Fetch = (request) => {
      if (request.method === 'POST') posted.add(new URL(request.url).pathname.split('/').slice(3).join('/'));
      return fetch(request);
    };
    const left: CreatedResource[] = [];
    const results = await run(
      { fetch: watched, apiKey, wait },
      { allowed: 'write', checks: checksOf(/^(?!entries)/), onLeftBehind: (made) => left.push(made) },
    );
    expect([...posted].filter((path) => !path.startsWith('blacklists'))).toEqual([]);
    expect(left).toEqual([]);
    expect(await namesIn(fetch, apiKey)).toEqual([]);
    for (const id of ['profiles.create', 'assignments.replace', 'orders.enrichment']) {
      expect(results.find((result) => result.id === id)).toMatchObject({
        result: 'left out',
        reason: 'only with --place-orders',
      });
    }
  });
});

describe('runConformance with allowed: orders', () => {
  it('reports each resource that stays once, as soon as it is created', async () => {
    const deployment = createDeployment();
    const events: string[] = [];
    await run(deployment, {
      checks: checksOf(/^(?:profiles|orders)/),
      onLeftBehind: ({ kind }) => events.push(kind),
      onResult: ({ id, result }) => {
        if (/^(?:profiles|orders)\.(?:create|enrichment|discovery|replay)$/.test(id)) events.push(`${id} ${result}`);
      },
    });
    expect(events).toEqual([
      'search profile creation',
      'profiles.create passed',
      'profiles.replay passed',
      'order',
      'orders.enrichment passed',
      'order',
      'orders.discovery passed',
      'orders.replay passed',
    ]);
  });

  it('reports an order whose answer was lost with its key and name', async () => {
    const { service, fetch, apiKey, wait } = createDeployment();
    service.faults.add({ method: 'POST', path: /^\/api\/v1\/orders$/, times: 1, commit: true, reset: true });
    let key: string | null = null;
    const watched: Fetch = (request) => {
      if (request.url.endsWith('/orders')) key = request.headers.get('idempotency-key');
      return fetch(request);
    };
    const left: CreatedResource[] = [];
    const checks = checksOf(/^(?:profiles\.(?:create$|poll)|orders)/);
    const ended = run({ fetch: watched, apiKey, wait }, { checks, onLeftBehind: (made) => left.push(made) });
    await expect(ended).rejects.toThrow('POST /api/v1/orders got no answer');
    expect(left).toEqual([
      expect.objectContaining({ kind: 'search profile creation', id: expect.any(String) }),
      {
        kind: 'order',
        id: null,
        idempotencyKey: key,
        name: expect.stringMatching(/^prospect-sync conformance [0-9a-f]{8} enrichment$/),
      },
    ]);
    const warning = `  may have been placed: order "${left[1]?.name}", Idempotency-Key ${String(key)}`;
    expect(left.map(describeLeft)[1]).toBe(warning);
  });

  it('reports a profile when stopped during its request, but not when stopped before', async () => {
    for (const isSent of [true, false]) {
      const { fetch, apiKey, wait } = createDeployment();
      const stop = new AbortController();
      const stopping: Fetch = async (request) => {
        const answer = await fetch(request);
        if (isSent && request.method === 'POST') stop.abort(new Error('stopped'));
        request.signal.throwIfAborted();
        return answer;
      };
      const first: Check = { id: 'first', clause: '', title: '', effect: 'read', run: () => Promise.resolve() };
      const left: CreatedResource[] = [];
      const ended = run(
        { fetch: stopping, apiKey, wait },
        {
          checks: [first, ...checksOf(/^profiles\.create$/)],
          signal: stop.signal,
          onLeftBehind: (made) => left.push(made),
          onResult: () => (isSent ? undefined : stop.abort(new Error('stopped'))),
        },
      );
      await expect(ended).rejects.toThrow('stopped');
      expect(left.map(({ kind, id }) => [kind, id])).toEqual(isSent ? [['search profile creation', null]] : []);
    }
  });

  it.each([
    ['a fault', { status: 504, body: {} }],
    ['a success that names nothing', { status: 202, body: {} }],
  ])('reports a profile whose creation is answered with %s', async (_, change) => {
    const { fetch, apiKey, wait } = createDeployment();
    const left: CreatedResource[] = [];
    await run(
      { fetch: breaching(fetch, 'POST', /creations$/, () => change), apiKey, wait },
      { checks: checksOf(/^profiles\.create$/), onLeftBehind: (made) => left.push(made) },
    );
    expect(left).toMatchObject([
      { kind: 'search profile creation', id: null, name: expect.stringMatching(/ profile$/) },
    ]);
  });

  it('reports nothing when a creation is refused', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const left: CreatedResource[] = [];
    const limited: Fetch = (request) =>
      request.method === 'POST' && request.url.endsWith('/orders')
        ? Promise.resolve(new Response(null, { status: 429, headers: { 'retry-after': '3600' } }))
        : fetch(request);
    const checks = checksOf(/^(?:profiles\.(?:create|poll)|orders\.(?:enr|disc))/);
    const results = await run({ fetch: limited, apiKey, wait }, { checks, onLeftBehind: (made) => left.push(made) });
    expect(left).toMatchObject([{ kind: 'search profile creation', id: expect.any(String) }]);
    expect(results.find(({ id }) => id === 'orders.enrichment')?.reason).toContain('answers 429');
  });

  it('reports the order that is not published after 15 minutes, and waits a minute for the other one', async () => {
    const { fetch, apiKey, wait } = createDeployment({ progression: { orders: 'manual' } });
    let waited = 0;
    const counting = (milliseconds: number) => {
      waited += milliseconds / 1_000;
      return wait(milliseconds);
    };
    const checks = checksOf(/^(?:profiles\.(?:create$|poll)|orders\.(?:enr|disc))/);
    const results = await run({ fetch, apiKey, wait: counting }, { checks });
    const reasons = results.flatMap(({ reason }) => reason ?? []);
    expect(reasons).toEqual([
      expect.stringMatching(/^still RECEIVED after 900 s; once it is published: --order [0-9a-f-]{36}$/),
      expect.stringMatching(/^still RECEIVED after 60 s; once it is published: --order [0-9a-f-]{36}$/),
    ]);
    expect(Math.round(waited)).toBeLessThan(1_000);
  });
});

describe('runConformance where the specification is silent', () => {
  const orders = /^(?:profiles\.(?:create$|poll)|orders\.(?:enrichment|discovery|before)|results)/;

  it.each<[string, Record<string, string>]>([
    ['not shown: GET /api/v1/orders/{order_id}/results: the slots are in slots', { results_items: 'slots' }],
    ['assumed A04: ', { results_not_ready_status: '425' }],
  ])('reports a note and no finding when the answer differs: %s', async (assumption, assume) => {
    const { fetch, apiKey, wait } = createDeployment({ assume });
    const results = await run({ fetch, apiKey, wait }, { checks: checksOf(orders) });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results.flatMap(({ notes }) => notes).join('\n')).toContain(assumption);
    expect(idsWith(results, 'passed')).toContain('results.enrichment-slots');
  });

  it('reports notes for other bodies of 422, 409 and 404, another order status, and unknown fields and values', async () => {
    const { fetch: plain, apiKey, wait } = createDeployment();
    let fetch: Fetch = plain;
    fetch = breaching(fetch, 'POST', /./, ({ status }) => (status === 422 ? { body: { errors: [] } } : undefined));
    fetch = breaching(fetch, 'POST', /creations$/, ({ status }) =>
      status === 409 ? { body: { title: 'x' } } : undefined,
    );
    fetch = breaching(fetch, 'GET', /\/orders\//, ({ status }) =>
      status === 404 ? { body: { error: 'x' } } : undefined,
    );
    fetch = breaching(fetch, 'POST', /\/orders$/, ({ status }) => (status === 201 ? { status: 202 } : undefined));
    fetch = breaching(fetch, 'GET', /\/orders\/[^/]+$/, ({ body, status }) =>
      status === 200 ? { body: { ...body, order_type: 7, colour: 'red' } } : undefined,
    );
    const results = await run({ fetch, apiKey, wait }, { checks: checksOf(/^(?:profiles|orders)/) });
    expect(idsWith(results, 'finding')).toEqual([]);
    const notes = results.flatMap((result) => result.notes).join('\n');
    for (const text of [
      'assumed A05: ',
      'assumed A15: ',
      'assumed A14: ',
      'assumed A03: ',
      'assumed A10: ',
      'colour is a field',
    ]) {
      expect(notes).toContain(text);
    }
  });

  it('skips checks that need a profile when its creation fails', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const failing = breaching(fetch, 'GET', /creations\/[^/]+$/, ({ body, status }) =>
      status === 200
        ? {
            body: {
              ...body,
              status: 'FAILED',
              profile_id: null,
              error_code: 'X',
              error_message: 'x',
              finished_at: body['created_at'],
            },
          }
        : undefined,
    );
    const results = await run(
      { fetch: failing, apiKey, wait },
      {
        checks: checksOf(/^(?:profiles\.(?:create$|poll)|assignments\.empty|orders\.enr)/),
      },
    );
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results.find(({ id }) => id === 'orders.enrichment')?.reason).toBe('needs a profile that succeeded');
    expect(results.find(({ id }) => id === 'assignments.empty')?.result).toBe('not checked');
  });
});

describe('runConformance with a key that lacks scopes', () => {
  it('names the missing scope and reports no finding', async () => {
    const { service, fetch, wait, organizationId } = createDeployment();
    const { apiKey } = service.createKey({ organizationId, scopes: ['blacklists:read'] });
    const results = await run({ fetch, apiKey, wait }, { checks: checksOf(/^(?:blacklists|profiles)/) });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results.find(({ id }) => id === 'blacklists.create')?.reason).toBe('the key lacks blacklists:write');
  });

  it('reports a 403 that does not list the scopes', async () => {
    const { service, fetch, wait, organizationId } = createDeployment();
    const { apiKey } = service.createKey({ organizationId, scopes: ['blacklists:read'] });
    const silent = breaching(fetch, 'POST', /./, ({ body, status }) =>
      status === 403 ? { body: { ...body, user_scopes: undefined } } : undefined,
    );
    expect(
      idsWith(await run({ fetch: silent, apiKey, wait }, { checks: checksOf(/^blacklists/) }), 'finding'),
    ).toContain('blacklists.create');
  });

  it('rejects when the service does not accept the key', async () => {
    const deployment = createDeployment();
    await expect(run({ ...deployment, apiKey: 'sk_wrong' })).rejects.toThrow(KeyRefusedError);
  });

  it.each([301, 404, 503])('rejects when the address answers %d', async (status) => {
    const deployment = createDeployment();
    const fetch: Fetch = () => Promise.resolve(new Response('elsewhere', { status }));
    await expect(run({ ...deployment, fetch })).rejects.toThrow(ServiceAbsentError);
  });
});

describe('runConformance when requests fail', () => {
  it('deletes the created blacklists when it is stopped', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const stop = new AbortController();
    const onResult = ({ id }: CheckResult) => {
      if (id === 'blacklists.patch') stop.abort(new Error('stopped'));
    };
    const stopped: Fetch = (request) =>
      request.signal.aborted ? Promise.reject(request.signal.reason) : fetch(request);
    await expect(run({ fetch: stopped, apiKey, wait }, { signal: stop.signal, onResult })).rejects.toThrow('stopped');
    expect(await namesIn(fetch, apiKey)).toEqual([]);
  });

  it('deletes the created blacklists when a request gets no answer, and names the request', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const breaking: Fetch = (request) =>
      request.method === 'PATCH'
        ? Promise.reject(Object.assign(new Error('x'), { code: 'ECONNRESET' }))
        : fetch(request);
    const ended = run({ fetch: breaking, apiKey, wait }, { checks: checksOf(/^blacklists/) });
    await expect(ended).rejects.toThrow(
      'PATCH /api/v1/blacklists/{blacklist_id} got no answer: the connection was closed by the other side (ECONNRESET)',
    );
    await expect(ended).rejects.toThrow(UnreachableError);
    expect(await namesIn(fetch, apiKey)).toEqual([]);
  });

  it('names the blacklists left behind when the service stops answering', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const seen: CheckResult[] = [];
    let isUnavailable = false;
    const breaking: Fetch = (request) => {
      isUnavailable ||= request.method === 'PATCH';
      return isUnavailable ? Promise.reject(new TypeError('fetch failed')) : fetch(request);
    };
    await expect(
      run(
        { fetch: breaking, apiKey, wait },
        { checks: checksOf(/^blacklists/), onResult: (result) => seen.push(result) },
      ),
    ).rejects.toThrow('connection failed');
    expect(seen.at(-1)).toMatchObject({ id: 'clean-up', result: 'finding' });
    const [name = ''] = await namesIn(fetch, apiKey);
    const mark = /"(.+)"/.exec(seen.at(-1)?.findings[0] ?? '')?.[1];
    expect(mark).toMatch(/^prospect-sync conformance [0-9a-f]{8}$/);
    expect(name.startsWith(mark ?? '?')).toBe(true);
  });

  it('reports a blacklist that cannot be deleted', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const stuck: Fetch = (request) =>
      request.method === 'DELETE' ? Promise.resolve(Response.json({}, { status: 500 })) : fetch(request);
    const results = await run({ fetch: stuck, apiKey, wait }, { checks: checksOf(/^blacklists\.create$/) });
    expect(results.at(-1)).toMatchObject({
      id: 'clean-up',
      findings: [expect.stringContaining('is left behind: DELETE answered 500')],
    });
  });

  it.each([
    ['a deletion', 'DELETE'],
    ['the list', 'GET'],
  ])('names the blacklists left behind when %s keeps answering 429', async (_, method) => {
    const { fetch, apiKey, wait } = createDeployment();
    let isLimited = false;
    const limited: Fetch = (request) =>
      isLimited && request.method === method
        ? Promise.resolve(new Response(null, { status: 429, headers: { 'retry-after': '3600' } }))
        : fetch(request);
    const onResult = ({ id }: CheckResult) => (isLimited ||= id === 'blacklists.create');
    const results = await run(
      { fetch: limited, apiKey, wait },
      { allowed: 'write', checks: checksOf(/^blacklists\.create$/), onResult },
    );
    const [name = ''] = await namesIn(fetch, apiKey);
    expect(results.at(-1)).toMatchObject({
      id: 'clean-up',
      result: 'finding',
      findings: [`blacklists may be left behind: their names begin with "${name.replace(/ first$/, '')}"`],
      reason: expect.stringContaining('answers 429'),
    });
  });

  it('names the blacklists left behind when blacklists cannot be listed', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    let isBroken = false;
    const broken = breaching(fetch, 'GET', /\/v1\/blacklists$/, () =>
      isBroken ? { status: 500, body: {} } : undefined,
    );
    const onResult = ({ id }: CheckResult) => (isBroken ||= id === 'blacklists.create');
    const results = await run(
      { fetch: broken, apiKey, wait },
      { allowed: 'write', checks: checksOf(/^blacklists\.create$/), onResult },
    );
    expect(results.at(-1)?.findings).toEqual([
      expect.stringMatching(/^blacklists cannot be listed \(500\): .+ "prospect-sync conformance [0-9a-f]{8}"$/),
    ]);
    expect(await namesIn(fetch, apiKey)).toEqual([]);
  });

  it('fails when a request times out', async () => {
    const { fetch, apiKey, wait } = createDeployment();
    const silent: Fetch = (request) =>
      new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    await expect(run({ fetch: silent, apiKey, wait }, { requestSeconds: 0.02 })).rejects.toThrow(
      'got no answer: none within 0.02 s',
    );
    expect(fetch).toBeDefined();
  });

  it('waits for the Retry-After of a 429, up to a minute', async () => {
    const { fetch, apiKey } = createDeployment();
    const waits: number[] = [];
    const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    let requestCount = 0;
    const limited =
      (seconds: string): Fetch =>
      (request) =>
        (requestCount += 1) === 3
          ? Promise.resolve(
              Response.json(
                { code: 'RATE_LIMITED', message: 'x' },
                { status: 429, headers: { 'retry-after': seconds } },
              ),
            )
          : fetch(request);
    const kept = await run({ fetch: limited('7'), apiKey, wait }, { allowed: 'read', checks: checksOf(/^blacklists/) });
    expect({ waits, findings: idsWith(kept, 'finding') }).toEqual({ waits: [7_000], findings: [] });
    requestCount = 0;
    const refused = await run(
      { fetch: limited('3600'), apiKey, wait },
      { allowed: 'read', checks: checksOf(/^blacklists/) },
    );
    expect(waits).toEqual([7_000]);
    expect(refused.map(({ reason }) => reason).join()).toContain('answers 429 with Retry-After 3600 s');
  });

  it('stops waiting for a profile after the timeout', async () => {
    const { fetch, apiKey } = createDeployment({ progression: { profiles: 'manual' } });
    let waited = 0;
    const wait = (milliseconds: number) => Promise.resolve(void (waited += milliseconds));
    const results = await run({ fetch, apiKey, wait }, { checks: checksOf(profiles) });
    expect(results.find(({ id }) => id === 'profiles.poll')).toMatchObject({
      result: 'not checked',
      reason: 'still PENDING after 600 s',
    });
    expect(waited).toBeGreaterThanOrEqual(600_000);
  });
});

function post(path: string, apiKey: string, body: unknown): Request {
  return new Request(`http://service.test${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function namesIn(fetch: Fetch, apiKey: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(new Request('http://service.test/api/v1/blacklists', { headers }));
  const { blacklists } = (await response.json()) as { blacklists: { name: string }[] };
  return blacklists.map(({ name }) => name);
}
