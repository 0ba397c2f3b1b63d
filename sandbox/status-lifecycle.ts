import { parseMagicInputs } from './magic-inputs.ts';

/** The statuses of a resource over time: by the clock, by polls, or set manually. No timer runs. */

/** A status and the time from which it applies. */
export interface Stage {
  readonly status: string;
  /** Milliseconds since 1970; in the future for planned stages. */
  readonly at: number;
}

export type Progression =
  /** By the clock; 0 ends at once. */
  | { readonly after_seconds: number }
  /** The nth poll returns the final status. */
  | { readonly after_polls: number }
  | 'manual';

/** Status, and the fraction of the total duration (0 to 1) at which it begins. */
type Step = readonly [status: string, share: number];

export interface Lifecycle {
  readonly stages: readonly [Stage, ...Stage[]];
  /** Steps that polls trigger; null if polls change nothing. */
  readonly polled: { readonly steps: readonly Step[]; readonly polls: number; readonly seen: number } | null;
}

interface LifecyclePlan {
  readonly start: number;
  readonly progression: Progression;
  readonly steps: readonly Step[];
  /** The status at which the resource stays. */
  readonly stay?: string | undefined;
}

export function startLifecycle(first: string, { start, progression, steps, stay }: LifecyclePlan): Lifecycle {
  const stages: [Stage, ...Stage[]] = [{ status: first, at: start }];
  const last = [first, ...steps.map(([status]) => status)].indexOf(stay ?? '');
  const ahead = last < 0 ? steps : steps.slice(0, last);
  if (progression === 'manual') return { stages, polled: null };
  if ('after_polls' in progression) {
    return { stages, polled: { steps: ahead, polls: progression.after_polls, seen: 0 } };
  }
  const { after_seconds } = progression;
  for (const [status, share] of ahead) stages.push({ status, at: start + after_seconds * 1_000 * share });
  return { stages, polled: null };
}

/** The current stage at `now`. */
export function stageAt({ stages }: Lifecycle, now: number): Stage {
  return stages.findLast(({ at }) => at <= now) ?? stages[0];
}

/** When a status began, if it has by `now`. */
export function statusReachedAt({ stages }: Lifecycle, status: string, now: number): number | null {
  return stages.find((stage) => stage.status === status && stage.at <= now)?.at ?? null;
}

/** The first status only, whatever the progression. */
export function initialLifecycle({ stages }: Lifecycle): Lifecycle {
  return { stages: [stages[0]], polled: null };
}

/** The lifecycle after one more poll; the same object when nothing changes. */
export function advanceByPoll(life: Lifecycle, now: number): Lifecycle {
  const { stages, polled } = life;
  if (!polled || polled.steps.length === 0) return life;
  const seen = polled.seen + 1;
  const share = seen / polled.polls;
  const reached = polled.steps.filter((step) => step[1] <= share);
  return {
    stages: [...stages, ...reached.map(([status]) => ({ status, at: now }))],
    polled: { ...polled, seen, steps: polled.steps.slice(reached.length) },
  };
}

/** Sets the status manually and drops all stages planned after `now`. */
export function setStatus({ stages: [first, ...rest] }: Lifecycle, status: string, now: number): Lifecycle {
  return { stages: [first, ...rest.filter(({ at }) => at <= now), { status, at: now }], polled: null };
}

/** The time of the next status change by the clock, or null. */
export function nextStageAt({ stages }: Lifecycle, now: number): number | null {
  return stages.find(({ at }) => at > now)?.at ?? null;
}

interface JobStart {
  readonly start: number;
  readonly progression: Progression;
  /** Number of earlier jobs with the same content; `outcome:FAILED*2` counts them. */
  readonly earlier: number;
  /** The final status on success. */
  readonly end: string;
}

export function startJobLifecycle(text: string, { earlier, end, ...start }: JobStart): Lifecycle {
  const { outcome, outcomeTimes, stay } = parseMagicInputs(text);
  const fails = outcome === 'FAILED' && earlier < outcomeTimes;
  return startLifecycle('PENDING', {
    ...start,
    steps: [
      ['RUNNING', 0.25],
      [fails ? 'FAILED' : end, 1],
    ],
    stay,
  });
}
