import type { BatchResponseSimplePublicObjectWithErrors } from '@hubspot/api-client/lib/codegen/crm/companies/models/BatchResponseSimplePublicObjectWithErrors.js';
import type { BatchError } from './api-error.ts';
import type { JsonOf } from './json-model.ts';

type Envelope = Omit<JsonOf<BatchResponseSimplePublicObjectWithErrors>, 'results' | 'errors'>;
/** Callers check the type of their results against the SDK's model. */
type BatchAnswer = Envelope & { results: readonly object[]; errors?: BatchError[] };

/** 207 when a row failed, `status` otherwise. */
export function answerBatch(
  status: number,
  results: readonly object[],
  errors: BatchError[],
  startedAt: string,
  completedAt: string,
): Response {
  const body: BatchAnswer = {
    status: 'COMPLETE',
    results,
    ...(errors.length > 0 && { numErrors: errors.length, errors }),
    requestedAt: startedAt,
    startedAt,
    completedAt,
  };
  return Response.json(body, { status: errors.length > 0 ? 207 : status });
}
