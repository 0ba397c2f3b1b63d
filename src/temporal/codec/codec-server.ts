/**
 * The codec server, by which Temporal's UI and CLI read encrypted payloads: `POST /encode` and `/decode` of `{payloads: […]}` in
 * protobuf's JSON. It neither logs nor stores payloads.
 */
import type { Payload, PayloadCodec } from '@temporalio/common';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { isSameSecret } from '../../base/same-secret.ts';
import { findRefusal, type AllowedSources } from '../../base/http/foreign-requests.ts';
import { CodecError } from './encryption-codec.ts';
import type { Fetch } from '../../base/http/http-answer.ts';

export interface CodecServerOptions {
  readonly codec: PayloadCodec;
  /** Origins of allowed web pages, for example `http://127.0.0.1:8233`. Empty: only programs are allowed. */
  readonly origins: readonly string[];
  /** Required in `Authorization: Bearer …`, or in the path before `/decode`, because the UI sends no custom headers. */
  readonly token: string;
  /** The server listens on this machine only. Default: true. */
  readonly isLocalOnly?: boolean;
}

/** A page of a history has at most 4 MB, and a third more in base64. */
const largestBody = 16 * 1024 * 1024;
const preflightSeconds = 600;
/** The UI sends Authorization-Extras when it forwards the user's login. */
const allowedHeaders = 'Content-Type, X-Namespace, Authorization, Authorization-Extras';

export function createCodecServer({ codec, origins, token, isLocalOnly = true }: CodecServerOptions): {
  readonly fetch: Fetch;
} {
  const app = new Hono();
  app.use('*', allowOrigins({ isLocalOnly, origins }));
  app.use('*', requireToken(token));
  app.use(
    '*',
    bodyLimit({ maxSize: largestBody, onError: (context) => refuse(context, 413, 'the body is too large') }),
  );
  for (const prefix of ['', '/:token']) {
    app.post(`${prefix}/encode`, (context) => convert(context, (payloads) => codec.encode(payloads)));
    app.post(`${prefix}/decode`, (context) => convert(context, (payloads) => codec.decode(payloads)));
  }
  app.notFound((context) => refuse(context, 404, 'unknown path. Use POST /encode or POST /decode'));
  app.onError((_, context) => refuse(context, 500, 'unexpected error'));
  return { fetch: async (request) => app.fetch(request) };
}

/** Refuses requests of other pages: CORS alone would execute them and only hide the answer. */
function allowOrigins(allowed: AllowedSources): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin');
    context.header('Vary', 'Origin');
    const refusal = findRefusal({ host: context.req.header('host'), origin }, allowed);
    if (refusal !== null) return refuse(context, 403, `${refusal} Allow a page with --cors-origin.`);
    if (origin === undefined) return next();
    context.header('Access-Control-Allow-Origin', origin);
    if (context.req.method !== 'OPTIONS') return next();
    context.header('Access-Control-Allow-Methods', 'POST, OPTIONS');
    context.header('Access-Control-Allow-Headers', allowedHeaders);
    // The UI can be configured to send cookies, which a proxy may require.
    context.header('Access-Control-Allow-Credentials', 'true');
    context.header('Access-Control-Max-Age', String(preflightSeconds));
    return context.body(null, 204);
  };
}

function requireToken(token: string): MiddlewareHandler {
  return async (context, next) => {
    const [, inHeader] = /^Bearer (.*)$/.exec(context.req.header('authorization') ?? '') ?? [];
    const [, inPath = ''] = context.req.path.split('/');
    if (isSameSecret(inHeader ?? inPath, token)) return next();
    return refuse(
      context,
      401,
      'missing or invalid token. Send Authorization: Bearer TOKEN, or use the path /TOKEN/decode',
    );
  };
}

async function convert(context: Context, change: (payloads: Payload[]) => Promise<Payload[]>): Promise<Response> {
  const body = bodySchema.safeParse(await context.req.json().catch(() => null));
  if (!body.success)
    return refuse(
      context,
      400,
      'the body must be {"payloads": [{"metadata": {…}, "data": "…"}]}, all values in base64',
    );
  try {
    const payloads = await change(body.data.payloads);
    return context.json({ payloads: payloads.map(toJson) });
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return refuse(context, 400, error.message);
  }
}

const bytes = z.base64().transform((text): Uint8Array => Buffer.from(text, 'base64'));
const payloadSchema = z.object({
  metadata: z.record(z.string(), bytes).default({}),
  data: bytes.default(new Uint8Array()),
});
const bodySchema = z.object({ payloads: z.array(payloadSchema) });

function toJson({ metadata, data }: Payload) {
  const fields = Object.entries(metadata ?? {}).map(([name, value]) => [name, toBase64(value)] as const);
  return { metadata: Object.fromEntries(fields), data: toBase64(data ?? new Uint8Array()) };
}

function toBase64(value: Uint8Array): string {
  return Buffer.from(value).toString('base64');
}

function refuse(context: Context, status: 400 | 401 | 403 | 404 | 413 | 500, error: string): Response {
  return context.json({ error }, status);
}
