import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on a free port of 127.0.0.1 whose answers the test can replace, and which records its requests. */
export async function startServer() {
  const seen: SeenRequest[] = [];
  let answer: Answer = (_, response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.on('error', () => undefined);
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    answerWith(next: Answer) {
      seen.splice(0);
      answer = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type HostileServer = Awaited<ReturnType<typeof startServer>>;

/** 0.7 MB of gzip that decompresses to 640 MB of blanks, which are valid between JSON tokens. */
export function createGzipBomb(): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 1024 ** 2, ' '));
  return Buffer.concat(Array.from({ length: 40 }, () => member));
}
