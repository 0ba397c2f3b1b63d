/** The one seam to openapi-fetch: time-outs, errors and the contract check of what comes back. */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { z } from 'zod';
import { describeViolation, violations, type Paths } from '../contract/index.ts';
import { ProspectingError } from './error.ts';

export interface ProspectingSettings {
  readonly baseUrl: string;
  /** Read at every call, so that the key itself is nowhere kept. */
  readonly apiKey: () => string;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly timeoutMs?: number;
}

/** A call's own means: it is cancelled by `signal`, whatever the time-out says. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What a failure names: the method and the path of the call. */
interface CallSite {
  readonly method: string;
  readonly path: string;
}

export type Api = Client<Paths>;

/** openapi-fetch over the contract; a status outside 2xx is thrown as ProspectingError. */
export function createApi({ baseUrl, apiKey, fetch = globalThis.fetch, timeoutMs = 30_000 }: ProspectingSettings): Api {
  const api = createClient<Paths>({
    baseUrl,
    fetch: (request) => fetchInTime(fetch, request, timeoutMs),
  });
  const authorize: Middleware = {
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${apiKey()}`);
    },
    async onResponse({ request, response }) {
      if (!response.ok) throw await toHttpError(request, response);
    },
  };
  api.use(authorize);
  return api;
}

/** Checks a request before it is sent: the error names field, limit and size of every broken rule (ten at most). */
export function assertRequest(call: CallSite, schema: z.core.$ZodType, body: unknown): void {
  const broken = violations(schema, body);
  if (broken.length === 0) return;
  const more = broken.length > 10 ? `; and ${broken.length - 10} more` : '';
  const detail = broken.slice(0, 10).map(describeViolation).join('; ') + more;
  throw new ProspectingError({ kind: 'request', ...call, detail });
}

/** What an answer says by the contract; unknown fields stay, a broken rule is an error that names the field. */
export async function read<S extends z.ZodType>(
  schema: S,
  call: Promise<{ data?: unknown; response: Response }>,
  request: CallSite,
): Promise<z.output<S>> {
  const { data, response } = await answered(call, request);
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const detail = violations(schema, data).slice(0, 5).map(describeViolation).join('; ');
  throw new ProspectingError({ kind: 'contract', ...request, status: response.status, detail });
}

/** For answers without a body. */
export async function done(call: Promise<{ response: Response }>, request: CallSite): Promise<void> {
  await answered(call, request);
}

async function answered<A extends { response: Response }>(call: Promise<A>, request: CallSite): Promise<A> {
  try {
    return await call;
  } catch (error) {
    // openapi-fetch lets the parser's own error through when a 2xx body is cut short or is not JSON.
    if (error instanceof SyntaxError || (error instanceof TypeError && error.message === 'terminated')) {
      throw new ProspectingError({ kind: 'unreadable', ...request, status: 200, cause: error });
    }
    throw error;
  }
}

/** Fails as a connection error, a time-out or a cancellation; idempotent requests are sent once more on a lost connection. */
async function fetchInTime(
  fetch: NonNullable<ProspectingSettings['fetch']>,
  request: Request,
  timeoutMs: number,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const facts = { method: request.method, path: new URL(request.url).pathname };
  const attempt = (sent: Request) => fetch(new Request(sent, { signal: AbortSignal.any([request.signal, timeout]) }));
  const spare = isIdempotent(request) ? request.clone() : null;
  const failed = (cause: unknown) => {
    if (request.signal.aborted) return new ProspectingError({ kind: 'cancelled', ...facts, cause });
    if (timeout.aborted) return new ProspectingError({ kind: 'timeout', ...facts, detail: `${timeoutMs} ms`, cause });
    return new ProspectingError({ kind: 'connection', ...facts, detail: connectionCode(cause), cause });
  };
  try {
    return await attempt(request);
  } catch (error) {
    if (spare === null || request.signal.aborted || timeout.aborted) throw failed(error);
    return attempt(spare).catch((second: unknown) => {
      throw failed(second);
    });
  }
}

function isIdempotent(request: Request): boolean {
  return request.method === 'GET' || request.method === 'PUT' || request.headers.has('idempotency-key');
}

const errorBodySchema = z.looseObject({
  code: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
  required_scopes: z.array(z.string()).optional().catch(undefined),
  user_scopes: z.array(z.string()).optional().catch(undefined),
  detail: z
    .array(z.looseObject({ loc: z.array(z.union([z.string(), z.number()])), type: z.string() }))
    .optional()
    .catch(undefined),
});

async function toHttpError(request: Request, response: Response): Promise<ProspectingError> {
  const body = errorBodySchema.safeParse(await response.json().catch(() => null));
  const facts = body.success ? body.data : {};
  return new ProspectingError({
    kind: 'http',
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    code: facts.code ?? facts.error,
    requestId: facts.request_id,
    requiredScopes: facts.required_scopes,
    heldScopes: facts.user_scopes,
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
    // Only where the service objects, never what it says: its text may repeat the value.
    detail: facts.detail?.map(({ loc, type }) => `${loc.join('.')} (${type})`).join('; '),
  });
}

/** Retry-After as seconds or as an HTTP date (RFC 9110, 10.2.3); what is malformed is ignored. */
export function retryAfterSeconds(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}

const causeSchema = z.looseObject({ cause: z.looseObject({ code: z.string() }) });

function connectionCode(error: unknown): string {
  const cause = causeSchema.safeParse(error);
  return cause.success ? cause.data.cause.code : 'connection lost';
}
