/** Error responses of the service, with the bodies of the contract. */
import type { z } from 'zod';
import {
  describeViolation,
  errorCodes,
  type ErrorCode,
  type Scope,
  type Violation,
} from '../src/service/contract/index.ts';
import {
  faultSchema,
  forbiddenSchema,
  notFoundSchema,
  unauthorizedSchema,
  validationErrorSchema,
} from '../src/service/contract/errors.ts';

/** An error response. `service-app.ts` sends it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}) {
    super(`refused with status ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Schemas of error responses that every path can return. The responses of an operation take precedence. */
export const commonAnswers: Readonly<Record<number, z.ZodType>> = {
  401: unauthorizedSchema,
  403: forbiddenSchema,
  404: notFoundSchema,
  405: faultSchema,
  413: faultSchema,
  422: validationErrorSchema,
  500: faultSchema,
};

export function refuse(code: ErrorCode, message: string, facts: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal(errorCodes[code].status, { code, message, ...facts });
}

export function refuseKey(requestId: string): Refusal {
  const message = 'The API key is missing, invalid or expired.';
  return new Refusal(401, { error: 'UNAUTHORIZED', message, request_id: requestId });
}

export function refuseScopes(required: readonly Scope[], held: readonly string[]): Refusal {
  return refuse('AUTHORIZATION_ERROR', 'The API key lacks a required scope.', {
    required_scopes: required,
    user_scopes: held,
  });
}

/** A88 */
export function refuseMethod(allowed: readonly string[]): Refusal {
  const code = 'METHOD_NOT_ALLOWED';
  const allow = allowed.join(', ');
  const message = `This path has the methods ${allow} only.`;
  return new Refusal(errorCodes[code].status, { code, message }, { allow });
}

type NotFoundCode = Extract<ErrorCode, `${string}_NOT_FOUND`>;

/** Unknown ids and ids of another organisation get the same response ("Authentication", 7). */
export function refuseUnknown(code: NotFoundCode, identifier: string): Refusal {
  const resource = code.replace(/_NOT_FOUND$/, '').toLowerCase();
  return refuse(code, `No such ${resource.replaceAll('_', ' ')}.`, {
    resource_type: resource,
    identifier,
    ...(code === 'BLACKLIST_NOT_FOUND' ? { blacklist_id: identifier } : {}),
  });
}

type Part = 'path' | 'query' | 'header' | 'body';

const maxListedViolations = 100;

export function refuseViolations(part: Part, found: readonly Violation[]): Refusal {
  return new Refusal(422, {
    detail: found.slice(0, maxListedViolations).map((violation) => ({
      loc: [part, ...violation.path],
      msg: describeViolation(violation),
      type: violation.code,
    })),
  });
}

export function refuseInput(part: Part, field: string | null, message: string, type: string): Refusal {
  return new Refusal(422, { detail: [{ loc: field === null ? [part] : [part, field], msg: message, type }] });
}
