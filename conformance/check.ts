import type { Facts } from './facts.ts';
import { NotChecked } from './not-checked.ts';
import type { Probe } from './probe.ts';

/** What a check does to the deployment: `read` nothing, `write` nothing that stays, `orders` what stays and may cost. */
export const effects = ['read', 'write', 'orders'] as const;
export type Effect = (typeof effects)[number];

/** Each level includes those before it. */
export function isAllowed({ effect }: Pick<Check, 'effect'>, allowed: Effect): boolean {
  return effects.indexOf(effect) <= effects.indexOf(allowed);
}

/** One rule of the specification as a black-box test. */
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

/** What an earlier check made; without it this one is not checked. */
export function need<T>(made: T | undefined, what: string): T {
  if (made === undefined) throw new NotChecked(`needs ${what}`);
  return made;
}
