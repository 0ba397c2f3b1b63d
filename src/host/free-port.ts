/** Free addresses and ports of this machine. */
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface LocalAddress {
  readonly host: string;
  readonly port: number;
}

const loopbackAddress = '127.0.0.1';

/**
 * A loopback address and port that a web page cannot guess: Linux has 16 million loopback addresses. Other systems have one,
 * so that a page may find the port.
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
 * The wanted port if it is free, else a random one. A random port lies below 32768, where no system takes the local port of
 * an outgoing connection: one of those could otherwise occupy the port before the caller listens on it.
 */
export async function freePort(wanted?: number, host = loopbackAddress): Promise<number> {
  if (wanted !== undefined && (await findListenError(wanted, host)) === null) return wanted;
  for (let attempt = 1; ; attempt += 1) {
    const port = chosenPorts.lowest + randomInt(chosenPorts.count);
    const error = await findListenError(port, host);
    if (error === null) return port;
    if (attempt === mostAttempts) throw error;
  }
}

async function findListenError(port: number, host: string): Promise<unknown> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
    return null;
  } catch (error) {
    return error;
  } finally {
    probe.close();
  }
}
