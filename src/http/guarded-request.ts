/** HTTP requests that connect only to addresses that may be connected to, whatever a name resolves to at that moment. */
import { lookup } from 'node:dns/promises';
import { request as requestHttp, type ClientRequest, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { mayConnect, type AddressAllowance } from './public-address.ts';

/** Every IP address of a host name, in the order of preference. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface AddressGuard {
  readonly allowed: AddressAllowance;
  /** The machine's own resolver unless given. */
  readonly resolve?: ResolveHost | undefined;
}

/** `dns`: the name leads nowhere; `private_address`: it leads to an address that must not be connected to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly reason: 'dns' | 'private_address';

  constructor(reason: AddressRefusedError['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * A request that still has to be ended by its caller. It has a connection of its own, without pool or proxy from the
 * environment, and emits an AddressRefusedError instead of connecting to a private address. Redirects are not followed.
 */
export function openGuardedRequest(
  url: URL,
  guard: AddressGuard,
  { method, headers, signal }: Pick<RequestOptions, 'method' | 'headers' | 'signal'>,
): ClientRequest {
  const options = {
    method,
    headers,
    signal,
    agent: false,
    // Only the one address that was checked.
    autoSelectFamily: false,
    lookup: createLookup(url, guard),
  } satisfies RequestOptions & { autoSelectFamily: boolean };
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
  request.once('socket', (socket) => checkPeer(socket, url, guard.allowed));
  return request;
}

/** Checks every address of the name while connecting, so that nothing is resolved between the check and the connection. */
function createLookup(url: URL, { allowed, resolve = resolveAll }: AddressGuard): LookupFunction {
  return (hostname, _options, answer) => {
    const choose = async () => {
      const addresses = await resolve(hostname);
      const [first] = addresses;
      if (first === undefined) throw new AddressRefusedError('dns');
      if (addresses.every((address) => mayConnect(url, address, allowed))) return first;
      throw new AddressRefusedError('private_address');
    };
    choose().then(
      (address) => answer(null, address, isIP(address)),
      (error: unknown) =>
        answer(error instanceof AddressRefusedError ? error : new AddressRefusedError('dns', error), ''),
    );
  };
}

/** IPv4 first: only one address is tried, and many containers have no way out by IPv6. */
async function resolveAll(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

/** Checks the peer itself before anything is sent: Node does not look up an address that is an IP address already. */
function checkPeer(socket: Socket, url: URL, allowed: AddressAllowance): void {
  socket.prependOnceListener('connect', () => {
    const address = socket.remoteAddress;
    if (address !== undefined && mayConnect(url, address, allowed)) return;
    socket.destroy(new AddressRefusedError('private_address'));
  });
}
