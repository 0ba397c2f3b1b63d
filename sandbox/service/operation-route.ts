/** Binds an operation of the contract to the function that answers it. */
import type { z } from 'zod';
import type { operations } from '../../src/service/contract/index.ts';
import type { Answer, Caller } from '../state/stored-records.ts';
import type { Organization } from '../state/organization.ts';

export type Operation = (typeof operations)[keyof typeof operations];

export interface AnyCall {
  readonly organization: Organization;
  readonly key: Caller;
  readonly now: number;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The body as it was sent, before defaults. */
  readonly sent: unknown;
  readonly idempotencyKey: string | null;
}

/** Organisation and key that create a resource; both determine its progression. */
export type CreationContext = Pick<AnyCall, 'organization' | 'key'>;

type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A request that is valid by the schemas of the contract. */
export interface Call<O extends Operation> extends AnyCall {
  readonly params: Checked<O['params']>;
  readonly query: Checked<O['query']>;
  readonly body: Checked<O['body']>;
}

export interface Route {
  readonly operation: Operation;
  readonly handle: (call: AnyCall) => Answer;
  /** Runs before `handle`, which is synchronous. It must not change anything that a request can see. */
  readonly prepare?: ((call: AnyCall) => Promise<void>) | undefined;
  /** The answer to a repeated creation with the present state of what `first` created (A86). */
  readonly current?: (call: AnyCall, first: Answer) => Answer;
}

/** An id in the body of an answer; empty when there is none. */
export function readId(body: unknown, field: string): string {
  return typeof body === 'object' && body !== null ? String(Reflect.get(body, field) ?? '') : '';
}

/** The overload types a handler by its operation's schemas; `service-app.ts` validates requests with them. */
export function route<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Answer,
  prepare?: (call: Call<O>) => Promise<void>,
): Route;
export function route(operation: Operation, handle: Route['handle'], prepare?: Route['prepare']): Route {
  return { operation, handle, prepare };
}
