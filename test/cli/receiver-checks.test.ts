import { checkOrderReceivers } from '../../src/cli/preflight/receiver-checks.ts';
import { createServer } from 'node:http';
import { closeServer, listen } from '../../src/base/http/local-server.ts';
import type { Config } from '../../src/config/config.ts';

const signal = new AbortController().signal;
const runsWith = (urls: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries(urls).map(([name, webhookUrl]) => [name, { webhookUrl }]),
  ) as unknown as Config['runs'];

describe('checkOrderReceivers', () => {
  it('sends one HEAD request to each address, and reports by status whether a receiver listens', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const status = Number(request.url?.slice(1));
      response.writeHead(status, status === 307 ? { location: '/200' } : {}).end();
    });
    const { url } = await listen(server);
    try {
      const runs = runsWith({
        a: `${url}/200`,
        b: `${url}/200`,
        'post-only': `${url}/405`,
        proxy: `${url}/503`,
        moved: `${url}/307`,
        none: null,
      });
      const checks = await checkOrderReceivers({ runs }, { fetch, signal });
      expect(checks.map(({ state, message }) => [state, message])).toEqual([
        ['ok', `${url} answers (runs.a.webhook_url, runs.b.webhook_url)`],
        ['ok', `${url} answers (runs.post-only.webhook_url)`],
        ['warning', expect.stringContaining('has no receiver behind its proxy: HTTP 503 (runs.proxy.webhook_url)')],
        ['warning', expect.stringContaining('redirects with HTTP 307')],
      ]);
      expect(requests.toSorted()).toEqual(['HEAD /200', 'HEAD /307', 'HEAD /405', 'HEAD /503']);
    } finally {
      await closeServer(server);
    }
  });

  it('checks nothing when no run has a webhook_url', async () => {
    expect(await checkOrderReceivers({ runs: runsWith({ a: null }) }, { fetch, signal })).toEqual([]);
  });
});
