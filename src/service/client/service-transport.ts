/** Calls the service through openapi-fetch: timeouts, errors and size limits. */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { z } from 'zod';
import type { operations } from '../contract/index.ts';
import type { PathsOf } from '../contract/operation.ts';
import {
  answerTooLarge,
  readBoundedBlocks,
  yieldIfLarge,
  readBoundedText,
  describeRedirect,
  isRedirect,
  retryAfterSeconds,
  type Fetch,
  sendRequest,
} from '../../base/http/http-answer.ts';
import { rejectOnAbort } from '../../base/host/reject-on-abort.ts';
import { isBeyondJsonLimits, jsonLimits, parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { ProspectingError } from './prospecting-error.ts';
import type { RecordedAnswer } from '../reading/answer-recorder.ts';
import { readError } from '../reading/read-error.ts';
import { toStorable } from '../../base/text/storable.ts';
import { describeSystemCode } from '../../base/failures/system-code.ts';

export interface ProspectingSettings {
  readonly baseUrl: string;
  /** Read for every call, so that the key is not stored. */
  readonly apiKey: () => string;
  readonly fetch?: Fetch;
  /** For files of other origins. Default: reaches public addresses only. */
  readonly fetchFile?: Fetch;
  readonly timeoutMs?: number;
  /** Receives every answer with JSON or without a body; must not throw. */
  readonly onAnswer?: (answer: RecordedAnswer) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CallSite {
  readonly method: string;
  readonly path: string;
}

type Operations = typeof operations;

/** The paths of the contract. The body of an order depends on `service.requests` (order-requests.ts). */
type Paths = PathsOf<{
  [K in keyof Operations]: K extends 'createOrder'
    ? Omit<Operations[K], 'body'> & { readonly body: z.ZodRecord<z.ZodString, z.ZodUnknown> }
    : Operations[K];
}>;

export type Api = Client<Paths>;

/** openapi-fetch over the contract; a status outside 2xx is thrown as ProspectingError. */
export function createApi({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  timeoutMs = 30_000,
  onAnswer = () => {},
}: ProspectingSettings): Api {
  const fetchApi = (request: Request) => fetchWithTimeout(fetch, request, timeoutMs);
  const api = createClient<Paths>({ baseUrl, redirect: 'manual', fetch: fetchApi });
  const sent = new Map<string, Request>();
  const authorize: Middleware = {
    onRequest({ id, request }) {
      request.headers.set('authorization', `Bearer ${apiKey()}`);
      // An error answer may repeat values of the request, which are removed from the error.
      if (request.body !== null) sent.set(id, request.clone());
    },
    async onResponse({ id, request, response, schemaPath }) {
      const copy = sent.get(id);
      sent.delete(id);
      const answer = { method: request.method, path: schemaPath, response };
      if (!response.ok) {
        const body: unknown = await copy?.json().catch(() => null);
        const error = await toHttpError(request, response, { sent: body, secret: apiKey() });
        onAnswer({ ...answer, body: error.answer });
        throw error;
      }
      awaitingBody.set(response, (body) => onAnswer({ ...answer, body }));
      // An unread copy keeps the body in memory.
      void copy?.body?.cancel().catch(() => undefined);
    },
    onError({ id }) {
      sent.delete(id);
    },
  };
  api.use(authorize);
  return api;
}

/** What receives the body of an answer, which openapi-fetch decodes after all middleware. */
const awaitingBody = new WeakMap<Response, (body: unknown) => void>();

/** Gives the body of an answer to `onAnswer`. */
export function recordBody({ data, response }: { readonly data?: unknown; readonly response: Response }): void {
  awaitingBody.get(response)?.(data);
}

/**
 * Sends a request and reads its whole answer. Repeats an idempotent request once when the connection breaks.
 * @throws ProspectingError on a lost connection, timeout, cancellation, redirect, or an answer over the size limits
 */
async function fetchWithTimeout(
  fetch: NonNullable<ProspectingSettings['fetch']>,
  request: Request,
  timeoutMs: number,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  const facts = { method: request.method, path: new URL(request.url).pathname };
  const failed = (cause: unknown) => {
    if (cause instanceof ProspectingError) return cause;
    if (request.signal.aborted) return new ProspectingError({ kind: 'cancelled', ...facts, cause });
    const detail = `service.timeout is ${timeoutMs} ms`;
    if (timeout.aborted) return new ProspectingError({ kind: 'timeout', ...facts, detail, cause });
    return new ProspectingError({ kind: 'connection', ...facts, detail: describeLostConnection(cause), cause });
  };
  // Ends the call even if `fetch` or an endless body ignores the signal.
  const attempt = (sent: Request) => rejectOnAbort(fetchWhole(fetch, new Request(sent, { signal })), signal);
  const spare = isIdempotent(request) ? request.clone() : null;
  try {
    return await attempt(request).catch((error: unknown) => {
      if (spare === null || signal.aborted || error instanceof ProspectingError) throw error;
      return attempt(spare);
    });
  } catch (error) {
    throw failed(error);
  }
}

/** @throws ProspectingError for a redirect or an answer over the size limits */
async function fetchWhole(fetch: NonNullable<ProspectingSettings['fetch']>, request: Request): Promise<Response> {
  request.signal.throwIfAborted();
  return sendRequest(fetch, request, (response) => readWhole(request, response));
}

async function readWhole(request: Request, response: Response): Promise<Response> {
  const call = { method: request.method, path: new URL(request.url).pathname, status: response.status };
  if (isRedirect(response)) {
    void response.body?.cancel().catch(() => undefined);
    throw new ProspectingError({ kind: 'api_redirect', ...call, detail: describeRedirect(response, request.url) });
  }
  const body = await readBoundedBlocks(response);
  if (body === null) throw new ProspectingError({ kind: 'contract', ...call, detail: answerTooLarge });
  if (response.ok && isBeyondJsonLimits(body.blocks)) {
    throw new ProspectingError({ kind: 'contract', ...call, detail: `with ${jsonLimits}` });
  }
  await yieldIfLarge(body.size);
  const headers = new Headers(response.headers);
  // It counts compressed bytes.
  headers.delete('content-length');
  // As a stream of the blocks: a body of bytes would be copied twice.
  return new Response(body.size === 0 ? null : ReadableStream.from(body.blocks), { status: response.status, headers });
}

function isIdempotent(request: Request): boolean {
  return request.method === 'GET' || request.method === 'PUT' || request.headers.has('idempotency-key');
}

const causeSchema = z.looseObject({ cause: z.looseObject({ code: z.string() }) });

/** Why there is no answer, with the system's code. */
export function describeLostConnection(error: unknown): string {
  const cause = causeSchema.safeParse(error);
  return cause.success ? describeSystemCode(cause.data.cause.code) : 'connection lost';
}

/** The error of an answer outside 2xx. The values of `sent`, the request body, and `secret`, the API key, are removed from it. */
export async function toHttpError(
  request: Request,
  response: Response,
  hidden: { readonly sent: unknown; readonly secret: string },
): Promise<ProspectingError> {
  const call = { method: request.method, path: new URL(request.url).pathname, status: response.status };
  const text = await readBoundedText(response).catch(() => '');
  if (text === null) return new ProspectingError({ kind: 'contract', ...call, detail: answerTooLarge });
  const answer = toStorable(parseJsonWithinLimits(text))?.value ?? null;
  return new ProspectingError({
    kind: 'http',
    ...call,
    ...readError(answer, hidden),
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), Date.now()),
    answer,
    location: response.headers.get('location'),
  });
}
