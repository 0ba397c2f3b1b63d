import { openHealthServer } from '../../../src/worker/telemetry/health-server.ts';
import { findRefusal } from '../../../src/base/http/foreign-requests.ts';
import { serveSandbox } from '../../../sandbox/serve-sandbox.ts';
import { askAsPage } from '../../helpers/foreign-page.ts';

describe('findRefusal', () => {
  const refused = (host: string | null, origin: string | null = null, isLocalOnly = true) =>
    findRefusal({ host, origin }, { isLocalOnly, origins: ['http://127.0.0.1:8233'] }) !== null;

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:8233', '127.1.2.3', '[::1]:9000', null])(
    'allows Host %s',
    (host) => {
      expect(refused(host)).toBe(false);
    },
  );

  it.each([
    'evil.example',
    'evil.example:8233',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a@127.0.0.1',
    '10.0.0.1',
    '[::2]',
    '',
  ])('rejects Host %s, unless the server listens on other addresses than localhost', (host) => {
    expect([refused(host), refused(host, null, false)]).toEqual([true, false]);
  });

  it.each(['http://evil.example', 'http://127.0.0.1:9999', 'https://127.0.0.1:8233', 'null', ''])(
    'rejects the origin %s wherever the server listens',
    (origin) => {
      expect([refused('localhost', origin), refused('localhost', origin, false)]).toEqual([true, true]);
      expect(refused('localhost', 'http://127.0.0.1:8233')).toBe(false);
    },
  );
});

describe('local ports', () => {
  const attacks = [{ host: 'evil.example' }, { headers: { origin: 'http://evil.example' } }];

  it('reject foreign pages on the health server, and allow Prometheus and probes', async () => {
    const observation = await openHealthServer({ port: 0, hostname: '127.0.0.1' });
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      for (const attack of attacks) expect((await askAsPage(observation.url + path, attack)).status).toBe(403);
    }
    expect((await askAsPage(`${observation.url}/healthz`, { host: 'localhost' })).status).toBe(200);
    expect(observation.telemetry.metrics).not.toMatchObject({
      prometheus: { bindAddress: expect.stringMatching(/^127\.0\.0\.1:/) as string },
    });
    await observation.close();

    const open = await openHealthServer({ port: 0, hostname: '0.0.0.0' });
    const address = open.url.replace('0.0.0.0', '127.0.0.1');
    const [byName, byPage] = attacks.map((attack) => askAsPage(`${address}/metrics`, attack));
    expect([(await byName)?.status, (await byPage)?.status]).toEqual([200, 403]);
    await open.close();
  });

  it('reject foreign pages on the sandbox and its control plane', async () => {
    const served = await serveSandbox();
    for (const { url } of [served.service, served.hubspot, served.control]) {
      for (const attack of attacks)
        expect((await askAsPage(`${url}/reset`, { ...attack, method: 'POST' })).status).toBe(403);
    }
    expect((await askAsPage(`${served.control.url}/health`)).status).toBe(200);
    await served.close();
  });
});
