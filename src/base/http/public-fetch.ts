/** Requests to hosts that another system names (download links, webhook receivers): they connect to public addresses only. */
import { type IncomingMessage, request as requestHttp, type ClientRequest, type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseAllowance, checkPublicUrl, mayConnect, type AddressAllowance } from './public-address.ts';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { lookup } from 'node:dns/promises';
import { request as requestHttps } from 'node:https';

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
const withoutBody = [204, 205, 304];

/**
 * Sends a GET to public addresses only, whatever the host name resolves to. Redirects are answers. Rejects with an
 * AddressRefusedError for other addresses, and with the system's error when the connection fails.
 */
export function createPublicFetch(guard: AddressGuard = { allowed: parseAllowance([]) }) {
  return async ({ url, headers, signal }: Request): Promise<Response> => {
    const request = openGuardedRequest(new URL(url), guard, {
      method: 'GET',
      headers: { 'user-agent': 'prospect-sync', ...Object.fromEntries(headers) },
      signal,
    });
    const answered = Promise.withResolvers<IncomingMessage>();
    request.once('response', answered.resolve);
    // Not once: an error after the answer would otherwise end the process.
    request.on('error', answered.reject);
    // A protocol switch (101) causes no other event.
    request.once('close', () => answered.reject(new Error('closed without an answer')));
    request.end();
    return toResponse(await answered.promise);
  };
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (!withoutBody.includes(status)) return new Response(Readable.toWeb(decode(message)), { status, headers });
  message.destroy();
  return new Response(null, { status, headers });
}

/** File stores may send compressed files although the request does not accept them. */
function decode(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]();
  if (decoder === undefined) return message;
  message.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => message.destroy());
  return message.pipe(decoder);
}

const nothing = parseAllowance([]);

/**
 * The target of a download's redirect, or the reason why it is not followed. Allowed are the service's own origin and public
 * https hosts on port 443; the resolved address is checked while connecting. The reason does not quote the address, which often
 * contains a key.
 */
export function fileAddress(location: string | null, from: URL, service: URL): URL | string {
  const url = location === null ? null : URL.parse(location, from.href);
  if (url === null) return 'without an address';
  if (url.username !== '' || url.password !== '') return 'to an address that contains a user name or a password';
  if (url.origin === service.origin) return url;
  const refusal = checkPublicUrl(url.href, { allowed: nothing });
  if (refusal !== null) return `to an address that ${refusal.reason}`;
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'to an address that is an IP address';
  return url.port === '' ? url : 'to an address that names a port';
}

/** Every IP address of a host name, in the order of preference. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface AddressGuard {
  readonly allowed: AddressAllowance;
  /** Default: the resolver of this machine. */
  readonly resolve?: ResolveHost | undefined;
}

/** `dns`: the name does not resolve; `private_address`: it resolves to an address that is not allowed. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly reason: 'dns' | 'private_address';

  constructor(reason: AddressRefusedError['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Opens a request that the caller ends. It uses its own connection, no pool and no proxy of the environment, and emits an
 * AddressRefusedError instead of connecting to a private address. Redirects are not followed.
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
    // Connects only to the address that was checked.
    autoSelectFamily: false,
    lookup: createLookup(url, guard),
  } satisfies RequestOptions & { autoSelectFamily: boolean };
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
  request.once('socket', (socket) => checkPeer(socket, url, guard.allowed));
  return request;
}

/** Checks the addresses of the name while connecting: a name that is resolved again could have another address. */
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

/** IPv4 first: only one address is tried, and many containers have no IPv6 route. */
async function resolveAll(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

/** Checks the peer before anything is sent: Node calls `lookup` for names only, not for IP addresses. */
function checkPeer(socket: Socket, url: URL, allowed: AddressAllowance): void {
  socket.prependOnceListener('connect', () => {
    const address = socket.remoteAddress;
    if (address !== undefined && mayConnect(url, address, allowed)) return;
    socket.destroy(new AddressRefusedError('private_address'));
  });
}
