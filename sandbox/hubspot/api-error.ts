import type { ErrorDetail as SdkErrorDetail } from '@hubspot/api-client/lib/codegen/crm/companies/models/ErrorDetail.js';
import type { ModelError } from '@hubspot/api-client/lib/codegen/crm/companies/models/ModelError.js';
import type { StandardError } from '@hubspot/api-client/lib/codegen/crm/companies/models/StandardError.js';
import type { JsonOf } from './json-model.ts';

export type ErrorDetail = JsonOf<SdkErrorDetail>;

/** Body of a refused request; `status` and `correlationId`, which every error has, are added later. */
export type ErrorBody = Omit<JsonOf<ModelError>, 'correlationId' | 'category'> & {
  category?: string;
  /** Set only in errors of the sandbox itself; HubSpot sends no code here. */
  code?: string;
};

/** An item of `errors` in a 207. HubSpot's own lacks `errors` and `links`, although its model requires them. */
export type BatchError = Omit<JsonOf<StandardError>, 'errors' | 'links' | 'subCategory'> & { subCategory?: string };

/** An error answer in HubSpot's form. */
export class ApiError extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(`status ${status} (${body.category ?? 'no category'})`);
    this.status = status;
    this.body = body;
  }
}

export function validationError(message: string, errors?: ErrorDetail[]): ApiError {
  return new ApiError(400, { message, ...(errors && { errors }), category: 'VALIDATION_ERROR' });
}

export function notFound(message: string, context?: Record<string, string[]>): ApiError {
  return new ApiError(404, { message, ...(context && { context }), category: 'OBJECT_NOT_FOUND' });
}

export function recordNotFound(id: string): ApiError {
  return notFound('Object not found.  objectId are usually numeric.', { id: [id] });
}

/** A part of HubSpot that the sandbox does not implement. It answers 501 instead of an invented success. */
export function notImplemented(what: string): ApiError {
  return new ApiError(501, {
    message: `The sandbox does not implement ${what}`,
    code: 'SANDBOX_NOT_BUILT',
    category: 'SANDBOX_NOT_BUILT',
  });
}
