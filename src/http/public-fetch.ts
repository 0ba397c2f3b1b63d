/** `fetch` for files on hosts that the other side names: it reaches public addresses only. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { openGuardedRequest, type AddressGuard } from './guarded-request.ts';
import { parseAllowance } from './public-address.ts';

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
