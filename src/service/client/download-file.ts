/** Downloads files of the service as a stream, also from other hosts. */
import { operations } from '../contract/index.ts';
import { rejectOnAbort } from '../../base/host/reject-on-abort.ts';
import { fileAddress, createPublicFetch, AddressRefusedError } from '../../base/http/public-fetch.ts';
import { ProspectingError } from './prospecting-error.ts';
import {
  toHttpError,
  type CallOptions,
  type ProspectingSettings,
  describeLostConnection,
} from './service-transport.ts';
import { sendRequest, retryAfterSeconds, redirectStatuses } from '../../base/http/http-answer.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';

export interface DownloadOptions extends CallOptions {
  /** Larger files are refused. Default: 2 GiB. */
  readonly mostBytes?: number;
  /** Limit of the whole download. Default: one hour. The client's timeout applies to the answer and to each chunk. */
  readonly longestMs?: number;
}

const mostRedirects = 5;

/**
 * The bytes of a file. The API key is sent to the service's own origin only, also after redirects.
 * @throws ProspectingError, also for an incomplete file; it never contains the address of a redirect
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
    // Not awaited: a stalled source may never settle.
    void reader.cancel().catch(() => undefined);
  }
}

/** The answer after all redirects. */
async function followRedirects(
  {
    baseUrl,
    apiKey,
    fetch = globalThis.fetch,
    fetchFile = createPublicFetch(),
    onAnswer = () => {},
  }: ProspectingSettings,
  path: string,
  watch: StreamTimeouts,
): Promise<Response> {
  const call = { method: 'GET', path };
  const service = new URL(`${trimEndOf(baseUrl, '/')}${path}`);
  let url = service;
  for (let followed = 0; ; followed += 1) {
    const request = new Request(url, { redirect: 'manual', signal: watch.signal });
    // The content length of a compressed answer is not that of the file.
    request.headers.set('accept-encoding', 'identity');
    const isService = url.origin === service.origin;
    if (isService) request.headers.set('authorization', `Bearer ${apiKey()}`);
    const response = await watch.race(() => {
      const answer = sendRequest(isService ? fetch : fetchFile, request, async (received) => received);
      return isService ? answer : answer.catch((error: unknown) => refuseAddress(call, error));
    });
    if (response.ok) return response;
    if (!redirectStatuses.includes(response.status)) {
      if (followed > 0) throw toFileError(call, response);
      const error = await watch.race(() => toHttpError(request, response, { sent: null, secret: apiKey() }));
      onAnswer({ method: 'GET', path: operations.downloadExport.path, response, body: error.answer });
      throw error;
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

/** A public host name may resolve to a private address. */
function refuseAddress(call: { method: string; path: string }, error: unknown): never {
  if (!(error instanceof AddressRefusedError) || error.reason !== 'private_address') throw error;
  const detail = 'to a name that resolves to an address of a private or reserved network';
  throw new ProspectingError({ kind: 'redirect', ...call, detail });
}

/** Retryable: the address of a file expires (A43), and the service may give another one. */
function toFileError(call: { method: string; path: string }, { status, headers }: Response): ProspectingError {
  return new ProspectingError({
    kind: 'connection',
    ...call,
    detail: `the address of the file answered with status ${status}`,
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after'), Date.now()),
  });
}

/** null without a content length, or for that of a compressed answer. */
function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length') ?? '';
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  return isPlain && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

interface StreamTimeoutOptions {
  readonly method: string;
  readonly path: string;
  /** Limit of one step. */
  readonly timeoutMs: number;
  /** Limit of all steps together. */
  readonly longestMs: number;
  readonly cancelled: AbortSignal | undefined;
}

export interface StreamTimeouts {
  /** Pass it to `fetch`, so that connections are closed. */
  readonly signal: AbortSignal;
  /** Ends a step on timeout or cancellation, even if it ignores the signal. */
  readonly race: <T>(step: () => Promise<T>) => Promise<T>;
  /** Must be called at the end; aborts what is still running. */
  readonly close: () => void;
}

/** Timeouts for each step of a stream and for all of them. A step ends with a ProspectingError on timeout and cancellation. */
function createStreamTimeouts({ method, path, timeoutMs, longestMs, cancelled }: StreamTimeoutOptions): StreamTimeouts {
  const call = { method, path };
  const controller = new AbortController();
  let ended: ProspectingError | null = null;
  const stop = (error: ProspectingError) => {
    ended ??= error;
    controller.abort(ended);
  };
  const onCancel = () => stop(new ProspectingError({ kind: 'cancelled', ...call, cause: cancelled?.reason }));
  const startTimer = (ms: number, detail: string) =>
    setTimeout(() => stop(new ProspectingError({ kind: 'timeout', ...call, detail })), ms);
  if (cancelled?.aborted === true) onCancel();
  cancelled?.addEventListener('abort', onCancel, { once: true });
  const whole = startTimer(longestMs, `${longestMs} ms`);

  return {
    signal: controller.signal,
    async race<T>(step: () => Promise<T>): Promise<T> {
      if (ended !== null) throw ended;
      const timer = startTimer(timeoutMs, `service.timeout is ${timeoutMs} ms`);
      try {
        return await rejectOnAbort(step(), controller.signal);
      } catch (cause) {
        if (cause instanceof ProspectingError) throw cause;
        throw (
          ended ?? new ProspectingError({ kind: 'connection', ...call, detail: describeLostConnection(cause), cause })
        );
      } finally {
        clearTimeout(timer);
      }
    },
    close(): void {
      clearTimeout(whole);
      cancelled?.removeEventListener('abort', onCancel);
      controller.abort();
    },
  };
}
