/** Requests are held against the contract's schemas; what breaks a rule is a 422 that names field, rule and size. */
import { z } from 'zod';
import { violations } from '../../src/contract/index.ts';
import { idempotencyKeySchema } from '../../src/contract/operation.ts';
import { type Refusal, refuseInput, refuseViolations } from '../refusal.ts';
import { readJson } from './request-body.ts';
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

/** Every value of a query is a whole number, written as such and once. */
function readQuery(url: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of new URL(url).searchParams) {
    if (Object.hasOwn(values, name)) throw refuseInput('query', name, `${name}: is given more than once`, 'repeated');
    values[name] = /^-?\d{1,15}$/.test(value) ? Number(value) : value;
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
