/** Resources moved by hand: from the moment of a step their own pace no longer counts. */
import { stageAt, stepTo, type Life } from '../lifecycle.ts';
import { Refusal } from '../refusal.ts';

interface Step {
  /** All statuses, the way forward. */
  readonly statuses: readonly string[];
  /** Those that are left again; the others are the end. */
  readonly active: readonly string[];
  readonly status: string;
  readonly now: number;
}

/** Steps lead forward; a step to the present status holds the resource there. Throws a Refusal (409) otherwise. */
export function stepForward(life: Life, { statuses, active, status, now }: Step): Life {
  const present = stageAt(life, now).status;
  if (!active.includes(present) || statuses.indexOf(status) < statuses.indexOf(present)) {
    throw new Refusal(409, { code: 'STEP_REFUSED', message: `No step leads from ${present} to ${status}.` });
  }
  return stepTo(life, status, now);
}
