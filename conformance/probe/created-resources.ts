/** What a request created or may have created: to be deleted, or to be named where nothing deletes it. */
import { operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Answer, Call } from './caller.ts';
import { valueAt } from './observe.ts';

export interface CreatedResource {
  readonly kind: 'blacklist' | 'search profile creation' | 'order';
  /** Null when no response named it; it may still have been created. */
  readonly id: string | null;
  /** With key and name somebody can look for it. */
  readonly idempotencyKey: string | null;
  readonly name: string | null;
}

const creatingOperations = [
  [operations.createBlacklist, 'blacklist', 'id', 'name'],
  [operations.createProfile, 'search profile creation', 'profile_creation_id', 'profile_name'],
  [operations.createOrder, 'order', 'order_id', 'title'],
] as const;

/**
 * Undefined when nothing was created: another operation, or a refused request. `answer`: undefined when it was lost. After a
 * 5xx, and after a success without an id, something may have been created.
 */
export function createdBy(operation: Operation, call: Call, answer: Answer | undefined): CreatedResource | undefined {
  const [, kind, idField, nameField] = creatingOperations.find(([creates]) => creates === operation) ?? [];
  if (kind === undefined) return undefined;
  if (answer !== undefined && answer.status >= 300 && answer.status < 500) return undefined;
  const id = answer !== undefined && answer.status < 300 ? valueAt(answer.body, [idField]) : undefined;
  const name = valueAt(call.body, [nameField]);
  return {
    kind,
    // Ids are UUIDs; anything else is not repeated.
    id: typeof id === 'string' && /^[\w-]{1,60}$/.test(id) ? id : null,
    idempotencyKey: call.idempotencyKey ?? null,
    name: typeof name === 'string' ? name : null,
  };
}
