/** What a request made, or may have made, so that it can be deleted, or named where nothing deletes it. */
import { operations } from '../src/contract/index.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Answer, Call } from './caller.ts';
import { valueAt } from './observe.ts';

export interface Made {
  readonly kind: 'blacklist' | 'search profile creation' | 'order';
  /** Null when no answer told it: it may have been made all the same. */
  readonly id: string | null;
  /** What it was given here: with both of these it can be looked for. */
  readonly idempotencyKey: string | null;
  readonly name: string | null;
}

const creating = [
  [operations.createBlacklist, 'blacklist', 'id', 'name'],
  [operations.createProfile, 'search profile creation', 'profile_creation_id', 'profile_name'],
  [operations.createOrder, 'order', 'order_id', 'title'],
] as const;

/**
 * Undefined when nothing can have been made: another request, or one that was refused. `answer`: undefined when it was
 * lost. A fault, and a success that names no id, leave it open as well.
 */
export function madeBy(operation: Operation, call: Call, answer: Answer | undefined): Made | undefined {
  const [, kind, idField, nameField] = creating.find(([creates]) => creates === operation) ?? [];
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
