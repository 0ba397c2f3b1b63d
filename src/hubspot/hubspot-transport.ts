// Sends every call to HubSpot: it waits for the rate limits, has a timeout, can be cancelled, and ends in a 2xx answer or a HubSpotError.
// The only retry here is one of an idempotent call whose connection broke; Temporal does the others.
import {
  sendRequest,
  readBoundedText,
  yieldIfLarge,
  isRedirect,
  retryAfterSeconds,
  type Fetch,
} from '../base/http/http-answer.ts';
import { rejectOnAbort } from '../base/host/reject-on-abort.ts';
import { isBeyondJsonLimits, parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { readIntervalSeconds, searchSeconds } from './account-limits.ts';
import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import { createRequestQueue, type RequestQueue, type Timer } from './request-queue.ts';
import type { CallResult, RateLimitSettings } from './rate-limiter.ts';
import { defaultVersions, familyOf, toVersionedPath, type ApiVersions } from './hubspot-api-versions.ts';
import { trimEndOf } from '../base/text/normalize-text.ts';
import { systemCodeOf } from '../base/failures/system-code.ts';

/** An answer to a batch of objects has up to 100 records of a few hundred properties. */
const mostBatchValues = 100_000;

export interface TransportOptions {
  /** `https://api.hubapi.com`, or the address of a sandbox. */
  readonly baseUrl: string;
  /** Service key or access token, sent as a bearer token. */
  readonly token: string;
  readonly fetch?: Fetch | undefined;
  /** Timeout from sending a call to the end of the response body, without the time in the queue. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  readonly timer?: Timer | undefined;
  /** Default: legacy. */
  readonly versions?: Partial<ApiVersions> | undefined;
  readonly budget?: Partial<RateLimitSettings> | undefined;
}

export interface HttpCall {
  readonly method: string;
  /** The legacy path with its query, as the SDK builds it. */
  readonly path: string;
  readonly body?: string | undefined;
  /** Sending it twice has the effect of sending it once. */
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The versioned path that was sent. */
  readonly path: string;
  /** Sent twice because the first connection broke; HubSpot may have executed both. */
  readonly isResent: boolean;
}

export interface Transport {
  send(call: HttpCall): Promise<HttpAnswer>;
}

/** `path`: the versioned path. */
interface SentCall extends HttpCall {
  readonly family: ReturnType<typeof familyOf>;
}

interface Outcome {
  readonly text: string;
  readonly reply: CallResult;
  readonly facts: ReturnType<typeof toErrorFacts> | undefined;
}

export function createTransport({
  baseUrl,
  token,
  fetch = globalThis.fetch,
  timeoutSeconds = 30,
  clock = monotonicNow,
  timer = startTimer,
  versions,
  budget,
}: TransportOptions): Transport & Pick<RequestQueue, 'usage' | 'limits' | 'learnTimeZone'> {
  const origin = trimEndOf(baseUrl, '/');
  const queue = createRequestQueue({ budget, clock, timer });

  async function send(call: HttpCall): Promise<HttpAnswer> {
    const path = toVersionedPath(call.path, { ...defaultVersions, ...versions });
    const sent = { ...call, path, family: familyOf(call.path) };
    const sendQueued = () => queue.run(sent, () => sendOnce(sent));
    let isResent = false;
    const { text, reply, facts } = await sendQueued().catch((error: unknown) => {
      if (!call.idempotent || !(error instanceof HubSpotError) || error.kind !== 'connection') throw error;
      isResent = true;
      return sendQueued();
    });
    if (facts === undefined) return { status: reply.status, text, path, isResent };
    throw new HubSpotError({ ...facts, ...sent, ...reply, kind: 'http' });
  }

  async function sendOnce(call: SentCall): Promise<Outcome> {
    const { status, headers, text } = await withTimeout(call, timeoutSeconds, (signal) =>
      sendRequest(fetch, toRequest(call, signal), async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await readAnswer(call, response),
      })),
    );
    const isSuccess = status >= 200 && status <= 299;
    if (isSuccess && isBeyondJsonLimits(text, isObjectBatch(call) ? mostBatchValues : undefined)) {
      throw new HubSpotError({ ...call, kind: 'answer', status, code: 'ANSWER_BEYOND_LIMITS' });
    }
    await yieldIfLarge(text.length);
    const facts = isSuccess ? undefined : toErrorFacts(parseJsonWithinLimits(text));
    const policyName = facts?.policyName;
    const retryAfterSeconds =
      facts === undefined ? undefined : toRetryAfterSeconds({ status, headers, policyName, now: clock() });
    return { text, reply: { status, headers, policyName, retryAfterSeconds }, facts };
  }

  function toRequest({ method, path, body }: HttpCall, signal: AbortSignal): Request {
    return new Request(`${origin}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': 'prospect-sync',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal,
    });
  }

  return { send, usage: queue.usage, limits: queue.limits, learnTimeZone: queue.learnTimeZone };
}

/** Answers about associations have the general limit, because their batches have ten times as many inputs. */
function isObjectBatch({ method, family }: SentCall): boolean {
  return method !== 'GET' && family !== 'associations';
}

/** @throws HubSpotError, kind `answer`, for a redirect or an answer over the size limit */
async function readAnswer(call: HttpCall, response: Response): Promise<string> {
  const facts = { ...call, kind: 'answer', status: response.status } as const;
  if (isRedirect(response)) {
    void response.body?.cancel().catch(() => undefined);
    throw new HubSpotError({ ...facts, code: 'ANSWER_REDIRECTED' });
  }
  const text = await readBoundedText(response);
  if (text === null) throw new HubSpotError({ ...facts, code: 'ANSWER_TOO_LARGE' });
  return text;
}

/** Time since the epoch that never goes back: setting back the system clock would otherwise stop all calls for as long. */
function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}

function startTimer(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** Ends on timeout or cancellation, even if `run` ignores its signal. */
async function withTimeout<T>(call: HttpCall, seconds: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timeoutMs = seconds * 1_000;
  const stop = (kind: 'timeout' | 'cancelled'): void =>
    controller.abort(new HubSpotError({ ...call, kind, timeoutMs }));
  const cancel = (): void => stop('cancelled');
  if (call.signal?.aborted === true) throw new HubSpotError({ ...call, kind: 'cancelled' });
  call.signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => stop('timeout'), timeoutMs);
  try {
    return await rejectOnAbort(run(controller.signal), controller.signal);
  } catch (error) {
    if (error instanceof HubSpotError) throw error;
    throw new HubSpotError({ ...call, kind: 'connection', code: codeOfConnection(error) });
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', cancel);
  }
}

/** The error `fetch failed` has the system's code (ECONNRESET, ENOTFOUND, UND_ERR_SOCKET) in its cause. */
function codeOfConnection(error: unknown): string | undefined {
  const code = systemCodeOf(error);
  if (code !== null) return code;
  return typeof error === 'object' && error !== null && 'cause' in error ? codeOfConnection(error.cause) : undefined;
}

export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly policyName: string | undefined;
  /** Milliseconds since the epoch, to read a Retry-After that is a date. */
  readonly now: number;
}

/** HubSpot asks for 2 seconds at least after 423 Locked, and sends no header with it. */
const LOCKED_SECONDS = 2;

/** Seconds to wait before the same call may pass; undefined where HubSpot does not say (a DAILY limit lasts until midnight of the portal). */
export function toRetryAfterSeconds(refusal: Refusal): number | undefined {
  const stated = retryAfterSeconds(refusal.headers.get('retry-after'), refusal.now);
  if (refusal.status === 423) return Math.max(stated ?? 0, LOCKED_SECONDS);
  if (stated !== undefined) return stated;
  if (refusal.status !== 429) return undefined;
  if (refusal.policyName === 'TEN_SECONDLY_ROLLING') return readIntervalSeconds(refusal.headers);
  if (refusal.policyName === 'SECONDLY') return searchSeconds;
  return undefined;
}
