import type { Change, Seen } from '../conformance-harness.ts';

/** What is broken, and the beginning or a part of the finding that must report it. */
export type ControlledBreach = readonly [
  what: string,
  finding: string,
  method: string,
  path: RegExp,
  change: (seen: Seen) => Change,
];

/** Breaches by the id of the check that has to report them. */
export type ControlledBreaches = Readonly<Record<string, readonly ControlledBreach[]>>;
