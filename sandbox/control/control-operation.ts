import { z } from 'zod';
import type { HttpOperation } from '../../src/service/contract/operation.ts';

/** Refusals of the control plane; `problems` when the request breaks a rule. */
export const refusalSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  problems: z.array(z.string()).optional(),
});

/** An operation of the control plane: JSON in and out, no keys, no idempotency. */
export type ControlOperation = HttpOperation & { readonly idempotency: 'none' };

/** Most operations have no parameters, no query and no body. */
export const operationDefaults = { params: null, query: null, body: null, idempotency: 'none' } as const;

export const notFoundResponse = { 404: refusalSchema } as const;
export const refusalResponses = { 403: refusalSchema, 409: refusalSchema, ...notFoundResponse } as const;

export const organizationId = z.guid();
export const organizationParams = z.object({ organization_id: organizationId });

/** Maximum wait of a request in milliseconds. */
export const waitTimeout = z.coerce.number().int().min(0).max(600_000).optional();
export const defaultWait = { count: 1, timeout_ms: 10_000 } as const;

/** Time of the sandbox clock: ISO 8601 UTC with milliseconds. */
export const timestampSchema = z.iso.datetime();

type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;

interface Call<O extends ControlOperation> {
  readonly params: Checked<O['params']>;
  readonly query: Checked<O['query']>;
  readonly body: Checked<O['body']>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}
interface AnyCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** The body of the successful answer; void for a 204. */
type Success<O extends ControlOperation> = {
  [Status in keyof O['responses']]: Status extends 200 | 201
    ? Checked<O['responses'][Status]>
    : Status extends 204
      ? void
      : never;
}[keyof O['responses']];

export interface ControlRoute {
  readonly operation: ControlOperation;
  readonly handle: (call: AnyCall) => unknown;
}

/** Types a handler by its operation's schemas. It returns the body of the successful answer and throws refusals. */
export function route<O extends ControlOperation>(
  operation: O,
  handle: (call: Call<O>) => Success<O> | Promise<Success<O>>,
): ControlRoute;
export function route(operation: ControlOperation, handle: ControlRoute['handle']): ControlRoute {
  return { operation, handle };
}

/** The status of the successful answer. */
export function successOf({ responses }: ControlOperation): number {
  return Number(Object.keys(responses).find((status) => status.startsWith('2')));
}
