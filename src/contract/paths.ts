/** The `paths` type that openapi-fetch wants, derived from an operation table: no generated code exists. */
import type { z } from 'zod';
import type { HttpOperation } from './operation.ts';

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

/** Coerced query fields have `unknown` as their input; they are numbers here. */
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

/** Of a table of operations by name. */
export type PathsOf<Table extends Record<string, HttpOperation>> = {
  [P in Table[keyof Table]['path']]: {
    [M in At<Table[keyof Table], P>['method']]: OpenApiOperation<Extract<At<Table[keyof Table], P>, { method: M }>>;
  };
};
