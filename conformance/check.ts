import type { Facts } from './facts.ts';
import { NotChecked } from './not-checked.ts';
import type { Probe } from './probe.ts';

/** What a check does to the deployment: `read` nothing, `write` nothing that stays, `orders` what stays and may cost. */
export const needs = ['read', 'write', 'orders'] as const;
export type Need = (typeof needs)[number];

/** Each level includes those before it. */
export function isAllowed({ needs: needed }: Pick<Check, 'needs'>, allowed: Need): boolean {
  return needs.indexOf(needed) <= needs.indexOf(allowed);
}

/** One rule of the specification as a black-box test. */
export interface Check {
  readonly id: string;
  /** Where the specification says so. */
  readonly clause: string;
  readonly title: string;
  readonly needs: Need;
  readonly run: (probe: Probe, facts: Facts) => Promise<void>;
}

/** What an earlier check made; without it this one is not checked. */
export function need<T>(made: T | undefined, what: string): T {
  if (made === undefined) throw new NotChecked(`needs ${what}`);
  return made;
}
