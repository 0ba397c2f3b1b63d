/** Servers of this machine: their addresses, and how they start and end. */
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { ExplainedError } from '../text/explained-error.ts';
import { describeSystemError, systemCodeOf } from '../failures/system-code.ts';
import { findPortHolder } from '../host/port-holder.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface LocalAddress {
  readonly host: string;
  readonly port: number;
}

const loopbackAddress = '127.0.0.1';
const codecServerPort = 8234;

/** Default address of `codec-server`, which the UI of a dev server uses. */
export const localCodecServer = {
  host: loopbackAddress,
  port: codecServerPort,
  url: toUrl(loopbackAddress, codecServerPort),
} as const;

/**
 * Starts to listen; port 0 chooses a free port.
 * @throws the system's error, for example EADDRINUSE
 */
export async function listen(server: Server, port = 0, host = loopbackAddress): Promise<{ port: number; url: string }> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return { port: address.port, url: toUrl(host, address.port) };
}

/**
 * As `listen`, for a server whose address the user has chosen.
 * @param subject what failed, for example `Webhooks cannot be received` @param flags the options that choose another address
 * @throws {ExplainedError}
 */
export async function listenAsChosen(
  server: Server,
  { port, hostname }: { readonly port: number; readonly hostname: string },
  { subject, flags }: { readonly subject: string; readonly flags: string },
): Promise<{ port: number; url: string }> {
  try {
    return await listen(server, port, hostname);
  } catch (error) {
    const holder = systemCodeOf(error) === 'EADDRINUSE' ? await findPortHolder(port) : null;
    const place = `${subject} at ${hostname}:${port}: ${describeSystemError(error)}`;
    throw new ExplainedError(
      holder === null
        ? `${place}. Free the address, or choose another ${flags}`
        : `${place}, held by ${toPrintable(holder)}. End it, or choose another ${flags}`,
    );
  }
}

/** Ends open connections too. Does nothing for a server that does not listen. */
export async function closeServer(server: HttpServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

/**
 * A loopback address and port that a web page cannot guess: Linux has 16 million loopback addresses. Other systems have one,
 * where a page may find the port.
 */
export async function chooseHiddenAddress(): Promise<LocalAddress> {
  const host =
    process.platform === 'linux'
      ? `127.${[...randomBytes(3)].map((byte) => (byte % 254) + 1).join('.')}`
      : loopbackAddress;
  return { host, port: await freePort(undefined, host) };
}

/** The lowest and the number of ports that freePort chooses from. */
const chosenPorts = { lowest: 20_000, count: 12_000 };
const mostAttempts = 50;

/**
 * The preferred port if it is free, else a random one. A random port is below 32768, where no system takes the local port of
 * an outgoing connection: such a connection could otherwise occupy the port before the caller listens on it.
 */
export async function freePort(preferred?: number, host = loopbackAddress): Promise<number> {
  if (preferred !== undefined && (await findListenError(preferred, host)) === null) return preferred;
  for (let attempt = 1; ; attempt += 1) {
    const port = chosenPorts.lowest + randomInt(chosenPorts.count);
    const error = await findListenError(port, host);
    if (error === null) return port;
    if (attempt === mostAttempts) throw error;
  }
}

/** Whether a server of this machine accepts connections at the port. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: loopbackAddress, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function findListenError(port: number, host: string): Promise<unknown> {
  const probe = createServer();
  try {
    await listen(probe, port, host);
    return null;
  } catch (error) {
    return error;
  } finally {
    probe.close();
  }
}

function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
