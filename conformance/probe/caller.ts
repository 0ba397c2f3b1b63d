/** Sends requests and returns responses unchanged, without the client of the product. */
import { describeSystemCode } from '../../src/base/failures/system-code.ts';
import type { Operation } from '../../src/service/contract/operation.ts';
import { answerTooLarge, readBoundedBytes, sendRequest, type Fetch } from '../../src/base/http/http-answer.ts';
import { isBeyondJsonLimits, jsonLimits } from '../../src/base/json/json-limits.ts';
import { NotChecked } from './not-checked.ts';

export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly idempotencyKey?: string;
  /** Instead of the key's own header; null sends none. */
  readonly authorization?: string | null;
}

export interface Answer {
  /** Method and path template, for findings. */
  readonly about: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The parsed JSON body; undefined if it is empty or not JSON. */
  readonly body: unknown;
}

export interface CallerOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
  /** For files on another origin than the service. */
  readonly fetchFile: Fetch;
  /** Rejects when `signal` aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly requestSeconds: number;
  readonly signal?: AbortSignal | undefined;
}

export type Route = Pick<Operation, 'method' | 'path'>;

/** The service did not answer. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(about: string, reason: string) {
    super(`${about} got no answer: ${reason}`);
  }
}

/** The response is too large or nested too deeply to be read. */
export class UnusableAnswerError extends Error {
  override readonly name = 'UnusableAnswerError';

  constructor(about: string, what: string) {
    super(`${about} was answered ${what}`);
  }
}

/** After a 429 the request is retried this often, with waits of at most this long. */
const maxRetries = 5;
const maxWaitSeconds = 60;

export function createCaller(options: CallerOptions) {
  const base = options.baseUrl.replace(/\/$/, '');

  return {
    /**
     * Returns redirects as they are. Retries after a 429. Throws UnreachableError, UnusableAnswerError, and NotChecked
     * when 429 does not end.
     */
    async send({ method, path }: Route, call: Call = {}): Promise<Answer> {
      const about = `${method.toUpperCase()} ${path}`;
      const url = `${base}${fill(path, call.params ?? {})}${toQuery(call.query ?? {})}`;
      const request = () => toRequest(options, { method, url, call });
      return retryWhenRateLimited(options, about, () => exchange(options, about, { request, fetch: options.fetch }));
    },
    /** Fetches a file from any origin; sends the key to the service's own origin only. Throws as `send` does. */
    async follow(about: string, { href: url, origin }: URL): Promise<Answer> {
      const isService = origin === new URL(base).origin;
      const request = () => toRequest(options, { method: 'get', url, call: isService ? {} : { authorization: null } });
      const fetch = isService ? options.fetch : options.fetchFile;
      return retryWhenRateLimited(options, about, () => exchange(options, about, { request, fetch }));
    },
  };
}
export type Caller = ReturnType<typeof createCaller>;

async function retryWhenRateLimited(
  options: CallerOptions,
  about: string,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let waited = 0; waited <= maxRetries; waited += 1) {
    const answer = await attempt();
    if (answer.status !== 429) return answer;
    const seconds = parseRetryAfter(answer.headers.get('retry-after'), Date.now()) ?? 2 ** waited;
    if (seconds > maxWaitSeconds) throw new NotChecked(`${about} answers 429 with Retry-After ${seconds} s`);
    await options.wait(seconds * 1_000, options.signal);
  }
  throw new NotChecked(`${about} keeps answering 429`);
}

async function exchange(
  { requestSeconds, signal }: CallerOptions,
  about: string,
  { request, fetch }: { request: () => Request; fetch: CallerOptions['fetch'] },
): Promise<Answer> {
  const timeout = AbortSignal.timeout(requestSeconds * 1_000);
  try {
    const sent = new Request(request(), { signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]) });
    return await sendRequest(fetch, sent, async (response) => {
      const bytes = await readBoundedBytes(response);
      if (bytes === null) throw new UnusableAnswerError(about, answerTooLarge);
      const body = parse(bytes, about);
      return { about, url: sent.url, status: response.status, headers: response.headers, bytes, body };
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof UnusableAnswerError) throw error;
    throw new UnreachableError(
      about,
      timeout.aborted ? `none within ${requestSeconds} s` : describeSystemCode(errorCodeOf(error)),
    );
  }
}

function toRequest(
  { apiKey }: CallerOptions,
  { method, url, call }: { method: string; url: string; call: Call },
): Request {
  const headers = new Headers();
  const authorization = call.authorization === undefined ? `Bearer ${apiKey}` : call.authorization;
  if (authorization !== null) headers.set('authorization', authorization);
  if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey);
  const body = call.text ?? (call.body === undefined ? null : JSON.stringify(call.body));
  if (body !== null) headers.set('content-type', 'application/json');
  return new Request(url, { method: method.toUpperCase(), headers, body, redirect: 'manual' });
}

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function toQuery(query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function parse(bytes: Uint8Array, about: string): unknown {
  const text = new TextDecoder().decode(bytes);
  if (/^\s*[[{]/.test(text) && isBeyondJsonLimits(text)) throw new UnusableAnswerError(about, `with ${jsonLimits}`);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The system's error code. An error message could contain request data. */
function errorCodeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return 'connection failed';
}

/** For example `Sun, 06 Nov 1994 08:49:37 GMT`, the only format that a server may send (RFC 9110, 5.6.7). */
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Seconds of a Retry-After header; undefined if it is missing or invalid. `now`: milliseconds since 1970. It does not use
 * the parser of the product, so that a mistake in one of them shows as a difference.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number.parseInt(text, 10);
  const until = httpDate.test(text) ? new Date(text).getTime() : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return until <= now ? 0 : Math.ceil((until - now) / 1_000);
}
