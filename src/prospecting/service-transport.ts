/** Calls the service through openapi-fetch: timeouts, errors, and the contract check of answers. */
import { setImmediate } from 'node:timers/promises';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { z } from 'zod';
import { describeViolation, violations, type operations } from '../contract/index.ts';
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
} from '../http/http-answer.ts';
import { rejectOnAbort } from '../host/reject-on-abort.ts';
import { isBeyondJsonLimits, jsonLimits, parseJsonWithinLimits } from '../json/json-limits.ts';
import { ProspectingError } from './prospecting-error.ts';
import { isProblem, type Problem } from '../response-shape/read-answers.ts';
import type { RecordedAnswer } from '../response-shape/answer-recorder.ts';
import { toStorable, type Storable } from '../text/storable.ts';
import { readError } from '../response-shape/read-error.ts';

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

/** Checks a request before it is sent. The error names field, limit and size of up to ten broken rules. */
export function assertRequest(call: CallSite, schema: z.core.$ZodType, body: unknown): void {
  const broken = violations(schema, body);
  if (broken.length === 0) return;
  const more = broken.length > 10 ? [`and ${broken.length - 10} more`] : [];
  const detail = [...broken.slice(0, 10).map(describeViolation), ...more].join('; ');
  throw new ProspectingError({ kind: 'request', ...call, detail });
}

/** Reads an answer by the contract and keeps unknown fields. @throws ProspectingError that names the field of a broken rule */
export async function read<S extends z.ZodType>(
  schema: S,
  call: Promise<{ data?: unknown; response: Response }>,
  request: CallSite,
): Promise<z.output<S>> {
  const { data, response } = await awaitAnswer(call, request);
  const { value } = storable(data, request);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const detail = violations(schema, value).slice(0, 5).map(describeViolation).join('; ');
  throw new ProspectingError({ kind: 'contract', ...request, status: response.status, detail });
}

/**
 * Reads an answer whose fields the specification does not define. `use` returns the problem of an unreadable answer; `replacedIn` gives
 * the number of replaced characters by record.
 */
export async function readUnspecified<T extends object>(
  use: (answer: unknown, replacedIn: Storable['replacedIn']) => T | Problem,
  call: Promise<{ data?: unknown; response: Response }>,
  request: CallSite,
): Promise<T> {
  const { data, response } = await awaitAnswer(call, request);
  const { value, replacedIn } = storable(data, request);
  const found = use(value, replacedIn);
  if (!isProblem(found)) return found;
  throw new ProspectingError({ kind: 'contract', ...request, status: response.status, detail: found.problem });
}

/** The JSON of an answer; characters that no database can store are replaced. */
function storable(data: unknown, request: CallSite): Storable {
  if (data === undefined) throw new ProspectingError({ kind: 'unreadable', ...request });
  const found = toStorable(data);
  if (found === null) throw new ProspectingError({ kind: 'contract', ...request, detail: 'it has too many levels' });
  return found;
}

export async function expectNoBody(call: Promise<{ response: Response }>, request: CallSite): Promise<void> {
  await awaitAnswer(call, request);
}

export async function awaitAnswer<A extends { data?: unknown; response: Response }>(
  call: Promise<A>,
  request: CallSite,
): Promise<A> {
  try {
    const answer = await call;
    // Each pass over a large answer takes long: other work runs between them.
    await setImmediate();
    awaitingBody.get(answer.response)?.(answer.data);
    await setImmediate();
    return answer;
  } catch (error) {
    // The parser's error for a body that is cut or not JSON. It quotes the body, so it is not passed on as cause.
    throw error instanceof SyntaxError ? new ProspectingError({ kind: 'unreadable', ...request }) : error;
  }
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
    if (timeout.aborted) return new ProspectingError({ kind: 'timeout', ...facts, detail: `${timeoutMs} ms`, cause });
    return new ProspectingError({ kind: 'connection', ...facts, detail: connectionCode(cause), cause });
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
  const response = await fetch(request);
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

/** The system's error code, for example ECONNRESET. */
export function connectionCode(error: unknown): string {
  const cause = causeSchema.safeParse(error);
  return cause.success ? cause.data.cause.code : 'connection lost';
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
