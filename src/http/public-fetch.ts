/** `fetch` for files on hosts that the other side names: it reaches public addresses only. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { openGuardedRequest, type AddressGuard } from './guarded-request.ts';
import { parseAllowance, checkPublicUrl } from './public-address.ts';
import { isIP } from 'node:net';

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
    // A switch of protocol (101) ends with this alone.
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

/** Stores of files may send what they keep compressed, although nobody asks for it. */
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
 * Where a redirect of a download leads, or, as a text, why it is not followed. Files may lie on the service's own origin and
 * on any public https host at its usual port: a file is no reason for a request into a private network. What a
 * name resolves to is checked when the connection is made (guarded-request.ts). The text holds nothing of the address, which
 * often is a key in itself.
 */
export function fileAddress(location: string | null, from: URL, service: URL): URL | string {
  const url = location === null ? null : URL.parse(location, from.href);
  if (url === null) return 'without an address';
  if (url.username !== '' || url.password !== '') return 'to an address that holds a user name or a password';
  if (url.origin === service.origin) return url;
  const refusal = checkPublicUrl(url.href, { allowed: nothing });
  if (refusal !== null) return `to an address that ${refusal.reason}`;
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'to an address that is an IP address';
  return url.port === '' ? url : 'to an address that names a port';
}
