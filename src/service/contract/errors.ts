import { z } from 'zod';
import { assumed, guessed, openEnum, record } from './schema.ts';
import { scopes } from './enum-values.ts';

/**
 * Error bodies differ by the specification: 401 has `error`, the others `code`; a missing scope lists required and held scopes.
 * Decide by status and code, never by the message.
 */
export const errorCodes = {
  UNAUTHORIZED: { status: 401 },
  AUTHORIZATION_ERROR: { status: 403 },
  API_KEY_ROUTE_FORBIDDEN: { status: 403 },
  BLACKLIST_NOT_FOUND: { status: 404 },
  ORDER_RESULTS_NOT_READY: { status: 409, assumed: 'A04' },
  ORDER_RESULTS_EMPTY: { status: 409 },
  OUTPUT_IDEMPOTENCY_CONFLICT: { status: 409 },
  OUTPUT_QUOTA_EXCEEDED: { status: 409 },
  IDEMPOTENCY_KEY_CONFLICT: { status: 409, assumed: 'A15' },
  IDEMPOTENCY_KEY_IN_USE: { status: 409, assumed: 'A16' },
  PROFILE_NOT_FOUND: { status: 404, assumed: 'A14' },
  PROFILE_CREATION_NOT_FOUND: { status: 404, assumed: 'A14' },
  PROSPECT_SEARCH_NOT_FOUND: { status: 404, assumed: 'A14' },
  ORDER_NOT_FOUND: { status: 404, assumed: 'A14' },
  OUTPUT_NOT_FOUND: { status: 404, assumed: 'A14' },
  EXPORT_JOB_NOT_FOUND: { status: 404, assumed: 'A14' },
  EXPORT_NOT_READY: { status: 409, assumed: 'A43' },
  COMPANY_NOT_FOUND: { status: 404, assumed: 'A14' },
  ROUTE_NOT_FOUND: { status: 404, assumed: 'A14' },
  METHOD_NOT_ALLOWED: { status: 405, assumed: 'A88' },
  REQUEST_TOO_LARGE: { status: 413, assumed: 'A58' },
  RATE_LIMITED: { status: 429, assumed: 'A20' },
  INTERNAL_ERROR: { status: 500, assumed: 'A20' },
} as const;
export type ErrorCode = keyof typeof errorCodes;

const code = () => openEnum(Object.keys(errorCodes));

export const unauthorizedSchema = record({ error: z.string(), message: z.string(), request_id: z.string() });

export const forbiddenSchema = record({
  code: code(),
  message: z.string(),
  required_scopes: z.array(openEnum(scopes)).optional(),
  user_scopes: z.array(z.string()).optional(),
});

export const blacklistNotFoundSchema = record({
  code: code(),
  message: z.string(),
  resource_type: z.string(),
  identifier: z.string(),
  blacklist_id: z.string(),
});

export const notFoundSchema = assumed(
  'A14',
  record({ code: code(), message: z.string(), resource_type: z.string(), identifier: z.string() }),
);

/** The specification shows only the code of a 409. */
export const conflictSchema = record({
  code: code(),
  message: guessed('A15', z.string()),
  order_id: z.string().optional(),
});

/** A05 */
export const validationErrorSchema = assumed(
  'A05',
  record({
    detail: z.array(record({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() })),
  }),
);

export const faultSchema = assumed('A20', record({ code: code(), message: z.string() }));
