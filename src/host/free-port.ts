/** Free addresses and ports of this machine. */
import { randomBytes } from 'node:crypto';
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
  return { host, port: await freePort(0, host) };
}

/** The wanted port when it is free, else another one. */
export async function freePort(wanted = 0, host = loopbackAddress): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(wanted, host);
    await once(probe, 'listening');
    const address = probe.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
    return address.port;
  } catch (error) {
    if (wanted === 0) throw error;
    return await freePort();
  } finally {
    probe.close();
  }
}
