import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import type { HubSpotClientOptions } from '../../src/hubspot/hubspot-client.ts';
import { json, rejection } from './stub-portal.ts';
import { createVirtualClock } from './virtual-clock.ts';

interface Seen {
  readonly path: string;
  readonly seconds: number;
}

/** A client in virtual time, and the times at which it sent its requests. */
function createTimedClient(
  respond: (path: string, index: number) => Response | Promise<Response>,
  options: Partial<HubSpotClientOptions> = {},
) {
  const time = createVirtualClock();
  const seen: Seen[] = [];
  const client = createHubSpotClient({
    baseUrl: 'https://hubspot.example',
    token: 'pat-secret',
    ...time,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      seen.push({ path, seconds: time.seconds() });
      return respond(path, seen.length - 1);
    },
    ...options,
  });
  const sentAt = () => seen.map(({ seconds }) => seconds);
  const read = (signal?: AbortSignal) => client.objects.read('companies', { ids: ['1'], properties: [], signal });
  return { time, client, seen, sentAt, read };
}

const empty = (headers: Record<string, string> = {}) => json(200, { results: [] }, headers);
const burst = (max: number, remaining: number) => ({
  'X-HubSpot-RateLimit-Max': `${max}`,
  'X-HubSpot-RateLimit-Remaining': `${remaining}`,
  'X-HubSpot-RateLimit-Interval-Milliseconds': '10000',
});
const day = (remaining: number) => ({
  'X-HubSpot-RateLimit-Daily': '1000',
  'X-HubSpot-RateLimit-Daily-Remaining': `${remaining}`,
});
const refusal = (policyName: string, headers: Record<string, string> = {}) =>
  json(429, { status: 'error', message: 'x', policyName }, headers);

describe('createHubSpotClient', () => {
  it('delays all requests as long as HubSpot asks, and does not repeat the rejected one', async () => {
    const { time, read, sentAt, client } = createTimedClient((_path, index) =>
      index === 0 ? refusal('TEN_SECONDLY_ROLLING', { 'X-HubSpot-RateLimit-Interval-Milliseconds': '4000' }) : empty(),
    );
    expect(await rejection(read())).toMatchObject({ status: 429, retryAfterSeconds: 4 });
    const next = Promise.all([read(), client.account().catch(() => {})]);
    await time.runUntil(3.9);
    expect(sentAt()).toEqual([0]);
    await time.runUntil(4.1);
    await next;
    expect(sentAt()).toEqual([0, 4, 4]);
    expect(client.usage()).toMatchObject({
      calls: { objects: { 200: 1, 429: 1 }, account: { 200: 1 } },
      rateLimited: 1,
      secondsWaited: 8,
    });
  });

  it.each([
    ['423', () => json(423, {}), 2],
    ['423 that asks for less', () => json(423, {}, { 'retry-after': '1' }), 2],
    ['477 with Retry-After', () => json(477, {}, { 'retry-after': '9' }), 9],
    ['429 without a policy', () => json(429, {}, { 'retry-after': '3' }), 3],
    ['429 without a word', () => json(429, {}), 10],
    [
      '429 that shows its window',
      () => json(429, {}, { ...burst(190, 0), 'X-HubSpot-RateLimit-Interval-Milliseconds': '5000' }),
      5,
    ],
  ])('delays requests after a %s', async (_what, refuse, seconds) => {
    const { time, read, sentAt } = createTimedClient((_path, index) => (index === 0 ? refuse() : empty()));
    await rejection(read());
    const next = read();
    await time.runUntil(60);
    await next;
    expect(sentAt()).toEqual([0, seconds]);
  });

  it('delays only searches after a rejected search', async () => {
    const { time, read, client, seen } = createTimedClient((path, index) =>
      index === 0 ? refusal('SECONDLY') : json(200, { results: [], path }),
    );
    const search = () => client.objects.findByDomain('companies', ['x.example'], []);
    await rejection(search());
    const next = Promise.all([search(), read()]);
    await time.runUntil(5);
    await next;
    expect(seen.map(({ path, seconds }) => [path.split('/').at(-1), seconds])).toEqual([
      ['search', 0],
      ['read', 0],
      ['search', 1],
    ]);
  });

  it('rejects requests at once when HubSpot asks for a delay of more than 15 seconds', async () => {
    const { time, read, seen } = createTimedClient((_path, index) =>
      index === 0 ? json(477, {}, { 'retry-after': '3600' }) : empty(),
    );
    await rejection(read());
    await time.runUntil(10);
    expect(await rejection(read())).toMatchObject({
      kind: 'postponed',
      code: 'STATUS_477',
      retryAfterSeconds: 3590,
      message:
        'POST /crm/v3/objects/companies/batch/read was not sent: HubSpot requested a pause (STATUS_477); possible again in 1 h 0 min',
    });
    expect(seen).toHaveLength(1);
    await time.runUntil(3601);
    await read();
    expect(seen).toHaveLength(2);
  });

  it('keeps a reserve of the daily limit: bulk requests are rejected, account requests are sent', async () => {
    const { time, client, read, seen } = createTimedClient((path) =>
      path.startsWith('/account-info/')
        ? json(200, { portalId: 7, accountType: 'STANDARD' }, day(99))
        : empty(day(100)),
    );
    await read();
    expect(await rejection(read())).toMatchObject({ kind: 'postponed', policyName: 'DAILY', retryAfterSeconds: 1800 });
    const search = client.objects.findByDomain('companies', ['x.example'], []);
    expect(await rejection(search)).toMatchObject({ policyName: 'DAILY' });
    expect(await rejection(client.lists.get('1'))).toMatchObject({ policyName: 'DAILY' });
    expect(await client.account()).toMatchObject({ portalId: 7 });
    expect(seen).toHaveLength(2);
    expect(client.usage().postponed).toBe(3);
    await time.runUntil(1801);
    await read();
    expect(seen).toHaveLength(3);
  });

  it('holds requests until midnight of the portal when its time zone is known', async () => {
    const account = { portalId: 7, accountType: 'STANDARD', timeZone: 'America/New_York' };
    const { client, read } = createTimedClient((path) =>
      path.startsWith('/account-info/') ? json(200, account) : refusal('DAILY'),
    );
    await client.account();
    await rejection(read());
    // 12:00 UTC is 7:00 in New York.
    expect(await rejection(read())).toMatchObject({ policyName: 'DAILY', retryAfterSeconds: 17 * 3600 + 60 });
  });

  it('sends requests again as soon as HubSpot reports a larger remainder of the daily limit', async () => {
    let left = 50;
    const { client, read, seen } = createTimedClient((path) =>
      path.startsWith('/account-info/')
        ? json(200, { portalId: 7, accountType: 'STANDARD' }, day(left))
        : empty(day(left)),
    );
    await read();
    await rejection(read());
    left = 500;
    await client.account();
    await read();
    expect(seen).toHaveLength(3);
  });

  it('keeps at most 8 requests in flight', async () => {
    const open: (() => void)[] = [];
    const { time, read, seen } = createTimedClient(
      () => new Promise((resolve) => open.push(() => resolve(empty(burst(190, 150))))),
    );
    const all = Promise.all(Array.from({ length: 20 }, () => read()));
    await time.settle();
    expect(seen).toHaveLength(8);
    for (const answer of open.splice(0, 3)) answer();
    await time.settle();
    expect(seen).toHaveLength(11);
    while (open.length > 0) {
      for (const answer of open.splice(0)) answer();
      await time.runUntil(time.seconds() + 1);
    }
    await all;
    expect(seen).toHaveLength(20);
  });

  it('sends at most 95 account requests in 10 seconds until a header states the limit', async () => {
    const { time, client, sentAt } = createTimedClient(() =>
      json(200, { portalId: 7, accountType: 'STANDARD', timeZone: 'nowhere' }),
    );
    const all = Promise.all(Array.from({ length: 120 }, () => client.account()));
    await time.runUntil(9.9);
    expect(sentAt()).toHaveLength(95);
    await time.runUntil(10.5);
    await all;
    expect(sentAt()).toHaveLength(120);
  });

  it('does not limit reads without rate limit headers until HubSpot rejects one', async () => {
    let status = 200;
    const { time, read, sentAt } = createTimedClient(() =>
      status === 200 ? empty() : refusal('TEN_SECONDLY_ROLLING'),
    );
    await Promise.all(Array.from({ length: 300 }, () => read()));
    expect(sentAt()).toHaveLength(300);
    status = 429;
    await rejection(read());
    status = 200;
    const next = Promise.all(Array.from({ length: 10 }, () => read()));
    await time.runUntil(9.9);
    expect(sentAt()).toHaveLength(301);
    await time.runUntil(30);
    await next;
  });

  it('stops waiting when the caller cancels, and does not send the request', async () => {
    const { time, read, seen } = createTimedClient((_path, index) =>
      index === 0 ? json(423, {}, { 'retry-after': '9' }) : empty(),
    );
    await rejection(read());
    const controller = new AbortController();
    const cancelled = rejection(read(controller.signal));
    const other = read();
    controller.abort();
    expect(await cancelled).toMatchObject({ kind: 'cancelled' });
    await time.runUntil(10);
    await other;
    expect(seen).toHaveLength(2);
  });

  it('frees the place of a request that was cancelled while it waited', async () => {
    const first = Promise.withResolvers<Response>();
    const { read, seen } = createTimedClient((_path, index) => (index === 0 ? first.promise : empty()), {
      budget: { concurrency: 1 },
    });
    const answered = read();
    const controller = new AbortController();
    const cancelled = rejection(read(controller.signal));
    controller.abort();
    expect(await cancelled).toMatchObject({ kind: 'cancelled' });
    first.resolve(empty());
    await answered;
    await read();
    await read();
    expect(seen).toHaveLength(3);
  });

  it('waits for the longer of two pauses, whichever came last', async () => {
    const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    const { time, read, sentAt } = createTimedClient((_path, index) => answers[index]?.promise ?? empty());
    const refused = [rejection(read()), rejection(read())];
    answers[0]?.resolve(json(423, {}, { 'retry-after': '9' }));
    await refused[0];
    answers[1]?.resolve(json(423, {}, { 'retry-after': '2' }));
    await refused[1];
    const next = read();
    await time.runUntil(10);
    await next;
    expect(sentAt()).toEqual([0, 0, 9]);
  });

  it('keeps the reserve on the second day too', async () => {
    const { time, read, seen } = createTimedClient(() => empty(day(100)));
    await read();
    await rejection(read());
    await time.runUntil(1801);
    await read();
    expect(await rejection(read())).toMatchObject({ policyName: 'DAILY', retryAfterSeconds: 1800 });
    expect(seen).toHaveLength(2);
  });

  it('starts the timeout when it sends the request', async () => {
    const { time, read } = createTimedClient(
      (_path, index) => (index === 0 ? json(423, {}, { 'retry-after': '14' }) : empty()),
      { timeoutSeconds: 0.04 },
    );
    await rejection(read());
    const next = read();
    // The delay was longer than the timeout on the real clock, which the timeout uses.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await time.runUntil(15);
    expect((await next).size).toBe(0);
  });

  it('separates the rate limit of associations when it differs from the others', async () => {
    const { time, client, read, seen } = createTimedClient((path) =>
      path.includes('/associations/') ? empty(burst(150, 0)) : empty(burst(190, 100)),
    );
    await read();
    await client.associations.read('contacts', 'companies', ['1']);
    const next = client.associations.read('contacts', 'companies', ['1']);
    await read();
    expect(seen).toHaveLength(3);
    await time.runUntil(12);
    await next;
    expect(client.limits()).toMatchObject({ burst: { max: 190, remaining: 100 } });
  });
});
