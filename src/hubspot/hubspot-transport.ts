// The one way to HubSpot: every call is sent when the limits allow it, has a time-out, can be cancelled, and ends in an answer with a 2xx
// status or a HubSpotError.
// Nothing is retried here but an idempotent call whose connection broke, once; longer patience belongs to the workflow.
import { readBoundedText, yieldIfLarge } from '../http/bounded-body.ts';
import { isBeyondJsonLimits, parseJsonWithinLimits } from '../json/json-limits.ts';
import { isRedirect } from '../http/redirect-answer.ts';
import type { RateLimitSettings } from './rate-limits.ts';
import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import { createRequestQueue } from './request-queue.ts';
import type { RequestQueue, Timer } from './request-queue.ts';
import type { CallResult } from './rate-limiter.ts';
import { toRetryAfterSeconds } from './hubspot-retry-after.ts';
import { defaultVersions, familyOf, toVersionedPath } from './api-versions.ts';
import type { ApiVersions } from './api-versions.ts';
import { trimEndOf } from '../text/trim-end.ts';

/** Answers to a POST have at most 100 records, of a few hundred properties. */
const mostValuesOfBatch = 100_000;

export interface TransportOptions {
  /** `https://api.hubapi.com`, or where a stand-in listens. */
  readonly baseUrl: string;
  /** Service key or access token, sent as a bearer token. */
  readonly token: string;
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** From the sending of a call to the end of its answer's body; waiting before it does not count. 30 unless given. */
  readonly timeoutSeconds?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  readonly timer?: Timer | undefined;
  /** Legacy unless given. */
  readonly versions?: Partial<ApiVersions> | undefined;
  readonly budget?: Partial<RateLimitSettings> | undefined;
}

export interface HttpCall {
  readonly method: string;
  /** Legacy, as the SDK builds it, with its query. */
  readonly path: string;
  readonly body?: string | undefined;
  /** Whether sending it twice leaves the portal as sending it once does. */
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** As it was sent. */
  readonly path: string;
  /** Sent a second time, since the first connection broke: that one may have been carried out. */
  readonly isResent: boolean;
}

export interface Transport {
  send(call: HttpCall): Promise<HttpAnswer>;
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
  const gate = createRequestQueue({ budget, clock, timer });

  async function send(call: HttpCall): Promise<HttpAnswer> {
    const path = toVersionedPath(call.path, { ...defaultVersions, ...versions });
    const sent = { ...call, path, family: familyOf(call.path) };
    const passOnce = () => gate.pass(sent, () => sendOnce(sent));
    let isResent = false;
    const { text, reply, facts } = await passOnce().catch((error: unknown) => {
      if (!call.idempotent || !(error instanceof HubSpotError) || error.kind !== 'connection') throw error;
      isResent = true;
      return passOnce();
    });
    if (facts === undefined) return { status: reply.status, text, path, isResent };
    throw new HubSpotError({ ...facts, ...sent, ...reply, kind: 'http' });
  }

  async function sendOnce(call: HttpCall): Promise<Outcome> {
    const { status, headers, text } = await withDeadline(call, timeoutSeconds, async (signal) => {
      const response = await fetch(toRequest(call, signal));
      return { status: response.status, headers: response.headers, text: await readAnswer(call, response) };
    });
    const isSuccess = status >= 200 && status <= 299;
    if (isSuccess && isBeyondJsonLimits(text, call.method === 'GET' ? undefined : mostValuesOfBatch)) {
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

  return { send, usage: gate.usage, limits: gate.limits, learnTimeZone: gate.learnTimeZone };
}

/** @throws HubSpotError, kind `answer`, for an answer that must not be read */
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

/** The time of day when the process began, and what has passed since: a wall clock that is set back would stop every call for as long. */
function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}

function startTimer(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** Ends when the time is over or the caller cancels, even if `run` pays no heed to its signal. */
async function withDeadline<T>(call: HttpCall, seconds: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (kind: 'timeout' | 'cancelled'): void => {
    reject(new HubSpotError({ ...call, kind }));
    controller.abort();
  };
  const cancel = (): void => stop('cancelled');
  if (call.signal?.aborted === true) throw new HubSpotError({ ...call, kind: 'cancelled' });
  call.signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => stop('timeout'), seconds * 1000);
  try {
    return await Promise.race([stopped, run(controller.signal)]);
  } catch (error) {
    if (error instanceof HubSpotError) throw error;
    throw new HubSpotError({ ...call, kind: 'connection', code: toSystemCode(error) });
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', cancel);
  }
}

/** `fetch failed` keeps the system's code (ECONNRESET, ENOTFOUND, UND_ERR_SOCKET) in its cause. */
function toSystemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? toSystemCode(error.cause) : undefined;
}
