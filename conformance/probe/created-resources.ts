/** Finds what a request created or may have created, so that it can be deleted or reported. */
import { operations } from '../../src/service/contract/index.ts';
import type { Operation } from '../../src/service/contract/operation.ts';
import type { Answer, Call } from './caller.ts';
import { valueAt } from '../../src/service/contract/violations.ts';

export interface CreatedResource {
  readonly kind: 'blacklist' | 'search profile creation' | 'order';
  /** Null if no response contained it; the resource may still exist. */
  readonly id: string | null;
  /** Key and name identify a resource without a known id. */
  readonly idempotencyKey: string | null;
  readonly name: string | null;
}

const creatingOperations = [
  [operations.createBlacklist, 'blacklist', 'id', 'name'],
  [operations.createProfile, 'search profile creation', 'profile_creation_id', 'profile_name'],
  [operations.createOrder, 'order', 'order_id', 'title'],
] as const;

/**
 * Undefined if nothing was created: another operation, or a refused request. `answer` is undefined if it was lost. After a
 * 5xx, or a success without an id, the resource may exist.
 */
export function createdBy(operation: Operation, call: Call, answer: Answer | undefined): CreatedResource | undefined {
  const [, kind, idField, nameField] = creatingOperations.find(([creates]) => creates === operation) ?? [];
  if (kind === undefined) return undefined;
  if (answer !== undefined && answer.status >= 300 && answer.status < 500) return undefined;
  const id = answer !== undefined && answer.status < 300 ? valueAt(answer.body, [idField]) : undefined;
  const name = valueAt(call.body, [nameField]);
  return {
    kind,
    // Anything that is not like a UUID is not shown, because it could contain other data.
    id: typeof id === 'string' && /^[\w-]{1,60}$/.test(id) ? id : null,
    idempotencyKey: call.idempotencyKey ?? null,
    name: typeof name === 'string' ? name : null,
  };
}
