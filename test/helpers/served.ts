import { serve } from '@hono/node-server';

type Fetch = (request: Request) => Promise<Response>;

/** A stand-in on a free port, for what has to run in a process of its own. */
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
