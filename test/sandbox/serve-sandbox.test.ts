import { createServer } from 'node:http';
import { limits } from '../../src/service/contract/index.ts';
import { serveSandbox, type ServedSandbox } from '../../sandbox/serve-sandbox.ts';
import { itOfAll } from '../helpers/sample.ts';

describe('serveSandbox', () => {
  let served: ServedSandbox;
  beforeAll(async () => {
    served = await serveSandbox({ seed: 7 });
  });
  afterAll(async () => {
    await served.close();
  });

  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${served.service.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${served.service.apiKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });

  it('serves the service, HubSpot and the control plane on separate local ports', async () => {
    for (const { url } of [served.service, served.hubspot, served.control])
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask('GET', '/blacklists')).status).toBe(200);
    const headers = { authorization: `Bearer ${served.hubspot.token}` };
    expect((await fetch(`${served.hubspot.url}/account-info/v3/details`, { headers })).status).toBe(200);
    expect(await (await fetch(`${served.control.url}/health`)).json()).toMatchObject({ status: 'ok' });
    expect((await fetch(`${served.service.url}/health`)).status).toBe(404);
  });

  it('applies the rate limits of a given plan', async () => {
    const limited = await serveSandbox({ portal: { plan: 'free' } });
    const rate = async ({ url, token }: ServedSandbox['hubspot']) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/account-info/v3/details`, { headers })).headers.get('x-hubspot-ratelimit-max');
    };
    expect([await rate(served.hubspot), await rate(limited.hubspot)]).toEqual(['1000000', '100']);
    await limited.close();
  });

  it('has keys that depend on the seed and survive a reset', async () => {
    const [same, other] = [await serveSandbox({ seed: 7 }), await serveSandbox({ seed: 8 })];
    expect([same.service.apiKey, same.hubspot.token]).toEqual([served.service.apiKey, served.hubspot.token]);
    expect(other.service.apiKey).not.toBe(served.service.apiKey);
    await Promise.all([same.close(), other.close()]);
    expect((await fetch(`${served.control.url}/reset`, { method: 'POST' })).status).toBe(204);
    expect((await ask('GET', '/blacklists')).status).toBe(200);
  });

  itOfAll('accepts 10,000 entries of maximum length, and a body with DELETE', async () => {
    const { id } = (await (await ask('POST', '/blacklists', { name: 'A' })).json()) as { id: string };
    const { companyName, websiteUrl, city, country, externalId, reason } = limits.entry;
    const entry = {
      company_name: 'n'.repeat(companyName),
      website_url: `https://${'w'.repeat(websiteUrl - 8)}`,
      city: 'c'.repeat(city),
      country: 'c'.repeat(country),
      external_id: 'e'.repeat(externalId),
      reason: 'r'.repeat(reason),
    };
    const answer = await ask('POST', `/blacklists/${id}/entries`, {
      entries: Array.from({ length: 10_000 }, () => entry),
    });
    expect(answer.status).toBe(201);
    const created = (await answer.json()) as { id: string }[];
    expect(created).toHaveLength(10_000);
    const entry_ids = created.slice(0, 1_000).map(({ id }) => id);
    expect((await ask('DELETE', `/blacklists/${id}/entries`, { entry_ids })).status).toBe(204);
    expect(await (await ask('GET', `/blacklists/${id}`)).json()).toMatchObject({ entry_count: 9_000 });
  });

  it('closes the connection without an answer for a reset fault', async () => {
    const rule = { method: 'POST', path: '/api/v1/blacklists', times: 1, commit: true, reset: true };
    const add = await fetch(`${served.control.url}/faults`, { method: 'POST', body: JSON.stringify(rule) });
    expect(add.status).toBe(201);
    await expect(ask('POST', '/blacklists', { name: 'Lost answer' })).rejects.toThrow('fetch failed');
    expect(await (await ask('GET', '/blacklists')).text()).toContain('Lost answer');
  });

  it('sends half of an answer and breaks the connection for a truncate and reset fault', async () => {
    const rule = { path: '/api/v1/blacklists', times: 1, truncate: true, reset: true };
    await fetch(`${served.control.url}/faults`, { method: 'POST', body: JSON.stringify(rule) });
    const answer = await ask('GET', '/blacklists');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('closes at once during waits and delayed answers', async () => {
    const own = await serveSandbox();
    const headers = { authorization: `Bearer ${own.service.apiKey}` };
    const rule = { path: '/api/v1/', times: 9, delay_ms: 60_000 };
    await fetch(`${own.control.url}/faults`, { method: 'POST', body: JSON.stringify(rule) });
    const waiting = [
      fetch(`${own.control.url}/journal/wait?timeout_ms=60000`),
      fetch(`${own.service.url}/api/v1/blacklists`, { headers }),
    ].map((requested) => requested.catch(() => 'ended'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await own.close();
    expect(await Promise.all(waiting)).toEqual(['ended', 'ended']);
  });

  it('rejects when a port is in use, and closes everything', async () => {
    const taken = Number(new URL(served.control.url).port);
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const address = free.address();
    const servicePort = typeof address === 'object' && address ? address.port : 0;
    await new Promise((resolve) => free.close(resolve));
    await expect(serveSandbox({ servicePort, controlPort: taken })).rejects.toThrow('EADDRINUSE');
    const again = await serveSandbox({ servicePort });
    expect(again.service.url).toBe(`http://127.0.0.1:${servicePort}`);
    await again.close();
  });
});
