/** What a request made, so that it can be deleted, or named where nothing deletes it. */
import { operations } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import type { Answer } from './caller.ts';
import { valueAt } from './observe.ts';

export interface Made {
  readonly kind: 'blacklist' | 'search profile creation' | 'order';
  readonly id: string;
}

const madeIn = [
  [operations.createBlacklist, 'blacklist', 'id'],
  [operations.createProfile, 'search profile creation', 'profile_creation_id'],
  [operations.createOrder, 'order', 'order_id'],
] as const;

/** Ids are UUIDs; anything else is not repeated. */
export function madeBy(operation: Operation, { status, body }: Answer): Made | undefined {
  const [, kind, field] = madeIn.find(([creating]) => creating === operation) ?? [];
  const id = field === undefined ? undefined : valueAt(body, [field]);
  if (kind === undefined || status >= 300 || typeof id !== 'string' || !/^[\w-]{1,60}$/.test(id)) return undefined;
  return { kind, id };
}
