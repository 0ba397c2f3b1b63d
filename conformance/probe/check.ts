import type { RunState } from './run-state.ts';
import { NotChecked } from './not-checked.ts';
import type { Probe } from './probe.ts';

/** What a check changes: `read` nothing, `write` only what it deletes again, `orders` what cannot be deleted and may cost money. */
export const effects = ['read', 'write', 'orders'] as const;
export type Effect = (typeof effects)[number];

/** Each level includes those before it. */
export function isAllowed({ effect }: Pick<Check, 'effect'>, allowed: Effect): boolean {
  return effects.indexOf(effect) <= effects.indexOf(allowed);
}

/** A black-box test of one rule of the specification. */
export interface Check {
  readonly id: string;
  /** Heading and rule of the specification. */
  readonly clause: string;
  readonly title: string;
  readonly effect: Effect;
  /** A requirement that only the owner of a server can meet; on a deployment the check is not checked. */
  readonly needs?: string;
  /** null: no request to the service can observe it; test/specification/ checks it on the sandbox. */
  readonly run: ((probe: Probe, state: RunState) => Promise<void>) | null;
}

/** Ends the check as not checked when an earlier check did not provide the value. */
export function need<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotChecked(`needs ${what}`);
  return value;
}
