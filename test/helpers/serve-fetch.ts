import { serve } from '@hono/node-server';
import type { Fetch } from '../../src/base/http/http-answer.ts';

/** Serves a fetch function on a free port, for tests that run another process. */
export async function serveFetch(fetch: Fetch) {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  return {
    url: `http://127.0.0.1:${await promise}`,
    close: () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    },
  };
}
