/** A server in between: while it is shut, nothing behind it can be reached, and open connections are cut. */
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import type { ListenOptions } from 'node:net';

export async function startNetworkGate(target: NetConnectOpts, place: ListenOptions = { port: 0, host: '127.0.0.1' }) {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(place);
  await once(server, 'listening');
  const address = server.address();
  return {
    /** 0 for a socket in the file system. */
    port: typeof address === 'object' && address !== null ? address.port : 0,
    open() {
      isOpen = true;
    },
    shut() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
