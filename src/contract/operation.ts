import { z } from 'zod';
import { blacklistNotFoundSchema, conflictSchema, notFoundSchema, validationErrorSchema } from './errors.ts';
import type { AssumptionId } from './assumed.ts';
import { assumed, uuid } from './schema.ts';
import type { Scope } from './vocabulary.ts';

/** What a document and a typed client need of any HTTP operation. */
export interface HttpOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly params: z.ZodObject | null;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodType | null;
  /** Answers of its own, beside those that can come from every operation. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** `required` and `optional`: an Idempotency-Key header; `replay`: keyed by the server when the header is absent. */
  readonly idempotency: 'none' | 'required' | 'optional' | 'replay';
  /** What carries the decision when the specification leaves open whether there is such a header. */
  readonly keyAssumed?: AssumptionId;
}

/** One row of the operation table. 401, 403, 429 and 500 can come from every operation (`commonErrors` in openapi.ts). */
export interface Operation extends HttpOperation {
  readonly path: `/api/v1/${string}`;
  readonly scopes: readonly Scope[];
  /** What carries the decision when the specification leaves the operation open. */
  readonly assumed?: AssumptionId;
  /** Those that a request with blacklists needs, all of them ("Authentication", 4; A13). */
  readonly scopesWithBlacklists?: readonly Scope[];
}

/** A53 */
export const idempotencyKeySchema = assumed('A53', z.string().min(1).max(255));

/** What is no UUID breaks a rule of the request (A55). */
export const idInPath = () => assumed('A55', uuid());

export const orderId = z.object({ order_id: idInPath() });
export const searchId = z.object({ prospect_search_id: idInPath() });

/** Whole numbers; a server reads them off the text of a query. */
const offset = z.int().min(0).default(0).optional();
export function page(fallback: number, max: number, assumedLimit?: AssumptionId) {
  const limit = z.int().min(1).max(max).default(fallback).optional();
  return z.strictObject({ limit: assumedLimit === undefined ? limit : assumed(assumedLimit, limit), offset });
}

export const invalid = { 422: validationErrorSchema } as const;
export const noBlacklist = { 404: blacklistNotFoundSchema, ...invalid } as const;
export const missing = { 404: notFoundSchema, ...invalid } as const;
/** Rule 4 of "Blacklists" holds for blacklist ids in a body too, beside another unknown id. */
export const missingOrNoBlacklist = { 404: z.union([blacklistNotFoundSchema, notFoundSchema]), ...invalid } as const;
export const keyed = { 409: conflictSchema, ...missing } as const;
