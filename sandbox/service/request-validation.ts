/** Validates requests by the schemas of the contract. An invalid request is a 422 that names field, rule and size. */
import { z } from 'zod';
import { violations } from '../../src/service/contract/index.ts';
import { idempotencyKeySchema } from '../../src/service/contract/operation.ts';
import { type Refusal, refuseInput, refuseViolations, refuse } from '../service-refusal.ts';
import type { Operation } from './operation-route.ts';

export type UnknownFields = 'refuse' | 'ignore';

export interface CheckedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The body as it was sent, before defaults. */
  readonly sent: unknown;
  readonly idempotencyKey: string | null;
}

const noQuery = z.strictObject({});

export async function checkRequest(
  operation: Operation,
  request: Request,
  { pathValues, unknownFields }: { pathValues: Record<string, string>; unknownFields: UnknownFields },
): Promise<CheckedRequest> {
  const queryValues = readQuery(request.url);
  const params = operation.params && checkPart('path', operation.params, pathValues);
  const query = checkPart('query', operation.query ?? noQuery, known(operation.query ?? noQuery, queryValues));
  const idempotencyKey = checkIdempotencyKey(operation, request.headers.get('Idempotency-Key'));
  if (operation.body === null) return { params, query, body: undefined, sent: undefined, idempotencyKey };
  const sent = await readJson(request);
  const body = checkPart('body', operation.body, known(operation.body, sent));
  return { params, query, body, sent, idempotencyKey };

  function known(schema: z.ZodType, value: unknown): unknown {
    return unknownFields === 'ignore' ? withoutUnknownFields(schema, value) : value;
  }
}

function checkPart(part: 'path' | 'query' | 'body', schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refuseViolations(part, violations(schema, value));
}

function checkIdempotencyKey({ idempotency }: Operation, key: string | null): string | null {
  if (idempotency === 'none') return null;
  const refuse = (message: string, type: string): Refusal => refuseInput('header', 'Idempotency-Key', message, type);
  if (key === null && idempotency === 'required') throw refuse('Idempotency-Key: is required', 'missing');
  const [broken] = key === null ? [] : violations(idempotencyKeySchema, key);
  if (broken) throw refuse(`Idempotency-Key: ${broken.rule}`, broken.code);
  return key;
}

/** All query parameters are whole numbers and may be given once. */
function readQuery(url: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of new URL(url).searchParams) {
    if (Object.hasOwn(values, name)) throw refuseInput('query', name, `${name}: is given more than once`, 'repeated');
    values[name] = /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return values;
}

function withoutUnknownFields(schema: z.ZodType, value: unknown): unknown {
  const { error } = schema.safeParse(value);
  const kept: unknown = structuredClone(value);
  for (const issue of error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') continue;
    const holder = issue.path.reduce<unknown>((at, key) => (isObject(at) ? Reflect.get(at, key) : at), kept);
    for (const key of issue.keys) if (isObject(holder)) Reflect.deleteProperty(holder, key);
  }
  return kept;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Enough for 10,000 entries of maximum length in any JSON spelling (A58). */
const maxBodyBytes = 400 * 1024 * 1024;

async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw refuseInput('header', 'Content-Type', 'Content-Type: must be application/json', 'content_type');
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw refuseInput('header', 'Content-Encoding', 'Content-Encoding: is not supported', 'content_encoding');
  }
  const text = decode(await readBytes(request));
  if (text.trim() === '') throw refuseInput('body', null, 'body: is required', 'missing');
  return parse(text);
}

async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Refusal {
  return refuse('REQUEST_TOO_LARGE', `The body has more than ${maxBodyBytes} bytes.`);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuseInput('body', null, 'body: is not valid UTF-8', 'encoding_invalid');
  }
}

function parse(text: string): unknown {
  // Only an escape can contain half of a surrogate pair, which cannot be stored as UTF-8.
  const mayBeHalf = /\\u[dD][89a-fA-F]/.test(text);
  try {
    return JSON.parse(text, mayBeHalf ? requireWellFormed : undefined);
  } catch (error) {
    const isHalf = error instanceof RangeError;
    const message = isHalf ? 'body: contains half a surrogate pair' : 'body: is not valid JSON';
    throw refuseInput('body', null, message, 'json_invalid');
  }
}

function requireWellFormed(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new RangeError(key);
  return value;
}
