import type { ResolvedRun, RunReference } from '../src/config/run-plan.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';
import { shortActivities } from './activity-options.ts';

/** A fixed timeout: the configured one is part of the plan that this activity reads. */
const heartbeatTimeoutMs = 30_000;

/** The plan of a run, from the worker's configuration. */
export function readRunConfiguration(run: Pick<RunReference, 'runName'> & Partial<RunReference>): Promise<ResolvedRun> {
  return shortActivities({ heartbeatTimeoutMs }).readRun.executeWithOptions(
    { summary: toSummary(`configuration of run ${run.runName}`) },
    [run],
  );
}
