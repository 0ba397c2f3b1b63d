/** A life as a list of moments: the state at any time is read off it, no timer runs. */
export interface Stage {
  readonly status: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}
export type Stages = readonly [Stage, ...Stage[]];

interface Plan {
  readonly start: number;
  readonly seconds: number;
  /** Status and the share of the duration at which it begins. */
  readonly steps: readonly (readonly [status: string, share: number])[];
  /** The status that is never left. */
  readonly stay?: string | undefined;
}

export function planStages(first: string, { start, seconds, steps, stay }: Plan): Stages {
  const stages: [Stage, ...Stage[]] = [{ status: first, at: start }];
  for (const [status, share] of steps) {
    if (stages.at(-1)?.status === stay) break;
    stages.push({ status, at: start + seconds * 1_000 * share });
  }
  return stages;
}

/** The stage in force at `now`. */
export function stageAt(stages: Stages, now: number): Stage {
  return stages.findLast(({ at }) => at <= now) ?? stages[0];
}

/** When a status began, if it has by `now`. */
export function startOf(stages: Stages, status: string, now: number): number | null {
  return stages.find((stage) => stage.status === status && stage.at <= now)?.at ?? null;
}

/** What was planned after `now` is dropped: from here on somebody steps by hand. */
export function stepTo(stages: Stages, status: string, now: number): Stages {
  const [first, ...rest] = stages;
  return [first, ...rest.filter(({ at }) => at <= now), { status, at: now }];
}
