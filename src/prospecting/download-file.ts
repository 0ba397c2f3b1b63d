/** Files of the service: the one call whose answer is no JSON and comes from another host, as a stream. */
import { fileAddress } from '../http/file-address.ts';
import { AddressRefusedError } from '../http/guarded-request.ts';
import { createPublicFetch } from '../http/public-fetch.ts';
import { ProspectingError } from './prospecting-error.ts';
import { toHttpError } from './read-error-answer.ts';
import { createStreamTimeouts, type StreamTimeouts } from './stream-timeouts.ts';
import type { CallOptions, ProspectingSettings } from './service-transport.ts';
import { retryAfterSeconds } from '../http/retry-after.ts';
import { trimEndOf } from '../text/trim-end.ts';

export interface DownloadOptions extends CallOptions {
  /** A file beyond is refused, as soon as it is known to be; 2 GiB unless given. */
  readonly mostBytes?: number;
  /** All of it, an hour unless given. The client's time-out is for the answer, and for each wait between two chunks. */
  readonly longestMs?: number;
}

const mostRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

/**
 * The bytes behind a path of the service. Redirects are followed by hand: the API key goes to the service's own origin and
 * nowhere else. Ends in a ProspectingError when the file breaks off; no error holds an address that was redirected to.
 */
export async function* downloadFile(
  settings: ProspectingSettings,
  path: string,
  { signal, mostBytes = 2 * 1024 ** 3, longestMs = 3_600_000 }: DownloadOptions = {},
): AsyncGenerator<Uint8Array> {
  const call = { method: 'GET', path };
  const watch = createStreamTimeouts({
    ...call,
    timeoutMs: settings.timeoutMs ?? 30_000,
    longestMs,
    cancelled: signal,
  });
  const tooLarge = () =>
    new ProspectingError({ kind: 'contract', ...call, detail: `the file has more than ${mostBytes} bytes` });
  try {
    const response = await followRedirects(settings, path, watch);
    const length = lengthOf(response);
    if (length !== null && length > mostBytes) throw tooLarge();
    let bytes = 0;
    for await (const chunk of readChunks(response, watch)) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge();
      yield chunk;
    }
    if (length !== null && bytes !== length) {
      throw new ProspectingError({ kind: 'connection', ...call, detail: `${bytes} of ${length} bytes arrived` });
    }
  } finally {
    watch.close();
  }
}

async function* readChunks({ body }: Response, watch: StreamTimeouts): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await watch.race(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a source that hangs may hang here as well.
    void reader.cancel().catch(() => undefined);
  }
}

/** The answer at the end of all redirects, which is a file. */
async function followRedirects(
  { baseUrl, apiKey, fetch = globalThis.fetch, fetchFile = createPublicFetch() }: ProspectingSettings,
  path: string,
  watch: StreamTimeouts,
): Promise<Response> {
  const call = { method: 'GET', path };
  const service = new URL(`${trimEndOf(baseUrl, '/')}${path}`);
  let url = service;
  for (let followed = 0; ; followed += 1) {
    const request = new Request(url, { redirect: 'manual', signal: watch.signal });
    // Compressed, the length that is told would not be the file's.
    request.headers.set('accept-encoding', 'identity');
    const isService = url.origin === service.origin;
    if (isService) request.headers.set('authorization', `Bearer ${apiKey()}`);
    const response = await watch.race(() =>
      isService ? fetch(request) : fetchFile(request).catch((error: unknown) => refuseAddress(call, error)),
    );
    if (response.ok) return response;
    if (!redirects.includes(response.status)) {
      throw followed === 0
        ? await watch.race(() => toHttpError(request, response, { sent: null, secret: apiKey() }))
        : toFileError(call, response);
    }
    void response.body?.cancel().catch(() => undefined);
    if (followed === mostRedirects) {
      throw new ProspectingError({ kind: 'redirect', ...call, detail: `more than ${mostRedirects} times` });
    }
    const next = fileAddress(response.headers.get('location'), url, service);
    if (typeof next === 'string') throw new ProspectingError({ kind: 'redirect', ...call, detail: next });
    url = next;
  }
}

/** The name of the host is public, and what it resolves to is not. */
function refuseAddress(call: { method: string; path: string }, error: unknown): never {
  if (!(error instanceof AddressRefusedError) || error.reason !== 'private_address') throw error;
  const detail = 'to a name that resolves to an address of a private or reserved network';
  throw new ProspectingError({ kind: 'redirect', ...call, detail });
}

/** An address of a file ends soon (A43): asking the service for another one may help. */
function toFileError(call: { method: string; path: string }, { status, headers }: Response): ProspectingError {
  return new ProspectingError({
    kind: 'connection',
    ...call,
    detail: `the address of the file answered with status ${status}`,
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after'), Date.now()),
  });
}

/** null where it is not told, or counts compressed bytes. */
function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length') ?? '';
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  return isPlain && /^\d{1,15}$/.test(length) ? Number(length) : null;
}
