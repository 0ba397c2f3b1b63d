import type { z } from 'zod';
import type { ControlOperation } from './control-operation.ts';

type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;

interface Call<O extends ControlOperation> {
  readonly params: Checked<O['params']>;
  readonly query: Checked<O['query']>;
  readonly body: Checked<O['body']>;
  /** Aborts when whoever asked goes away. */
  readonly signal: AbortSignal;
}
interface AnyCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** The body of the one successful answer, or nothing where that is a 204. */
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

/** Ties a handler to its operation's schemas. It returns the body of the successful answer; refusals are thrown. */
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
