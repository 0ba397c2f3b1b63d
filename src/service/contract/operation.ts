import { z } from 'zod';
import { blacklistNotFoundSchema, conflictSchema, notFoundSchema, validationErrorSchema } from './errors.ts';
import type { AssumptionId } from './assumptions.ts';
import { assumed, uuid } from './schema.ts';
import type { Scope } from './enum-values.ts';

/** An HTTP operation, as far as an OpenAPI document and a typed client need it. */
export interface HttpOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly params: z.ZodObject | null;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodType | null;
  /** By status; errors that every operation can return are not listed. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** The Idempotency-Key header. `replay`: optional; without it the service derives a key. */
  readonly idempotency: 'none' | 'required' | 'optional' | 'replay';
  /** Set when the specification does not say whether the operation has this header. */
  readonly keyAssumed?: AssumptionId;
}

/** One row of the operation table. Every operation can also return 401, 403, 429 and 500 (`commonErrors` in tools/service-openapi.ts). */
export interface Operation extends HttpOperation {
  readonly path: `/api/v1/${string}`;
  readonly scopes: readonly Scope[];
  /** Set when the specification does not show the operation completely. */
  readonly assumed?: AssumptionId;
  /** All scopes of a request with blacklists ("Authentication", 4; A13). */
  readonly scopesWithBlacklists?: readonly Scope[];
}

/** Other characters cannot be sent in a header, or not at its ends (A53). */
export const idempotencyKeySchema = assumed(
  'A53',
  z
    .string()
    .min(1)
    .max(255)
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be printable ASCII'),
);

/** A path id that is not a UUID returns 422 (A55). */
export const idInPath = () => assumed('A55', uuid());

export const orderId = z.object({ order_id: idInPath() });
export const searchId = z.object({ prospect_search_id: idInPath() });

/** `z.int()` ends with 2^53 - 1 (A85). */
const offset = assumed('A85', z.int().min(0).default(0).optional());
export function page(fallback: number, max: number, assumedLimit?: AssumptionId) {
  const limit = z.int().min(1).max(max).default(fallback).optional();
  return z.strictObject({ limit: assumedLimit === undefined ? limit : assumed(assumedLimit, limit), offset });
}

export const invalid = { 422: validationErrorSchema } as const;
export const noBlacklist = { 404: blacklistNotFoundSchema, ...invalid } as const;
export const missing = { 404: notFoundSchema, ...invalid } as const;
/** Blacklist ids in a body follow rule 4 of "Blacklists" too. */
export const missingOrNoBlacklist = { 404: z.union([blacklistNotFoundSchema, notFoundSchema]), ...invalid } as const;
export const keyed = { 409: conflictSchema, ...missing } as const;

type Schema = z.ZodType | null;

type Input<S extends Schema> = S extends z.ZodType ? z.input<S> : undefined;

type Parameters<O extends HttpOperation> = {
  header: O['idempotency'] extends 'required'
    ? { 'Idempotency-Key': string }
    : O['idempotency'] extends 'none'
      ? { 'Idempotency-Key'?: never }
      : { 'Idempotency-Key'?: string };
} extends infer Header
  ? (O['idempotency'] extends 'required' ? Header : Partial<Header>) &
      (O['params'] extends z.ZodType ? { path: Input<O['params']> } : unknown) &
      (O['query'] extends z.ZodType ? { query?: Query<Input<O['query']>> } : unknown)
  : never;

/** The input of coerced query fields is `unknown`; they are numbers. */
type Query<Q> = { [K in keyof Q]: unknown extends Q[K] ? number : Q[K] };

type ResponseContent<S> = S extends z.ZodType
  ? { headers: Record<string, unknown>; content: { 'application/json': z.output<S> } }
  : { headers: Record<string, unknown>; content?: never };

type OpenApiOperation<O extends HttpOperation> = {
  parameters: Parameters<O>;
  responses: { [Status in keyof O['responses']]: ResponseContent<O['responses'][Status]> };
} & (O['body'] extends z.ZodType
  ? { requestBody: { content: { 'application/json': Input<O['body']> } } }
  : { requestBody?: never });

type At<O extends HttpOperation, P extends string> = Extract<O, { path: P }>;

/** The `paths` type of openapi-fetch for a table of operations: no generated code is needed. */
export type PathsOf<Table extends Record<string, HttpOperation>> = {
  [P in Table[keyof Table]['path']]: {
    [M in At<Table[keyof Table], P>['method']]: OpenApiOperation<Extract<At<Table[keyof Table], P>, { method: M }>>;
  };
};
