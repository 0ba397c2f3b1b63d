import type { Facts } from './facts.ts';
import { NotChecked } from './not-checked.ts';
import type { Probe } from './probe.ts';

/** What a check changes: `read` nothing, `write` only what it can delete, `orders` what nothing deletes and may cost. */
export const effects = ['read', 'write', 'orders'] as const;
export type Effect = (typeof effects)[number];

/** Each level includes those before it. */
export function isAllowed({ effect }: Pick<Check, 'effect'>, allowed: Effect): boolean {
  return effects.indexOf(effect) <= effects.indexOf(allowed);
}

/** A black-box test of one rule of the specification. */
export interface Check {
  readonly id: string;
  /** Where the specification says so. */
  readonly clause: string;
  readonly title: string;
  readonly effect: Effect;
  /** What only control over the server gives; a deployment reports the check as not checked. */
  readonly needs?: string;
  /** null: no request to the service observes it. test/specification/ checks it on the sandbox. */
  readonly run: ((probe: Probe, facts: Facts) => Promise<void>) | null;
}

/** Ends the check as not checked when an earlier check did not provide the value. */
export function need<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotChecked(`needs ${what}`);
  return value;
}
